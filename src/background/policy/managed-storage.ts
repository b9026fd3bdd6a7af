// The administrator's policy as the browser hands it to the extension.

import { withTimeout } from '../../concurrency/timeout.ts';

/** The parts of the browser that tell of a policy. Browsers without managed storage have no `managed`. */
export interface ManagedBrowser {
  readonly storage: {
    readonly managed?: {
      get(): Promise<Record<string, unknown>>;
      /** Missing in Firefox, where a policy changes only when the browser restarts. */
      readonly onChanged?: { addListener(listener: () => void): void };
    };
  };
  readonly management?: { getSelf(): Promise<{ readonly installType: string }> };
}

export type ManagedAnswer =
  | { readonly status: 'present'; readonly policy: Readonly<Record<string, unknown>> }
  | { readonly status: 'absent' }
  /** The browser could not tell. */
  | { readonly status: 'unknown' };

export interface ManagedStorage {
  /** The policy now. Takes seconds if the browser has just started. Never rejects. */
  read(): Promise<ManagedAnswer>;
  /**
   * The policy, as soon as there is one; `absent` only if none came within {@link maxWaitMs} after the browser's first
   * answer. Never rejects.
   */
  settle(): Promise<ManagedAnswer>;
  /**
   * Likewise, for the first start, in which everything waits for it: takes at most {@link maxWaitMs} in all, and is
   * `unknown` if the browser has not answered by then. Does not wait for an arrival in a copy under development.
   */
  settleFirst(): Promise<ManagedAnswer>;
  /** Calls `listener` when the policy has changed. */
  onChange(listener: () => void): void;
}

/**
 * How long a policy may take to arrive. Chromium has it about four seconds after its own start. Until then it answers with
 * nothing for an extension that it has just installed, and says no word that tells this from a browser without a policy.
 */
export const maxWaitMs = 7_000;

/** The error of Firefox if there is no policy for the extension. It has loaded its policies by then. */
const noManifest = /manifest not found/i;

/** The managed storage of `browser`; null if it has none. Register the listener in the first turn of the worker. */
export function createManagedStorage(browser: ManagedBrowser): ManagedStorage | null {
  const { managed } = browser.storage;
  if (managed === undefined) return null;
  const listeners = new Set<() => void>();
  managed.onChanged?.addListener(() => {
    for (const listener of listeners) listener();
  });

  /** Whether an absent policy is none at all. */
  let isCertain = false;

  const read = async (): Promise<ManagedAnswer> => {
    try {
      const policy = await managed.get();
      return Object.keys(policy).length === 0 ? { status: 'absent' } : { status: 'present', policy };
    } catch (error) {
      isCertain = error instanceof Error && noManifest.test(error.message);
      return { status: isCertain ? 'absent' : 'unknown' };
    }
  };

  /** A developer's own copy, for which there is seldom a policy, must not wait at each installation. */
  const isDevelopment = async () => {
    // The browser takes a while to make an API at its first use, and nearly no start needs this one.
    const { installType } = (await browser.management?.getSelf().catch(() => null)) ?? {};
    return installType === 'development';
  };

  /** Listens for a policy that arrives, as long as `work` takes. */
  const whileListening = async (
    work: (arrival: Promise<ManagedAnswer>) => Promise<ManagedAnswer>,
  ): Promise<ManagedAnswer> => {
    let onChanged = (): void => undefined;
    const arrival = new Promise<ManagedAnswer>((resolve) => {
      const look = async () => {
        const answer = await read();
        if (answer.status === 'present') resolve(answer);
      };
      onChanged = () => void look();
    });
    listeners.add(onChanged);
    try {
      return await work(arrival);
    } finally {
      listeners.delete(onChanged);
    }
  };

  const isFinal = ({ status }: ManagedAnswer) => status === 'present' || isCertain;

  return {
    read,
    settle: () =>
      whileListening(async (arrival) => {
        const answer = await read();
        return isFinal(answer) ? answer : withTimeout(arrival, maxWaitMs, read);
      }),
    settleFirst: () =>
      whileListening(async (arrival) => {
        let answer: ManagedAnswer = { status: 'unknown' };
        const settling = async (): Promise<ManagedAnswer> => {
          answer = await read();
          return isFinal(answer) || (await isDevelopment()) ? answer : arrival;
        };
        return withTimeout(settling(), maxWaitMs, () => (answer.status === 'unknown' ? answer : read()));
      }),
    onChange: (listener) => void listeners.add(listener),
  };
}
