// The tokens that must be revoked: when their turn comes, and when they are given up.

import { mayShareGrant, type PendingRevocation, type RevocableToken, type WorkerRecord } from './record.ts';

/**
 * A session that is renewed silently for years replaces many tokens of its own. They wait for the session's end, and only
 * the newest are kept; by then the others have long expired.
 */
const maxWaiting = 20;
/** A token that couldn't be revoked in this time is given up. */
const maxAgeMs = 24 * 60 * 60 * 1000;
const maxTries = 5;
/** An access token that ends this soon isn't worth a request. */
const soonMs = 5 * 60 * 1000;

export function toPendingRevocation(token: RevocableToken, nowMs: number): PendingRevocation {
  return { ...token, queuedAtMs: nowMs, revocableSinceMs: null, tries: 0 };
}

/** Whether a token ends by itself so soon that it need not be revoked. */
export function isOver({ expiresAtMs }: RevocableToken, nowMs: number): boolean {
  return nowMs >= (expiresAtMs ?? Infinity) - soonMs;
}

/** The pending revocations that can be sent now, newest first, because those matter most. */
export function findRevocable({ pendingRevocations }: WorkerRecord): readonly PendingRevocation[] {
  return newestFirst(pendingRevocations.filter(({ revocableSinceMs }) => revocableSinceMs !== null));
}

/** Lets each pending revocation wait while the session may share its grant, and counts its time from the end of the wait. */
export function markRevocable(record: WorkerRecord, nowMs: number): WorkerRecord {
  const { session, pendingRevocations } = record;
  const settled = pendingRevocations.map((pending) => {
    const revocableSinceMs = mayShareGrant(pending, session) ? null : (pending.revocableSinceMs ?? nowMs);
    return revocableSinceMs === pending.revocableSinceMs ? pending : { ...pending, revocableSinceMs };
  });
  return withPendingRevocations(record, settled);
}

/** The record with these pending revocations; the same record if it has them already. */
export function withPendingRevocations(
  record: WorkerRecord,
  pendingRevocations: readonly PendingRevocation[],
): WorkerRecord {
  const isSame =
    pendingRevocations.length === record.pendingRevocations.length &&
    pendingRevocations.every((pending, at) => pending === record.pendingRevocations[at]);
  return isSame ? record : { ...record, pendingRevocations };
}

/** The pending revocations that are given up now. One that can be sent and still works is tried at least once. */
export function findGivenUp(
  { pendingRevocations }: WorkerRecord,
  nowMs: number,
): readonly PendingRevocation[] {
  const waiting = newestFirst(pendingRevocations.filter(({ revocableSinceMs }) => revocableSinceMs === null));
  const tooMany = waiting.slice(maxWaiting);
  return pendingRevocations.filter((pending) => {
    if (isOver(pending, nowMs)) return true;
    const { revocableSinceMs, tries } = pending;
    if (revocableSinceMs === null) return tooMany.includes(pending);
    return tries > 0 && (tries >= maxTries || Math.abs(nowMs - revocableSinceMs) >= maxAgeMs);
  });
}

function newestFirst(pendingRevocations: readonly PendingRevocation[]): readonly PendingRevocation[] {
  return pendingRevocations.toReversed().toSorted((one, other) => other.queuedAtMs - one.queuedAtMs);
}
