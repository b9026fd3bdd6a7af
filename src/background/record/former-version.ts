// Reads the storage of versions before the record: a sealed session, and one sealed record for each token to revoke.

import * as v from 'valibot';
import { once } from '../../concurrency/once.ts';
import { withPendingRevocations } from './pending-revocations.ts';
import { number, parse, sessionMembers } from './parse.ts';
import type { PendingRevocation, StoredSession, WorkerRecord } from './record.ts';
import { step } from './step.ts';

const sessionName = 'session';

/** Whether this is the name of one of their records. */
export function isFormerName(name: string): boolean {
  // A code that waits for the user ends soon by itself.
  return name === sessionName || name === 'device-grant' || name.startsWith('revocation:');
}

/** Opened records, by name. */
export type FormerRecords = ReadonlyMap<string, unknown>;

const text = v.string();

const formerSession = once((): v.GenericSchema<unknown, StoredSession> =>
  v.pipe(
    v.object(sessionMembers()),
    v.transform((session) => ({ ...session, dpopKey: null })),
  ),
);

const formerPending = once((): v.GenericSchema<unknown, PendingRevocation> =>
  v.pipe(
    v.object({
      providerId: text,
      issuer: text,
      refreshToken: text,
      tries: number,
      endedAtMs: v.nullable(number),
      // The first version did not store these.
      clientId: v.optional(v.nullable(text), null),
      subject: v.optional(v.nullable(text), null),
      queuedAtMs: v.optional(number, 0),
    }),
    v.transform(({ refreshToken, endedAtMs, ...pending }) => ({
      ...pending,
      token: refreshToken,
      revocableSinceMs: endedAtMs,
    })),
  ),
);

/**
 * The record with what an earlier version has stored. `keys` are the stored keys that tokens are bound to, by name. If there is a
 * record too, that version was installed after this one, so its session is the newer one. What cannot be read is left out.
 */
export function takeOver(
  record: WorkerRecord,
  former: FormerRecords,
  keys: ReadonlyMap<string, CryptoKeyPair>,
  nowMs: number,
): WorkerRecord {
  const session = parse(formerSession(), former.get(sessionName));
  const pendingRevocations = [...former.values()]
    .flatMap((opened) => parse(formerPending(), opened) ?? [])
    .filter(({ token }) => !record.pendingRevocations.some((pending) => pending.token === token));
  const taken = withPendingRevocations(record, [...record.pendingRevocations, ...pendingRevocations]);
  if (session === null) return taken;
  const dpopKey = keys.get(`dpop:${session.id}`) ?? null;
  return step(taken, { type: 'granted', session: { ...session, dpopKey } }, nowMs);
}
