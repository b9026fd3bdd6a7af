// This is the one place that makes sure that no token is lost. Whatever an event does, each token that was held before, or that
// the event has brought, is afterwards held by the session, used up at the provider, a debt, or a debt that is given up. An
// access token that is about to expire may be none of these.

import { isOver, toDebt, withDebts } from './debts.ts';
import { toLastingToken, type Debt, type LastingToken, type WorkerRecord } from './record.ts';

/** The effect of an event, before the tokens that it released are accounted for. */
export interface Change {
  readonly record: WorkerRecord;
  /** A token that has come with the event. */
  readonly brought?: LastingToken | null;
  /** A token that the provider has replaced, refused or revoked. */
  readonly used?: string | null;
  /** Debts that are given up. */
  readonly givenUp?: readonly Debt[];
}

/** The record after a change, with a debt for each token that would be lost. The same record if none would. */
export function conserve(
  before: WorkerRecord,
  { record, brought = null, used = null, givenUp = [] }: Change,
  nowMs: number,
): WorkerRecord {
  const isDebt = ({ token }: LastingToken) => record.debts.some((debt) => debt.token === token);
  const vanished = before.debts.filter((debt) => !isDebt(debt));
  const former = before.session && toLastingToken(before.session);
  const loose = [former, brought]
    .filter((one) => one !== null)
    .filter((one) => !isOver(one, nowMs) && !isDebt(one))
    .map((one) => toDebt(one, nowMs));
  const held = record.session && toLastingToken(record.session);
  // Revoking the token that the session holds would end the session.
  const gone = [used, held?.token, ...givenUp.map(({ token }) => token)];
  return withDebts(
    record,
    [...record.debts, ...vanished, ...loose].filter(({ token }) => !gone.includes(token)),
  );
}
