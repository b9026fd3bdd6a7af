// Decides which configuration is in force: the build's own, or the same with the administrator's policy laid over it. The last
// good policy is remembered, so that a worker that starts knows the settings at once.

import * as v from '../session/shape.ts';
import { detail } from '../session/detail.ts';
import type { StorageArea } from '../bridge/session/board.ts';
import { createQueue, singleFlight, withTimeout, deadlineMs } from '../concurrency.ts';
import { type PolicyReading, readPolicy } from '../config/policy.ts';
import { policyKey, readItem } from '../background/storage.ts';
import {
  type PolicyParts,
  type InForce,
  asBuilt,
  type Policy,
  type ManagedBrowser,
  type Part,
} from '../background/part.ts';

/** The settings of the build, with the administrator's policy over them. */
function createPolicy(
  parts: PolicyParts,
  read = (policy: unknown): PolicyReading => readPolicy(policy, parts.built, parts.rules),
): Policy {
  const managed = createManagedStorage(parts.browser);
  const remembered = createRememberedPolicy(parts.area);
  const shared = { inForce: asBuilt(parts.built) };
  const settings = createSettings(parts, read, remembered, shared);
  const queue = createQueue();

  /** Compares the policy in force with the browser's response, one comparison at a time. */
  const compare = (judge: () => Promise<void>) =>
    queue(async () => {
      const before = settings.current();
      await judge();
      if (settings.current() !== before) parts.onChanged();
    });

  /** A starting browser may need longer for a policy than a worker lives, so two workers ask for the `last` one. */
  const judge = async (answer: ManagedAnswer, last: Remembered | null = null) => {
    if (answer.status === 'present') await settings.adopt(answer.policy);
    else if (answer.status === 'empty' && hasPolicy(last) && !last.isMissed)
      await remembered.keep({ isMissed: true });
    else if (answer.status !== 'unknown') await settings.adopt(null);
  };

  /** Looks for the policy of a copy that has never had one. */
  const beginAnew = async ({ read: ask, settle, readInstallType }: ManagedStorage) => {
    const installType = await readInstallType();
    // A developer's own copy, for which there is seldom a policy, must not wait at each installation.
    const answer = await (installType === 'development' ? ask() : settle(maxWaitMs));
    const isLate = answer.status === 'empty' && installType === 'admin';
    if (answer.status !== 'unknown' && !isLate) return judge(answer);
    settings.await();
    // A browser that never responds counts as one without a policy.
    void compare(async () => {
      const late = await settle(maxLateMs - maxWaitMs);
      await (late.status === 'unknown' ? settings.adopt(null) : judge(late));
    });
    return undefined;
  };

  /** Goes on with the policy of the last worker. It was good, unless an update has changed what is built in. */
  const goOn = async (last: Remembered, { read: ask, settle }: ManagedStorage) => {
    for (const former of last.former) {
      const reading = read(former);
      if (reading.outcome === 'read') parts.remember(reading.policy.providers);
    }
    const problems = settings.take(last.policy, last.problem);
    if (problems === null) {
      void compare(async () => judge(await (hasPolicy(last) ? settle(maxWaitMs) : ask()), last));
      return;
    }
    // The browser may have a better one by now.
    await judge(await settle(maxWaitMs), last);
    if (settings.current() === null) settings.refuse(problems);
  };

  const begin = singleFlight(async (): Promise<InForce> => {
    if (managed !== null && settings.current() === null) {
      const last = await remembered.read();
      await (last === null ? beginAnew(managed) : goOn(last, managed));
    }
    return shared.inForce;
  });

  managed?.onChange(() => {
    void begin().then(
      () => compare(async () => judge(await managed.read())),
      // The next call of `ready` tries again.
      () => undefined,
    );
  });
  if (managed === null) settings.take(null);

  return Object.assign(shared, { ready: begin });
}

/** Whether the browser had a policy, good or not. */
function hasPolicy(last: Remembered | null): last is Remembered {
  return last !== null && (last.policy !== null || last.problem !== null);
}

