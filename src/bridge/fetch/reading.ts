// Keeps the worker running for one response: while a feature waits for its data, and for a while after that.

/** Keeps the worker running until `work` has settled. */
export type KeepAlive = (work: Promise<unknown>) => void;

export interface Reading {
  /** A feature waits for the response or for more of its data, however long that takes. */
  wait(): void;
  /** The body has yet to be read. Until then the worker is free to stop. */
  pause(): void;
  /** No feature waits for data now. If that lasts for {@link maxRestMs}, the worker is free to stop. */
  rest(): void;
  /** The response has ended, or will not be read to its end. Later calls have no effect. */
  end(): void;
}

/**
 * How long a response that isn't read to its end keeps the worker running. A program that still wants it has read on
 * by then, and there's no way to notice that a program has dropped it.
 */
const maxRestMs = 5 * 60_000;

export function createReading(keepAlive: KeepAlive): Reading {
  let status: 'waiting' | 'resting' | 'released' | 'ended' = 'released';
  let release: () => void = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => {
    if (status === 'ended') return;
    status = 'released';
    release();
  };

  return {
    wait() {
      if (status === 'ended') return;
      clearTimeout(timer);
      if (status === 'released') {
        keepAlive(
          new Promise<void>((resolve) => {
            release = resolve;
          }),
        );
      }
      status = 'waiting';
    },
    pause,
    rest() {
      if (status !== 'waiting') return;
      status = 'resting';
      timer = setTimeout(pause, maxRestMs);
    },
    end() {
      status = 'ended';
      clearTimeout(timer);
      release();
    },
  };
}
