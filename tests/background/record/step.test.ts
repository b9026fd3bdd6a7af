// The step event by event: what a reader should know of it. A million random events are in walk.test.ts.

import { describe, expect, test } from 'vitest';
import { emptyRecord, toLastingToken, type Debt } from '../../../src/background/record/record.ts';
import { conserve } from '../../../src/background/record/conserve.ts';
import { dueDebts } from '../../../src/background/record/debts.ts';
import type { RecordEvent } from '../../../src/background/record/event.ts';
import { step, toLeftOver } from '../../../src/background/record/step.ts';
import { codeSignIn, toSession } from '../../support/stored-session.ts';
import { problem } from '../../../src/session/problem.ts';

const session = toSession();

test('the newest of the debts that can be sent is the first, also among those of one moment', () => {
  const toDebt = (token: string, queuedAtMs: number, payableSinceMs: number | null): Debt => {
    const owner = { providerId: 'provider', issuer: 'https://other.example', clientId: null, subject: null };
    return { ...owner, token, queuedAtMs, payableSinceMs, tries: 0 };
  };
  const debts = [toDebt('old', 1, 5), toDebt('new', 3, 5), toDebt('newest', 3, 5), toDebt('waits', 4, null)];
  const due = dueDebts({ ...emptyRecord, debts });
  expect(due.map(({ token }) => token)).toEqual(['newest', 'new', 'old']);
});

test('a debt that an event leaves out is a debt still', () => {
  const record = step({ ...emptyRecord, session }, { type: 'signed-out', by: 'person' }, 7);
  expect(conserve(record, { record: { ...record, debts: [] } }, 8).debts).toEqual(record.debts);
});

describe('an event that could not be stored', () => {
  test('leaves the token of a sign-in, of which the person was told that it has failed', () => {
    const leftOver = toLeftOver({ type: 'granted', session });
    const record = step(emptyRecord, leftOver!, 5);
    expect(record).toMatchObject({ session: null, debts: [{ token: 'refresh', payableSinceMs: 5 }] });
  });

  test('leaves nothing of a sign-in without a token that lasts', () => {
    const tokens = { type: 'id_token', idToken: 'id', expiresAtMs: 1, refreshToken: null } as const;
    expect(toLeftOver({ type: 'granted', session: { ...session, tokens } })).toBeNull();
  });

  test.each<RecordEvent>([
    { type: 'renewed', cause: session, renewed: session, former: 'used' },
    { type: 'ended', cause: session, former: 'works', problem: problem('expired') },
    { type: 'signed-out', by: 'person' },
    { type: 'token-left-over', token: toLastingToken(session)! },
    { type: 'revocation-answered', token: 'refresh', result: 'done' },
    { type: 'revocation-sent', token: 'refresh' },
    { type: 'code-ended' },
    {
      type: 'renewal-failed',
      cause: session,
      failure: { problem: problem('storage-failed'), request: 'unsent', retryAfterMs: 0 },
    },
  ])('is told again if it was $type', (event) => {
    expect(toLeftOver(event)).toBe(event);
  });

  test.each<RecordEvent>([
    { type: 'renewal-tried', cause: session, tried: { renewalSentAtMs: 1 } },
    { type: 'user-info-asked', cause: session, nextAtMs: 1 },
    { type: 'person-completed', cause: session, profile: session.profile },
    { type: 'looked' },
    { type: 'code-shown', codeSignIn },
  ])('is forgotten if it was $type', (event) => {
    expect(toLeftOver(event)).toBeNull();
  });
});
