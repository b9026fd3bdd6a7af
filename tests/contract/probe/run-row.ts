// Runs one row of the contract, in an extension of the tests or over the fakes.

import { close } from '../../../src/bridge/line/line.ts';
import type { Probe, Row, Watchable } from '../row.ts';

export type Surroundings = Pick<Probe, 'browser' | 'line' | 'locks' | 'at' | 'loads' | 'outside'>;

/** Runs the row, and returns its notes. */
export async function runRow({ run }: Row, surroundings: Surroundings): Promise<string[]> {
  const notes: string[] = [];
  const ends: (() => void)[] = [];
  const note = (line: string) => void notes.push(line);
  const until: Probe['until'] = async (isSo) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve));
  };
  const probe: Probe = {
    ...surroundings,
    ask: (what, value) =>
      new Promise((resolve, reject) => {
        const end = surroundings.line('command', { ask: what, value }, [], {
          onMessage(answer) {
            resolve(answer);
            end(close);
          },
          onLost: (loss) => reject(new Error(loss)),
        });
      }),
    note,
    watch<Arguments extends unknown[]>(
      event: Watchable<Arguments>,
      toLine: (...args: Arguments) => string | null,
    ) {
      const listener = (...args: Arguments) => {
        const line = toLine(...args);
        if (line !== null) note(line);
      };
      event.addListener(listener);
      ends.push(() => event.removeListener(listener));
    },
    settles: (what, promise) =>
      promise.then(
        (value) => note(value === undefined ? `${what} resolves` : `${what} resolves with ${toText(value)}`),
        (error: unknown) =>
          note(`${what} rejects: ${error instanceof Error ? error.message : String(error)}`),
      ),
    until,
    noted: (line) => until(() => notes.includes(line)),
  };
  try {
    await run(probe);
  } finally {
    for (const end of ends) end();
  }
  return notes;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
