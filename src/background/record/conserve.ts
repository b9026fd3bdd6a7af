// This is the one place that makes sure that no token is lost. Whatever an event does, each token that was held before, or that
// the event has brought, is afterwards held by the session, used up at the provider, a pending revocation, or a pending revocation that is given up. An
// access token that is about to expire may be none of these.

import { isOver, toPendingRevocation, withPendingRevocations } from './pending-revocations.ts';
import {
  toRevocableToken,
  type PendingRevocation,
  type RevocableToken,
  type WorkerRecord,
} from './record.ts';

/** The effect of an event, before the tokens that it released are accounted for. */
export interface Change {
  readonly record: WorkerRecord;
  /** A token that has come with the event. */
  readonly brought?: RevocableToken | null;
  /** A token that the provider has replaced, refused or revoked. */
  readonly used?: string | null;
  /** Pending revocations that are given up. */
  readonly givenUp?: readonly PendingRevocation[];
}

/** The record after a change, with a pending revocation for each token that would be lost. The same record if none would. */
export function conserve(
  before: WorkerRecord,
  { record, brought = null, used = null, givenUp = [] }: Change,
  nowMs: number,
): WorkerRecord {
  const isDebt = ({ token }: RevocableToken) =>
    record.pendingRevocations.some((pending) => pending.token === token);
  const vanished = before.pendingRevocations.filter((pending) => !isDebt(pending));
  const former = before.session && toRevocableToken(before.session);
  const loose = [former, brought]
    .filter((one) => one !== null)
    .filter((one) => !isOver(one, nowMs) && !isDebt(one))
    .map((one) => toPendingRevocation(one, nowMs));
  const held = record.session && toRevocableToken(record.session);
  // Revoking the token that the session holds would end the session.
  const gone = [used, held?.token, ...givenUp.map(({ token }) => token)];
  return withPendingRevocations(
    record,
    [...record.pendingRevocations, ...vanished, ...loose].filter(({ token }) => !gone.includes(token)),
  );
}
