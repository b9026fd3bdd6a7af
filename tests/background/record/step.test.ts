// The step event by event: what a reader should know of it. A million random events are in walk.test.ts.

import { describe, expect, test } from 'vitest';
import {
  emptyRecord,
  type PendingRevocation,
  type RecordEvent,
} from '../../../src/background/record/record.ts';
import {
  conserve,
  findRevocable,
  step,
  toLeftOver,
  toRevocableToken,
} from '../../../src/background/record/step.ts';
import { codeSignIn, toSession } from '../../support/stored-session.ts';
import { problem } from '../../../src/session/problem.ts';

const session = toSession();

test('the newest of the pending revocations that can be sent is the first, also among those of one moment', () => {
  const toDebt = (token: string, queuedAtMs: number, revocableSinceMs: number | null): PendingRevocation => {
    const owner = { providerId: 'provider', issuer: 'https://other.example', clientId: null, subject: null };
    return { ...owner, token, queuedAtMs, revocableSinceMs, tries: 0 };
  };
  const pendingRevocations = [
    toDebt('old', 1, 5),
    toDebt('new', 3, 5),
    toDebt('newest', 3, 5),
    toDebt('waits', 4, null),
  ];
  const due = findRevocable({ ...emptyRecord, pendingRevocations });
  expect(due.map(({ token }) => token)).toEqual(['newest', 'new', 'old']);
});

test('a pending revocation is given up after its fifth try', () => {
  const ended = step({ ...emptyRecord, session }, { type: 'signed-out', by: 'user' }, 7);
  const tried = (tries: number) => ({
    ...ended,
    pendingRevocations: ended.pendingRevocations.map((pending) => ({ ...pending, tries })),
  });
  expect(step(tried(4), { type: 'revocations-checked' }, 8).pendingRevocations).toHaveLength(1);
  expect(step(tried(5), { type: 'revocations-checked' }, 8).pendingRevocations).toEqual([]);
});

test('a session keeps the grants of its forty newest APIs', () => {
  const grants = Array.from({ length: 41 }, (_grant, at) => ({
    key: `api ${at}`,
    additionalScope: '',
    token: null,
    pause: null,
  }));
  const failure = { problem: problem('denied'), request: 'answered', retryAfterMs: 0 } as const;
  const record = { ...emptyRecord, session: { ...session, apis: grants.slice(0, 40) } };
  const after = step(record, { type: 'api-failed', cause: record.session, key: 'api 40', failure }, 7);
  expect(after.session?.apis.map(({ key }) => key)).toEqual(grants.slice(1).map(({ key }) => key));
});

test.each([
  ['unsent', 3],
  ['unanswered', 5],
  ['answered', 3],
] as const)(
  'after a request that was %s, the last one without an answer is that of %i',
  (request, sentAtMs) => {
    const before = { ...session, renewalSentAtMs: 3 };
    const record = { ...emptyRecord, session: { ...session, renewalSentAtMs: 5 } };
    const failure = { problem: problem('timed-out'), request, retryAfterMs: 0 };
    const events: readonly RecordEvent[] = [
      { type: 'renewal-failed', cause: before, failure },
      { type: 'api-failed', cause: before, key: 'pay', failure },
    ];
    for (const event of events) expect(step(record, event, 7).session?.renewalSentAtMs).toBe(sentAtMs);
  },
);

test('a pending revocation that an event leaves out is a pending revocation still', () => {
  const record = step({ ...emptyRecord, session }, { type: 'signed-out', by: 'user' }, 7);
  expect(conserve(record, { record: { ...record, pendingRevocations: [] } }, 8).pendingRevocations).toEqual(
    record.pendingRevocations,
  );
});

describe('an event that could not be stored', () => {
  test('leaves the token of a sign-in, of which the user was told that it has failed', () => {
    const leftOver = toLeftOver({ type: 'granted', session });
    const record = step(emptyRecord, leftOver!, 5);
    expect(record).toMatchObject({
      session: null,
      pendingRevocations: [{ token: 'refresh', revocableSinceMs: 5 }],
    });
  });

  test('leaves nothing of a sign-in without a token that lasts', () => {
    const tokens = { type: 'id_token', idToken: 'id', expiresAtMs: 1, refreshToken: null } as const;
    expect(toLeftOver({ type: 'granted', session: { ...session, tokens } })).toBeNull();
  });

  const kept: readonly RecordEvent[] = [
    { type: 'renewed', cause: session, renewed: session, former: 'used' },
    { type: 'ended', cause: session, former: 'works', problem: problem('expired') },
    { type: 'signed-out', by: 'user' },
    { type: 'token-left-over', token: toRevocableToken(session)! },
    { type: 'revocation-answered', token: 'refresh', result: 'done' },
    { type: 'revocation-sent', token: 'refresh' },
    { type: 'code-ended' },
    {
      type: 'renewal-failed',
      cause: session,
      failure: { problem: problem('storage-failed'), request: 'unsent', retryAfterMs: 0 },
    },
  ];
  const forgotten: readonly RecordEvent[] = [
    { type: 'renewal-tried', cause: session, tried: { renewalSentAtMs: 1 } },
    { type: 'user-info-asked', cause: session, nextAtMs: 1 },
    { type: 'profile-completed', cause: session, profile: session.profile },
    { type: 'revocations-checked' },
    { type: 'code-shown', codeSignIn },
  ];
  test.each([...kept, ...forgotten])(
    'is told again if it was $type, unless nothing is lost with it',
    (event) => {
      expect(toLeftOver(event)).toBe(forgotten.includes(event) ? null : event);
    },
  );
});
