// The step event by event: what a reader should know of it. A million random events are in walk.test.ts.

import { describe, expect, test } from 'vitest';
import {
  failingSinceMs,
  pauseAfter,
  shortWaitMs,
  type Failure,
  type Pause,
} from '../../../src/background/record/pause.ts';
import {
  emptyRecord,
  type PendingRevocation,
  type RecordEvent,
  type RevocationResult,
  type StoredSession,
  type Tried,
  type WorkerRecord,
} from '../../../src/background/record/record.ts';
import { conserve, findRevocable } from '../../../src/background/record/revocable.ts';
import { step } from '../../../src/background/record/step.ts';
import type { AccessTokenSet } from '../../../src/oidc/tokens.ts';
import type { ProblemCode } from '../../../src/session/problem.ts';
import { codeSignIn, toSession } from '../../support/stored-session.ts';
import { problem } from '../../../src/session/problem.ts';

const dayMs = 24 * 60 * 60_000;

const session = toSession();
const signedIn: WorkerRecord = { ...emptyRecord, session };

const toPending = (token: string, change: Partial<PendingRevocation> = {}): PendingRevocation => ({
  providerId: 'demo',
  issuer: 'https://other.example',
  clientId: null,
  subject: null,
  token,
  queuedAtMs: 1,
  revocableSinceMs: 1,
  firstSentAtMs: null,
  pause: null,
  ...change,
});
const toRecord = (...pendingRevocations: readonly PendingRevocation[]): WorkerRecord => ({
  ...emptyRecord,
  pendingRevocations,
});
const toTokens = (record: WorkerRecord) => record.pendingRevocations.map(({ token }) => token);
const checked = { type: 'revocations-checked' } as const;

test('the newest of the pending revocations that can be sent is the first, also among those of one moment', () => {
  const record = toRecord(
    toPending('old', { queuedAtMs: 1 }),
    toPending('new', { queuedAtMs: 3 }),
    toPending('newest', { queuedAtMs: 3 }),
    toPending('waits for its session', { queuedAtMs: 4, revocableSinceMs: null }),
    toPending('waits for the end of a pause', { queuedAtMs: 5, pause: toPause(9, 2) }),
  );
  const due = (nowMs: number) => findRevocable(record, nowMs).map(({ token }) => token);
  expect(due(8)).toEqual(['newest', 'new', 'old']);
  expect(due(9)).toEqual(['waits for the end of a pause', 'newest', 'new', 'old']);
});

