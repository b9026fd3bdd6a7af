// The administrator's policy as the browser passes it to the extension.

import { withTimeout } from '../../concurrency/timeout.ts';
import { deadlineMs } from '../deadlines.ts';

/** The parts of the browser that a policy needs. Browsers without managed storage have no `managed`. */
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
  /** The browser is sure that there is none. */
  | { readonly status: 'absent' }
  /** It knows of none, but one may still come. */
  | { readonly status: 'empty' }
  /** It could not tell. */
  | { readonly status: 'unknown' };

export interface ManagedStorage {
  /** The policy now. Never rejects. */
  read(): Promise<ManagedAnswer>;
  /** The policy, as soon as there is one, or the browser's answer after `waitMs`. Never rejects. */
  settle(waitMs: number): Promise<ManagedAnswer>;
  /** How this copy was installed, as `management.getSelf` says; undefined if it does not. Never rejects. */
  readInstallType(): Promise<string | undefined>;
  /** Calls `listener` when the policy has changed. */
  onChange(listener: () => void): void;
}

/**
 * How long a policy may take to arrive. Chromium has it about four seconds after its own start. Until then it answers with
 * nothing for an extension that it has just installed, exactly as a browser without a policy does. A page waits twice as
 * long for a reply.
 */
export const maxWaitMs = 5_000;

/** How long it may take where an administrator has installed the extension. On a busy machine it took 12 s. */
export const maxLateMs = 30_000;

/** The error of Firefox if there is no policy for the extension. It has loaded its policies by then. */
const noManifest = /manifest not found/i;

const unknown: ManagedAnswer = { status: 'unknown' };

/** The managed storage of `browser`; null if it has none. Register the listener in the first turn of the worker. */
export function createManagedStorage(browser: ManagedBrowser): ManagedStorage | null {
  const { managed } = browser.storage;
  if (managed === undefined) return null;
  const listeners = new Set<() => unknown>();
  managed.onChanged?.addListener(() => {
    for (const listener of listeners) listener();
  });

  const get = async (): Promise<ManagedAnswer> => {
    const policy = await managed.get();
    return Object.keys(policy).length === 0 ? { status: 'empty' } : { status: 'present', policy };
  };

  /** Asks once more after a failure. */
  const read = async (): Promise<ManagedAnswer> => {
    try {
      return await withTimeout(get().catch(get), maxWaitMs, () => unknown);
    } catch (error) {
      return error instanceof Error && noManifest.test(error.message) ? { status: 'absent' } : unknown;
    }
  };

  return {
    read,

    settle: (waitMs) =>
      new Promise((resolve) => {
        let answer = unknown;
        const end = () => {
          clearTimeout(timer);
          listeners.delete(look);
          resolve(answer);
        };
        const timer = setTimeout(end, waitMs);
        const look = async () => {
          answer = await read();
          if (answer.status === 'present' || answer.status === 'absent') end();
        };
        listeners.add(look);
        void look();
      }),

    async readInstallType() {
      const asked = browser.management?.getSelf().catch(() => null);
      const self = asked && (await withTimeout(asked, deadlineMs, () => null));
      return self?.installType;
    },

    onChange: (listener) => void listeners.add(listener),
  };
}
