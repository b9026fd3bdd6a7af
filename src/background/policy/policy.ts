// Which configuration is in force: the one of the build, or that with the administrator's policy laid over it. The last
// good policy is remembered, so that a worker that starts knows the settings at once.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { createQueue } from '../../concurrency/queue.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import type { Policy as ReadPolicy, PolicyReading } from '../../config/policy.ts';
import type { Config } from '../../config/provider.ts';
import type { Journal } from '../journal.ts';
import type { ManagedAnswer, ManagedStorage } from './managed-storage.ts';

/** The settings that hold now: those of the build, or a policy over them. */
export interface InForce extends Pick<ReadPolicy, 'providers' | 'persistence' | 'autoSignIn'> {
  /** The administrator's part; null if there is none. `by` is the organization's name, if the policy gives it. */
  readonly managed: { readonly by: string | null } | null;
  /** The first mistake of the newest policy, which is not in force; null if there is none. */
  readonly problem: string | null;
}

export interface Policy {
  /**
   * Resolves with the settings that hold, as soon as they are known: at once if an earlier worker has remembered a policy,
   * otherwise when one has come or had its time. Rejects if the storage fails, and the next call tries again.
   */
  ready(): Promise<InForce>;
}

export interface PolicyParts {
  /** Null in a browser without policies. */
  readonly managed: ManagedStorage | null;
  /** Where the last good policy is remembered. */
  readonly area: StorageArea;
  readonly built: Pick<Config, 'providers' | 'persistence'>;
  /** Reads a policy over the configuration of the build. */
  readonly read: (policy: unknown) => PolicyReading;
  readonly journal: Pick<Journal, 'note'>;
  /** Tells an administrator who looks at the worker's console. */
  readonly warn: (problems: readonly string[]) => void;
  /** Takes over the settings that hold, before anything else learns of them. */
  readonly apply: (now: InForce) => void;
  /** Takes note of the providers of a policy that holds no more. */
  readonly remember: (former: Config['providers']) => void;
  /** Called after each change that came when the worker was running. */
  readonly onChanged: () => void;
}

/** The storage key of the remembered policy. */
export const policyKey = 'policy';

const rememberedSchema = v.object({
  version: v.literal(1),
  /** The policy as the browser handed it over; null if there was none. */
  policy: v.nullable(v.record(v.string(), v.unknown())),
  /** The policy before it: tokens of its providers may still have to be revoked. */
  former: v.exactOptional(v.record(v.string(), v.unknown())),
});

export function createPolicy(parts: PolicyParts): Policy {
  const { managed, journal } = parts;
  const item = createStorageItem(parts.area, policyKey, rememberedSchema);
  const asBuilt: InForce = { ...parts.built, autoSignIn: 'off', managed: null, problem: null };
  const queue = createQueue();
  let inForce: InForce | null = null;
  /** The last policy that held. */
  let last: Readonly<Record<string, unknown>> | null = null;
  /** The policy in force as text, to notice a change; undefined while none that is known holds. */
  let text: string | undefined;

  const take = (next: InForce, policy: unknown) => {
    inForce = next;
    text = JSON.stringify(policy);
    parts.apply(next);
    return next;
  };

  /** Nothing is offered before the first good policy: what an administrator meant to exclude must not be. */
  const nothing: InForce = { ...asBuilt, providers: [], managed: { by: null } };

  const refuse = (problems: readonly string[]) => {
    const [problem = ''] = problems;
    const before = inForce ?? nothing;
    if (before.problem === problem) return;
    // A return to the former policy is a change too: the problem is gone.
    take({ ...before, problem }, undefined);
    journal.note({ what: 'policy', result: 'refused' });
    parts.warn(problems);
  };

  const adopt = async (policy: Readonly<Record<string, unknown>> | null) => {
    if (JSON.stringify(policy) === text) return;
    const reading = policy === null ? null : parts.read(policy);
    if (reading?.outcome === 'refused') return refuse(reading.problems);
    const isFirst = inForce === null;
    take(reading === null ? asBuilt : toInForce(reading.policy), policy);
    if (!isFirst || policy !== null)
      journal.note({ what: 'policy', result: policy === null ? 'none' : 'applied' });
    // If this fails, the policy holds all the same, and the next worker waits for it again.
    const former = last ?? undefined;
    await item.write({ version: 1, policy, ...(former && { former }) }).catch(() => undefined);
    if (policy !== null) last = policy;
  };

  const judge = async (answer: ManagedAnswer) => {
    if (answer.status === 'present') await adopt(answer.policy);
    else if (answer.status === 'absent') await adopt(null);
    // Not remembered, so that a later answer is, or else the next worker asks again.
    else if (inForce === null) take(asBuilt, undefined);
  };

  /** Compares the policy in force with the browser's answer, one comparison at a time. */
  const compare = (ask: () => Promise<ManagedAnswer>) =>
    queue(async () => {
      const before = inForce;
      await judge(await ask());
      if (inForce !== before) parts.onChanged();
    });

  const begin = singleFlight(async (): Promise<InForce> => {
    if (inForce !== null) return inForce;
    if (managed === null) return take(asBuilt, null);
    const remembered = await item.read();
    if (remembered === null) {
      const answer = await managed.settleFirst();
      await judge(answer);
      if (answer.status === 'unknown') void compare(managed.read);
    } else {
      last = remembered.policy ?? remembered.former ?? null;
      const former = remembered.former && parts.read(remembered.former);
      if (former?.outcome === 'read') parts.remember(former.policy.providers);
      recall(remembered.policy);
      // A browser that starts may not know the policy yet.
      void compare(remembered.policy === null ? managed.read : managed.settle);
    }
    return inForce ?? nothing;
  });

  /** Takes over the remembered policy. It was good, unless an update has changed what is built in. */
  const recall = (policy: Readonly<Record<string, unknown>> | null) => {
    const reading = policy === null ? null : parts.read(policy);
    if (reading?.outcome === 'refused') refuse(reading.problems);
    else take(reading === null ? asBuilt : toInForce(reading.policy), policy);
  };

  managed?.onChange(() => {
    void begin().then(
      () => compare(managed.read),
      // The next call of `ready` tries again.
      () => undefined,
    );
  });
  if (managed === null) take(asBuilt, null);

  return { ready: begin };
}

function toInForce({ managedBy, ...config }: Extract<PolicyReading, { outcome: 'read' }>['policy']): InForce {
  return { ...config, managed: { by: managedBy }, problem: null };
}
