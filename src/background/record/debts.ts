// The tokens that must be revoked: when their turn comes, and when they are given up.

import { mayShareGrant, type Debt, type LastingToken, type WorkerRecord } from './record.ts';

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

export function toDebt(token: LastingToken, nowMs: number): Debt {
  return { ...token, queuedAtMs: nowMs, payableSinceMs: null, tries: 0 };
}

/** Whether a token ends by itself so soon that it need not be revoked. */
export function isOver({ expiresAtMs }: LastingToken, nowMs: number): boolean {
  return nowMs >= (expiresAtMs ?? Infinity) - soonMs;
}

/** The debts that can be sent now, newest first, because those matter most. */
export function dueDebts({ debts }: WorkerRecord): readonly Debt[] {
  return newestFirst(debts.filter(({ payableSinceMs }) => payableSinceMs !== null));
}

/** Lets each debt wait while the session may share its grant, and counts its time from the end of the wait. */
export function settleDebts(record: WorkerRecord, nowMs: number): WorkerRecord {
  const { session, debts } = record;
  const settled = debts.map((debt) => {
    const payableSinceMs = mayShareGrant(debt, session) ? null : (debt.payableSinceMs ?? nowMs);
    return payableSinceMs === debt.payableSinceMs ? debt : { ...debt, payableSinceMs };
  });
  return withDebts(record, settled);
}

/** The record with these debts; the same record if it has them already. */
export function withDebts(record: WorkerRecord, debts: readonly Debt[]): WorkerRecord {
  const isSame = debts.length === record.debts.length && debts.every((debt, at) => debt === record.debts[at]);
  return isSame ? record : { ...record, debts };
}

/** The debts that are given up now. One that can be sent and still works is tried at least once. */
export function findGivenUp({ debts }: WorkerRecord, nowMs: number): readonly Debt[] {
  const waiting = newestFirst(debts.filter(({ payableSinceMs }) => payableSinceMs === null));
  const tooMany = waiting.slice(maxWaiting);
  return debts.filter((debt) => {
    if (isOver(debt, nowMs)) return true;
    const { payableSinceMs, tries } = debt;
    if (payableSinceMs === null) return tooMany.includes(debt);
    return tries > 0 && (tries >= maxTries || Math.abs(nowMs - payableSinceMs) >= maxAgeMs);
  });
}

function newestFirst(debts: readonly Debt[]): readonly Debt[] {
  return debts.toReversed().toSorted((one, other) => other.queuedAtMs - one.queuedAtMs);
}