describe('a pending revocation', () => {
  const send = (record: WorkerRecord, nowMs: number) =>
    step(record, { type: 'revocation-sent', token: 't' }, nowMs);
  const answer = (
    record: WorkerRecord,
    pending: PendingRevocation,
    result: RevocationResult,
    retryAfterMs = 0,
  ) => step(record, { type: 'revocation-answered', pending, result, retryAfterMs }, 7).pendingRevocations;

  test('pauses longer after each try, and is not given up however often it is tried', () => {
    let record = toRecord(toPending('t'));
    const lengths: unknown[] = [];
    for (let nowMs = 5; lengths.length < 100; nowMs += lengths.at(-1) as number) {
      record = step(send(record, nowMs), checked, nowMs);
      expect(record.pendingRevocations).toMatchObject([
        { firstSentAtMs: 5, pause: { failure: 'provider-unreachable' } },
      ]);
      lengths.push(record.pendingRevocations[0]?.pause?.lengthMs);
    }
    expect(lengths.slice(0, 11).map((lengthMs) => Number(lengthMs) / 1000)).toEqual([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300,
    ]);
  });

  test('is given up a day after the first try, or if the clock is set back by a day, but not before it was tried', () => {
    const isKept = (record: WorkerRecord, nowMs: number) => toTokens(step(record, checked, nowMs)).length > 0;
    const tried = send(toRecord(toPending('t')), 5 * dayMs);
    expect([4 * dayMs, 4 * dayMs + 1, 6 * dayMs - 1, 6 * dayMs].map((ms) => isKept(tried, ms))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(isKept(toRecord(toPending('t')), 1000 * dayMs)).toBe(true);
  });

  test('waits for its session for a year, however many wait', () => {
    const waiting = Array.from({ length: 50 }, (_one, at) =>
      toPending(String(at), { issuer: session.issuer, revocableSinceMs: null }),
    );
    const record = { ...signedIn, pendingRevocations: waiting };
    expect(toTokens(step(record, checked, 365 * dayMs))).toHaveLength(50);
    expect(toTokens(step(record, checked, 365 * dayMs + 1))).toEqual([]);
  });

  test('is as before if the request was not sent', () => {
    const pending = toPending('t', { firstSentAtMs: 2, pause: toPause(4, 1) });
    const record = send(toRecord(pending), 5);
    expect(record.pendingRevocations).not.toEqual([pending]);
    expect(answer(record, pending, 'unsent')).toEqual([pending]);
  });

  test('keeps its pause after a failure, and all that can be sent to the provider keep the pause that it asks for', () => {
    const pending = toPending('t');
    const [another, waiting, elsewhere] = [
      toPending('another', { pause: toPause(9, 1) }),
      toPending('waiting', { issuer: session.issuer, revocableSinceMs: null }),
      toPending('elsewhere', { issuer: 'https://elsewhere.example' }),
    ];
    const record = send({ ...signedIn, pendingRevocations: [pending, another, waiting, elsewhere] }, 5);
    expect(answer(record, pending, 'failed')).toEqual(record.pendingRevocations);
    const pause = { ...toPause(7 + 60_000, 60_000), sinceMs: 7 };
    expect(answer(record, pending, 'failed', 60_000)).toEqual([
      { ...pending, firstSentAtMs: 5, pause },
      { ...another, pause },
      waiting,
      elsewhere,
    ]);
    const own = { ...waiting, revocableSinceMs: 5 };
    expect(answer(record, own, 'failed', 60_000)).toEqual(record.pendingRevocations);
  });

  test.each(['done', 'refused', 'unsupported', 'not-configured'] as const)(
    'is gone once its answer is %s',
    (result) => {
      const [one, other] = [toPending('t'), toPending('other')];
      expect(answer(send(toRecord(one, other), 5), one, result, 60_000)).toEqual([other]);
    },
  );
});

const claims = { audiences: ['client'], authorizedParty: null, nonce: 'of the first', authTimeSeconds: 7 };
const former = toSession({ originalClaims: claims });
const accessAlone: AccessTokenSet = {
  type: 'Bearer',
  accessToken: 'new',
  expiresAtMs: 60 * 60_000,
  refreshToken: null,
  idToken: 'id',
};
const toGranted = (change: Partial<StoredSession> = {}) =>
  toSession({ id: 'session-2', tokens: accessAlone, originalClaims: { ...claims, nonce: 'new' }, ...change });

describe('a session that comes without a refresh token', () => {
  const grant = (granted: StoredSession) =>
    step({ ...emptyRecord, session: former }, { type: 'granted', session: granted }, 7);

  test('keeps the former one and the claims that it came with, and its own token waits for its end', () => {
    const granted = toGranted();
    const record = grant(granted);
    const kept = { ...accessAlone, refreshToken: 'refresh' };
    expect(record.session).toEqual({ ...granted, tokens: kept, originalClaims: claims });
    expect(record.pendingRevocations).toMatchObject([{ token: 'new', revocableSinceMs: null }]);
    expect(toTokens(step(record, { type: 'signed-out', by: 'user' }, 8))).toEqual(['new', 'refresh']);
  });

  const grace = { ...session.profile, subject: 'grace' };
  const idToken = { type: 'id_token', idToken: 'id', expiresAtMs: 9, refreshToken: null } as const;
  test.each<[string, Partial<StoredSession>]>([
    ['of another issuer', { issuer: 'https://other.example' }],
    ['of another client', { clientId: 'another' }],
    ['of another user', { profile: grace }],
    ["of another provider's user", { profile: { ...session.profile, providerId: 'another' } }],
    ['with tokens that are bound to another key', { dpopKey: {} as CryptoKeyPair }],
    ['with an ID token alone', { tokens: idToken }],
    ['with a refresh token of its own', { tokens: { ...accessAlone, refreshToken: 'own' } }],
  ])('%s keeps none', (_how, change) => {
    const granted = toGranted(change);
    const record = grant(granted);
    expect(record.session).toEqual(granted);
    expect(toTokens(record)).toEqual(['refresh']);
  });

  test.each([
    ['works', 'refresh', claims],
    ['used', null, toGranted().originalClaims],
  ] as const)('by a renewal after which the former one %s has %s', (works, refreshToken, originalClaims) => {
    const renewed = toGranted();
    const event = { type: 'renewed', cause: former, renewed, former: works } as const;
    const record = step({ ...emptyRecord, session: former }, event, 7);
    expect(record.session).toMatchObject({ id: 'session-1', generation: 2, originalClaims });
    expect(record.session?.tokens).toEqual({ ...accessAlone, refreshToken });
    expect(toTokens(record)).toEqual(works === 'works' ? ['new'] : []);
  });
});

describe('a sign-in that is withdrawn', () => {
  const withdraw = (record: WorkerRecord, granted: StoredSession, before: WorkerRecord) =>
    step(record, { type: 'grant-withdrawn', session: granted, before }, 8);
  const grace = toGranted({
    profile: { ...session.profile, subject: 'grace' },
    tokens: { ...accessAlone, refreshToken: 'of grace' },
  });

  test('leaves what was before it if it was stored, and its token is revoked', () => {
    const record = step(signedIn, { type: 'granted', session: grace }, 7);
    expect(toTokens(record)).toEqual(['refresh']);
    const after = withdraw(record, grace, signedIn);
    expect(after.session).toBe(session);
    expect(after.pendingRevocations).toMatchObject([{ token: 'of grace', revocableSinceMs: 8 }]);
  });

  test('does so too if it kept the refresh token of the session before it', () => {
    const before = { ...emptyRecord, session: former };
    const record = step(before, { type: 'granted', session: toGranted() }, 7);
    const after = withdraw(record, toGranted(), before);
    expect(after.session).toBe(former);
    expect(after.pendingRevocations).toMatchObject([{ token: 'new', revocableSinceMs: null }]);
  });

  test('leaves a user signed out who was so on purpose', () => {
    const before = { ...emptyRecord, isSignedOutOnPurpose: true };
    const record = step(before, { type: 'granted', session }, 7);
    expect(record.isSignedOutOnPurpose).toBe(false);
    const after = withdraw(record, session, before);
    expect(after).toMatchObject({ session: null, isSignedOutOnPurpose: true });
    expect(toTokens(after)).toEqual(['refresh']);
  });

  test('leaves the token alone if it was not stored, and nothing without a token that lasts', () => {
    const after = withdraw(signedIn, grace, signedIn);
    expect(after.session).toBe(session);
    expect(toTokens(after)).toEqual(['of grace']);
    const tokens = { type: 'id_token', idToken: 'id', expiresAtMs: 9, refreshToken: null } as const;
    expect(withdraw(signedIn, { ...grace, tokens }, signedIn)).toBe(signedIn);
  });
});

test.each<[string, string | null | undefined, boolean]>([
  ['any session', undefined, true],
  ['the session', 'session-1', true],
  ['another session', 'session-0', false],
  ['no session', null, false],
])('a sign-out that means %s ends a session and a code only if that is the one', (_what, id, isEnded) => {
  const record = { ...signedIn, codeSignIn };
  const event: RecordEvent = { type: 'signed-out', by: 'user', ...(id !== undefined && { session: id }) };
  const after = step(record, event, 7);
  if (!isEnded) return expect(after).toBe(record);
  expect(after).toMatchObject({ session: null, codeSignIn: null, isSignedOutOnPurpose: true });
});

test('a refresh token is not sent by a worker that does not know that another one is sending it', () => {
  const record = { ...emptyRecord, session: { ...session, renewalSentAtMs: 5 } };
  const attempt = (sentAtMs: number | null, tried: Tried) =>
    step(record, { type: 'renewal-tried', cause: { ...session, renewalSentAtMs: sentAtMs }, tried }, 7);
  expect(attempt(null, { renewalSentAtMs: 7 })).toBe(record);
  expect(attempt(5, { renewalSentAtMs: 7 }).session?.renewalSentAtMs).toBe(7);
  // These send no refresh token.
  expect(attempt(null, { renewalSentAtMs: null }).session?.renewalSentAtMs).toBeNull();
  expect(attempt(3, { silentTriedAtMs: 7 }).session).toMatchObject({
    renewalSentAtMs: 5,
    silentTriedAtMs: 7,
  });
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

function toPause(untilMs: number, lengthMs: number): Pause {
  return { untilMs, lengthMs, failure: 'provider-unreachable' };
}

describe('a pause', () => {
  const fail = (before: Pause | null, code: ProblemCode, request: Failure['request'], retryAfterMs = 0) =>
    pauseAfter(before, { problem: problem(code), request, retryAfterMs }, 0);

  test.each<[number, ProblemCode, Failure['request'], number]>([
    [1, 'provider-unreachable', 'unanswered', 0],
    [1, 'provider-unreachable', 'answered', 0],
    [10, 'provider-unreachable', 'unsent', 0],
    [10, 'offline', 'unanswered', 0],
    [10, 'provider-misconfigured', 'answered', 0],
    [1, 'provider-unreachable', 'answered', 500],
    [10, 'denied', 'answered', 1_000],
    [60, 'provider-unreachable', 'answered', 60_000],
    [3_600, 'provider-unreachable', 'answered', 7_200_000],
  ])(
    'of %d s follows the first failure if it is %s and was %s (Retry-After: %d ms)',
    (seconds, ...failure) => {
      expect(fail(null, ...failure)).toMatchObject({ untilMs: seconds * 1000, lengthMs: seconds * 1000 });
    },
  );

  test('doubles if the failure comes again, also within the same millisecond', () => {
    const first = fail(null, 'provider-unreachable', 'unanswered');
    expect(fail(first, 'provider-unreachable', 'unanswered').lengthMs).toBe(2_000);
  });

  test('remembers since when requests fail, also through failures without a network', () => {
    const failAt = (before: Pause | null, code: ProblemCode, nowMs: number) =>
      pauseAfter(before, { problem: problem(code), request: 'answered', retryAfterMs: 0 }, nowMs);
    const offline = failAt(null, 'offline', 1_000);
    expect(offline).not.toHaveProperty('sinceMs');
    const first = failAt(offline, 'timed-out', 2_000);
    const again = failAt(failAt(first, 'offline', 3_000), 'response-rejected', 4_000);
    expect([first, again].map(({ sinceMs }) => sinceMs)).toEqual([2_000, 2_000]);
    expect(failingSinceMs(again)).toBeNull();
    expect(failingSinceMs(failAt(again, 'timed-out', 2_000 + 86_400_000))).toBe(2_000);
  });

  test('begins anew with a clock that was set back', () => {
    const before = { ...toPause(9_000_000, 1_000), sinceMs: 8_999_000 };
    expect(
      pauseAfter(before, { problem: problem('timed-out'), request: 'answered', retryAfterMs: 0 }, 5),
    ).toHaveProperty('sinceMs', 5);
  });

  test('is waited for only if it lasts a second', () => {
    const short = toPause(5_000, 1_000);
    expect([3_999, 4_000, 4_300, 4_999, 5_000].map((nowMs) => shortWaitMs(short, nowMs))).toEqual([
      null,
      1_000,
      700,
      1,
      null,
    ]);
    expect(shortWaitMs(toPause(5_000, 1_001), 4_500)).toBeNull();
    expect(shortWaitMs(null, 4_500)).toBeNull();
  });
});
