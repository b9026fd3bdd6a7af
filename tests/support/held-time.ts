// Time that passes only when a test says so, for code that is handed its timer.

interface Wait {
  readonly endsAtMs: number;
  readonly end: () => void;
}

export function holdTime() {
  let nowMs = 0;
  let waits: readonly Wait[] = [];
  let note = () => {};

  const left = () => waits.map(({ endsAtMs }) => endsAtMs - nowMs).toSorted((one, other) => one - other);
  return {
    /** Resolves once so much time has passed. */
    pass: (ms: number) =>
      new Promise<void>((end) => {
        waits = [...waits, { endsAtMs: nowMs + ms, end }];
        note();
      }),
    /** How many milliseconds each wait has left, the shortest first, as soon as there are `count` waits. */
    async waiting(count: number): Promise<readonly number[]> {
      while (waits.length < count) await new Promise<void>((noted) => (note = noted));
      return left();
    },
    /** Lets time pass. */
    advance(ms: number) {
      nowMs += ms;
      const isOver = ({ endsAtMs }: Wait) => endsAtMs <= nowMs;
      const over = waits.filter(isOver);
      waits = waits.filter((wait) => !isOver(wait));
      for (const { end } of over) end();
    },
  };
}
