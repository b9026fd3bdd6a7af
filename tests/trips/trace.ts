// Counts what a reader of a trip through the code pays: the functions that it enters, and how often it changes to another file.

interface Entry {
  readonly file: string;
  readonly name: string;
}

declare global {
  /** The functions that were entered, in their order, while a trip is traced. `tracer.ts` makes them note themselves. */
  var enteredFunctions: Entry[] | undefined;
}

export interface Trip {
  readonly files: number;
  readonly functions: number;
  readonly changesOfFile: number;
}

declare module 'vitest' {
  interface TaskMeta {
    /** The measured trip. */
    trip?: Trip;
  }
}

/** Resolves with what `run` has entered by the time that it ends. */
export async function trace(run: () => Promise<unknown>): Promise<Trip> {
  const entered: Entry[] = [];
  globalThis.enteredFunctions = entered;
  try {
    await run();
  } finally {
    globalThis.enteredFunctions = undefined;
  }
  return {
    files: new Set(entered.map(({ file }) => file)).size,
    functions: new Set(entered.map(({ file, name }) => `${file} ${name}`)).size,
    changesOfFile: entered.filter(({ file }, at) => at > 0 && file !== entered[at - 1]?.file).length,
  };
}

/** Runs what a test does for itself in the middle of a trip, which isn't a part of it. */
export function untraced<T>(run: () => T): T {
  const { enteredFunctions } = globalThis;
  globalThis.enteredFunctions = undefined;
  try {
    return run();
  } finally {
    globalThis.enteredFunctions = enteredFunctions;
  }
}