/** The settings in force. */
function createSettings(
  { journal, warn, offer }: PolicyParts,
  read: (policy: unknown) => PolicyReading,
  remembered: ReturnType<typeof createRememberedPolicy>,
  shared: { inForce: InForce },
) {
  const ofBuild = shared.inForce;
  /** Nothing is offered before the first good policy, because it might be something that the administrator meant to exclude. */
  const nothing: InForce = { ...ofBuild, providers: [], managed: 'awaited' };
  let inForce: InForce | null = null;
  /** The newest policy of the browser as text, to notice a change; undefined before any is known. */
  let text: string | undefined;

  const set = (next: InForce) => {
    inForce = shared.inForce = next;
    offer(next.providers);
  };

  /**
   * Applies a good policy, or the build's settings if there is none. `problem` is the first mistake of a newer one. Returns the
   * mistakes of a bad policy.
   */
  const take = (policy: RawPolicy | null, problem: string | null = null): readonly string[] | null => {
    const reading = policy === null ? null : read(policy);
    if (reading?.outcome === 'refused') return reading.problems;
    // After a newer one was refused, a return to this policy is a change.
    text = problem === null ? JSON.stringify(policy) : undefined;
    set({ ...(reading === null ? ofBuild : toInForce(reading.policy)), problem });
    return null;
  };

  /** Keeps the settings in force, and says what is wrong with the newest policy. */
  const refuse = (problems: readonly string[]) => {
    const [problem = ''] = problems;
    warn?.(problems);
    if (inForce?.problem === problem) return;
    set({ ...(inForce ?? nothing), problem });
    journal.note(detail`policy: refused`);
  };

  return {
    /** Null before any are known. */
    current: () => inForce,
    take,
    refuse,
    /** Offers nothing until a policy is known. */
    await: () => set(nothing),
    /** Takes a policy as `take` does, and remembers it if it's good. */
    async adopt(policy: RawPolicy | null): Promise<void> {
      const next = JSON.stringify(policy);
      if (next !== text) {
        const isFirst = inForce === null;
        const problems = take(policy);
        text = next;
        if (problems !== null) refuse(problems);
        else if (!isFirst || policy !== null)
          journal.note(policy === null ? detail`policy: none` : detail`policy: applied`);
      }
      const { problem } = inForce ?? nothing;
      await remembered.keep({ isMissed: false, problem, ...(problem === null && { policy }) });
    },
  };
}

function toInForce({ managedBy, ...config }: Extract<PolicyReading, { outcome: 'read' }>['policy']): InForce {
  return { ...config, managed: { by: managedBy }, problem: null };
}

// The last good policy on the device, and those before it: tokens of their providers may still have to be revoked.

/** A policy as the browser passed it on. */
type RawPolicy = Readonly<Record<string, unknown>>;

/** More of them would be useless, because a token is given up after a day. */
const maxFormer = 10;

const rawSchema: v.Schema<RawPolicy> = v.looseObject({});

const schema = v.object({
  version: v.literal(1),
  /** Null if there was none. */
  policy: v.nullable(rawSchema),
  /** The policies before, newest first. */
  former: v.array(rawSchema),
  /** Whether the browser knew of no policy the last time that a worker started. */
  isMissed: v.boolean(),
  /** The first mistake of a newer policy, which isn't in force; null if there is none. */
  problem: v.nullable(v.string()),
});

type Remembered = v.InferOutput<typeof schema>;

const nothing: Remembered = { version: 1, policy: null, former: [], isMissed: false, problem: null };

/** The policy that is remembered in `area`. Read it before it is kept. */
export function createRememberedPolicy(area: StorageArea) {
  let known: Remembered | null = null;

  return {
    /** Null if nothing is remembered. Rejects if the storage fails. */
    read: async () => (known = await readItem(area, policyKey, schema)),

    /**
     * Changes these members, unless no good policy is remembered yet. If that fails twice, the next worker goes on with what was
     * remembered before, until the browser has responded. Never rejects.
     */
    async keep(change: Partial<Pick<Remembered, 'policy' | 'isMissed' | 'problem'>>): Promise<void> {
      if (known === null && change.policy === undefined) return;
      const { policy: last, former: before } = known ?? nothing;
      const changed = { ...(known ?? nothing), ...change };
      const isKept = last === null || isSame(last, changed.policy);
      const next = { ...changed, former: isKept ? before : [last, ...before].slice(0, maxFormer) };
      if (isSame(next, known)) return;
      known = next;
      const write = () => area.set({ [policyKey]: next });
      await write()
        .catch(write)
        .catch(() => undefined);
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

// The administrator's policy as the browser passes it to the extension.

/** `absent`: the browser is sure that there is none. `empty`: it knows of none, but one may still come. `unknown`: it couldn't tell. */
type ManagedAnswer =
  | { readonly status: 'present'; readonly policy: RawPolicy }
  | { readonly status: 'absent' | 'empty' | 'unknown' };

type ManagedStorage = NonNullable<ReturnType<typeof createManagedStorage>>;

/**
 * How long a policy may take to arrive. Chromium has it about four seconds after its own start. Until then it responds as a browser
 * without a policy does, for an extension that it has just installed. A page waits twice as long for a reply.
 */
export const maxWaitMs = 5_000;

/** How long it may take where an administrator has installed the extension. On a busy machine it took 12 s. */
export const maxLateMs = 30_000;

/** The error of Firefox if there is no policy for the extension. It has loaded its policies by then. */
const noManifest = /manifest not found/i;

const unknown: ManagedAnswer = { status: 'unknown' };

/** The managed storage of `browser`; null if it has none. Register the listener in the first turn of the worker. */
function createManagedStorage(browser: ManagedBrowser) {
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
    /** The policy now. Never rejects. */
    read,

    /** The policy, as soon as there is one, or the browser's response after `waitMs`. Never rejects. */
    settle: (waitMs: number) =>
      new Promise<ManagedAnswer>((resolve) => {
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

    /** How this copy was installed, as `management.getSelf` says; undefined if it doesn't. Never rejects. */
    async readInstallType() {
      const asked = browser.management?.getSelf().catch(() => null);
      const self = asked && (await withTimeout(asked, deadlineMs, () => null));
      return self?.installType;
    },

    onChange: (listener: () => void) => void listeners.add(listener),
  };
}

export const part: Part = { createPolicy };
