// Random walks through the step: the record's rules hold after any events in any order. To check them, the walk keeps its own
// simple account of the tokens.

import { describe, expect, test } from 'vitest';
import { findGivenUp, type GiveUpReason } from '../../../src/background/record/debts.ts';
import { parseRecord, serializeRecord } from '../../../src/background/record/parse.ts';
import {
  emptyRecord,
  mayShareGrant,
  toLastingToken,
  type LastingToken,
  type SignedIn,
  type WorkerRecord,
} from '../../../src/background/record/record.ts';
import {
  step,
  toLeftOver,
  type RecordEvent,
  type RevocationResult,
} from '../../../src/background/record/step.ts';
import { isLong } from '../../support/extent.ts';
import { randomNumbers } from '../../support/explorer/gates.ts';
import { readSeed } from '../../support/seed.ts';

const steps = isLong ? 3_000_000 : 50_000;
/** A walk begins anew after so many steps, with nothing. */
const walkLength = 1_000;

const hourMs = 60 * 60 * 1000;

const results = ['done', 'refused', 'unsupported', 'nobody-to-ask', 'failed', 'unsent'] as const;
const isFinal = (result: RevocationResult) => result !== 'failed' && result !== 'unsent';

/** Everything that the walks have met: pairs of an event and a state, and reasons to give up. */
type Met = Set<string>;

class Walk {
  record: WorkerRecord = emptyRecord;
  nowMs = 1_800_000_000_000;
  /** The tokens that the record must account for, and when each ends by itself. */
  readonly owed = new Map<string, number>();
  /** Sessions of the past, whose late results may still come. */
  readonly past: SignedIn[] = [];
  private readonly random: () => number;
  private readonly met: Met;
  private tokens = 0;
  private sessions = 0;

  /** How often the session changes. In one that lasts, replaced tokens pile up. */
  private readonly unrest: number;

  constructor(random: () => number, met: Met) {
    this.random = random;
    this.unrest = this.pick([0.002, 0.1]);
    this.met = met;
  }

  /** Takes one step, and returns the rules that it breaks. */
  next(): readonly string[] {
    this.letTimePass();
    const event = this.chooseEvent();
    const before = this.record;
    const after = step(before, event, this.nowMs);
    this.account(event, before, after);
    this.meet(event, before, after);
    this.record = after;
    return [...this.check(event, before, after)].map((broken) => `${broken}, after ${JSON.stringify(event)}`);
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)]!;
  }

  /** Clocks also go back. */
  private letTimePass(): void {
    const pace = this.random();
    if (pace < 0.02) this.nowMs -= this.pick([1, 30]) * hourMs;
    else if (pace < 0.1) this.nowMs += this.pick([1, 12, 30]) * hourMs;
    else if (pace < 0.7) this.nowMs += 1_000;
  }

  private newToken(): string {
    return `token-${(this.tokens += 1)}`;
  }

  private tokenSet(): SignedIn['tokens'] {
    const kind = this.random();
    const expiresAtMs = this.nowMs + this.pick([hourMs / 60, hourMs, 24 * hourMs]);
    // Some providers repeat the refresh token that they have issued before.
    const refreshToken =
      kind < 0.05 ? (this.record.session?.tokens.refreshToken ?? null) : kind < 0.85 ? this.newToken() : null;
    if (kind > 0.97) return { type: 'id_token', idToken: 'id', expiresAtMs, refreshToken: null };
    const idToken = this.chance(0.8) ? 'id' : null;
    return { type: 'Bearer', accessToken: this.newToken(), expiresAtMs, refreshToken, idToken };
  }

  private newSession(): SignedIn {
    return {
      id: `session-${(this.sessions += 1)}`,
      generation: 1,
      issuer: this.pick(['https://one.example', 'https://two.example']),
      clientId: this.pick(['client', 'other-client']),
      profile: {
        providerId: 'provider',
        subject: this.pick(['ada', 'grace']),
        name: null,
        email: null,
        emailVerified: false,
        picture: null,
      },
      startedAtMs: this.nowMs,
      authenticatedAtMs: this.nowMs,
      tokens: this.tokenSet(),
      originalClaims: null,
      additionalScope: '',
      renewalSentAtMs: null,
      silentTriedAtMs: null,
      pause: null,
      userInfoDueMs: null,
      dpopKey: this.chance(0.2) ? 'dpop:1' : null,
    };
  }

  /** The present session, or one of the past. */
  private cause(): SignedIn {
    const { session } = this.record;
    if (session !== null && this.chance(0.8)) return session;
    return this.past.length === 0 ? this.newSession() : this.pick(this.past);
  }

  private strayToken(): LastingToken {
    const { issuer, clientId, profile } = this.newSession();
    return {
      providerId: profile.providerId,
      issuer,
      clientId: this.chance(0.8) ? clientId : null,
      subject: this.chance(0.7) ? profile.subject : null,
      token: this.newToken(),
      ...(this.chance(0.2) && { expiresAtMs: this.nowMs + hourMs }),
    };
  }

  /** A debt, or a token that is no longer one. */
  private someToken(): string {
    const { debts } = this.record;
    const [first] = debts;
    if (first !== undefined && this.chance(0.4)) return first.token;
    return debts.length > 0 && this.chance(0.9)
      ? this.pick(debts).token
      : `token-${1 + Math.floor(this.random() * this.tokens)}`;
  }

  private chooseEvent(): RecordEvent {
    const former = this.chance(this.unrest < 0.01 ? 0.1 : 0.7) ? 'used' : 'works';
    const kind = this.random();
    if (kind < this.unrest) return { type: 'granted', session: this.newSession() };
    if (kind < 0.35) {
      const { authenticatedAtMs, originalClaims, dpopKey } = this.newSession();
      const renewed = { tokens: this.tokenSet(), authenticatedAtMs, originalClaims, dpopKey };
      return { type: 'renewed', cause: this.cause(), renewed, former };
    }
    if (kind < 0.42) {
      if (this.chance(0.5)) {
        return { type: 'renewal-tried', cause: this.cause(), tried: { renewalSentAtMs: this.nowMs } };
      }
      const request = this.pick(['unsent', 'unanswered', 'answered'] as const);
      const code = this.pick(['offline', 'provider-unreachable', 'timed-out'] as const);
      const retryAfterMs = this.pick([0, 0, 1, hourMs, 30 * hourMs]);
      return { type: 'renewal-failed', cause: this.cause(), failure: { code, request, retryAfterMs } };
    }
    if (kind < 0.48) {
      const cause = this.cause();
      if (this.chance(0.5)) return { type: 'user-info-asked', cause, nextAtMs: this.nowMs + hourMs };
      return { type: 'person-completed', cause, profile: { ...cause.profile, name: 'A name' } };
    }
    if (kind < 0.48 + this.unrest / 2) return { type: 'ended', cause: this.cause(), former };
    if (kind < 0.48 + this.unrest) return { type: 'signed-out', by: this.pick(['person', 'configuration']) };
    if (kind < 0.62) return { type: 'token-left-over', token: this.strayToken() };
    if (kind < 0.72) return { type: 'revocation-sent', token: this.someToken() };
    if (kind < 0.8) {
      return { type: 'revocation-answered', token: this.someToken(), result: this.pick(results) };
    }
    if (kind < 0.83) return this.chance(0.7) ? this.code() : { type: 'code-ended' };
    return { type: 'looked' };
  }

  private code(): RecordEvent {
    const { issuer, clientId, startedAtMs } = this.newSession();
    const shown = { userCode: 'ABCD', verificationUri: issuer, expiresAtMs: startedAtMs + hourMs };
    const grant = { shown, deviceCode: this.newToken(), intervalSeconds: 5 };
    return {
      type: 'code-shown',
      codeSignIn: { providerId: 'provider', issuer, clientId, startedAtMs, grant, additionalScope: null },
    };
  }

  /** Updates the walk's own account: tokens that came, that the provider used up, and that may be given up. */
  private account(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    const isPresent = 'cause' in event && isSame(before.session, event.cause);
    if (before.session !== null && after.session?.id !== before.session.id) this.past.push(before.session);
    if (event.type === 'granted') this.owe(toLastingToken(event.session));
    if (event.type === 'token-left-over') this.owe(event.token);
    if (event.type === 'renewed') {
      // An access token that was renewed was about to end, or was refused.
      const isShort = before.session !== null && toLastingToken(before.session)?.expiresAtMs !== undefined;
      if (isPresent && (isShort || event.former === 'used')) this.forget(before.session);
      this.owe(toLastingToken({ ...event.cause, ...event.renewed }));
    }
    if (event.type === 'ended' && isPresent && event.former === 'used') this.forget(before.session);
    if (event.type === 'revocation-answered' && isFinal(event.result)) {
      if (!isHeld(before, event.token)) this.owed.delete(event.token);
    }
    if (event.type === 'looked') {
      for (const { token } of findGivenUp(before, this.nowMs).keys()) this.owed.delete(token);
    }
    // Nothing need be done about a token that has ended by itself, or is about to.
    for (const [token, endsAtMs] of this.owed) {
      const isKept = isHeld(after, token) || after.debts.some((debt) => debt.token === token);
      if (!isKept && this.nowMs >= endsAtMs - 5 * 60_000) this.owed.delete(token);
    }
  }

  private owe(token: LastingToken | null): void {
    if (token !== null) this.owed.set(token.token, token.expiresAtMs ?? Infinity);
  }

  private forget(session: SignedIn | null): void {
    const token = session && toLastingToken(session);
    if (token !== null) this.owed.delete(token.token);
  }

  private meet(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    const cause = 'cause' in event ? (isSame(before.session, event.cause) ? 'present' : 'past') : 'none';
    const held = before.session === null ? 'signed out' : 'signed in';
    this.met.add(`${event.type}, cause: ${cause}, ${held}`);
    if (event.type !== 'looked') return;
    for (const [debt, reason] of findGivenUp(before, this.nowMs)) {
      if (!after.debts.includes(debt)) this.met.add(reason);
    }
  }

  private *check(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): Generator<string> {
    const held = after.session && (toLastingToken(after.session)?.token ?? null);
    const debts = new Set(after.debts.map(({ token }) => token));
    for (const token of this.owed.keys()) if (token !== held && !debts.has(token)) yield `${token} is lost`;
    for (const token of debts) if (!this.owed.has(token)) yield `${token} is a debt without a reason`;
    if (held !== null && debts.has(held)) yield `the held ${held} is a debt`;
    if (debts.size < after.debts.length) yield 'a token is a debt twice';
    for (const debt of after.debts) {
      if ((debt.payableSinceMs === null) !== mayShareGrant(debt, after.session)) {
        yield `${debt.token} waits although it may be sent, or may be sent although it has to wait`;
      }
      if (debt.tries < 0) yield `${debt.token} was tried less than never`;
    }
    for (const debt of before.debts) {
      const isGone = event.type === 'looked' && !debts.has(debt.token);
      const endsAtMs = debt.expiresAtMs ?? Infinity;
      if (isGone && this.nowMs < endsAtMs - 5 * 60_000 && debt.tries === 0 && debt.payableSinceMs !== null)
        yield `${debt.token} was never tried`;
    }
    if ('cause' in event && before.session?.id !== event.cause.id && after.session !== before.session) {
      yield 'a late result has changed the session';
    }
    if (event.type === 'signed-out' && after.session !== null) yield 'the session outlives a sign-out';
    const endsCode = event.type === 'code-ended' || event.type === 'granted';
    if (endsCode && after !== before && after.codeSignIn !== null) yield 'a code outlives its sign-in';
    if (event.type === 'signed-out' && event.by === 'person' && after.codeSignIn !== null)
      yield 'a code outlives a sign-out';
    const isForgotten = before.isSignedOutOnPurpose && !after.isSignedOutOnPurpose;
    if (isForgotten && event.type !== 'granted') yield 'a sign-out is forgotten';
    if (after.isSignedOutOnPurpose && after.session !== null)
      yield 'the person is signed in although they have signed out';
    const { pause = null } = after.session ?? {};
    const isNew = pause !== null && pause !== before.session?.pause;
    if (isNew && pause.untilMs !== this.nowMs + pause.lengthMs) yield 'a pause does not begin now';
    if (isNew && (pause.lengthMs < 10_000 || pause.lengthMs > hourMs)) yield 'a pause is too short or long';
    const again = step(after, event, this.nowMs);
    // An event is told again if its write may or may not have succeeded.
    const isCounted = event.type === 'revocation-sent' || event.type === 'revocation-answered';
    if (again.session !== after.session) {
      yield 'the event changes the session twice';
    }
    if (!isCounted && again.debts.length !== after.debts.length) yield 'the event brings its token twice';
    if (after !== before && isEqual(after, before)) yield 'the same record is another object';
  }
}

/** Whether two records say the same. Most parts are the same object, so few are compared. */
function isEqual(one: WorkerRecord, other: WorkerRecord): boolean {
  const isSamePart = (part: unknown, same: unknown) =>
    part === same || JSON.stringify(part) === JSON.stringify(same);
  return (
    one.debts.length === other.debts.length &&
    one.isSignedOutOnPurpose === other.isSignedOutOnPurpose &&
    isSamePart(one.session, other.session) &&
    isSamePart(one.codeSignIn, other.codeSignIn) &&
    one.debts.every((debt, index) => isSamePart(debt, other.debts[index]))
  );
}

function isHeld({ session }: WorkerRecord, token: string): boolean {
  return session !== null && toLastingToken(session)?.token === token;
}

function isSame(session: SignedIn | null, { id, generation }: Pick<SignedIn, 'id' | 'generation'>): boolean {
  return session?.id === id && session.generation === generation;
}

const causes = [
  'renewed',
  'renewal-tried',
  'renewal-failed',
  'user-info-asked',
  'person-completed',
  'ended',
].flatMap((type) => [
  `${type}, cause: present, signed in`,
  `${type}, cause: past, signed in`,
  `${type}, cause: past, signed out`,
]);
const others = [
  'granted',
  'signed-out',
  'code-shown',
  'code-ended',
  'token-left-over',
  'revocation-sent',
  'revocation-answered',
  'looked',
].flatMap((type) => ['signed out', 'signed in'].map((held) => `${type}, cause: none, ${held}`));
const reasons: readonly GiveUpReason[] = ['expired', 'too-many-wait', 'tried-too-often', 'too-old'];

test(
  'whatever happens to the record, no token is lost, and nothing late changes the session',
  () => {
    const seed = readSeed();
    const random = randomNumbers(seed);
    const met: Met = new Set();
    let walk = new Walk(random, met);
    for (let taken = 0; taken < steps; taken += 1) {
      if (taken % walkLength === 0) walk = new Walk(random, met);
      const broken = walk.next();
      if (broken.length > 0) expect.fail(`seed ${seed}, step ${taken}: ${broken.join('; ')}`);
      if (taken % 100 === 0) {
        const { isSignedOutOnPurpose } = walk.record;
        const sealed: unknown = JSON.parse(JSON.stringify(serializeRecord(walk.record)));
        expect({ ...parseRecord(sealed), isSignedOutOnPurpose }).toEqual(walk.record);
      }
    }
    expect([...met].toSorted()).toEqual([...causes, ...others, ...reasons].toSorted());
  },
  isLong ? 600_000 : 60_000,
);

const session: SignedIn = {
  id: 'session',
  generation: 1,
  issuer: 'https://provider.example',
  clientId: 'client',
  profile: {
    providerId: 'provider',
    subject: 'ada',
    name: null,
    email: null,
    emailVerified: false,
    picture: null,
  },
  startedAtMs: 0,
  authenticatedAtMs: 0,
  tokens: { type: 'Bearer', accessToken: 'access', expiresAtMs: 1, refreshToken: 'refresh', idToken: null },
  originalClaims: null,
  additionalScope: '',
  renewalSentAtMs: null,
  silentTriedAtMs: null,
  pause: null,
  userInfoDueMs: null,
  dpopKey: null,
};

test('access tokens that are renewed without a refresh token leave no debts, and the last one is a debt at the end', () => {
  const toTokens = (accessToken: string, nowMs: number) =>
    ({
      type: 'Bearer',
      accessToken,
      expiresAtMs: nowMs + hourMs,
      refreshToken: null,
      idToken: 'id',
    }) as const;
  const first = { ...session, tokens: toTokens('access-0', 0) };
  let record = step(emptyRecord, { type: 'granted', session: first }, 0);
  for (let count = 1; count <= 30; count += 1) {
    const renewed = { ...first, tokens: toTokens(`access-${count}`, count) };
    record = step(record, { type: 'renewed', cause: record.session!, renewed, former: 'works' }, count);
  }
  expect(record.debts).toEqual([]);
  const { debts } = step(record, { type: 'signed-out', by: 'person' }, 40);
  expect(debts).toMatchObject([{ token: 'access-30', expiresAtMs: 30 + hourMs, payableSinceMs: 40 }]);
});

test.each([
  ['nothing was sent', 'unsent', null],
  ['the provider has answered', 'answered', null],
  ['no answer has come', 'unanswered', 7],
] as const)('after a renewal that failed, the note that the token was sent: %s', (_title, request, left) => {
  const sent = { type: 'renewal-tried', cause: session, tried: { renewalSentAtMs: 7 } } as const;
  const failure = { code: 'timed-out', request, retryAfterMs: 0 } as const;
  const failed = { type: 'renewal-failed', cause: session, failure } as const;
  const noted = step(step({ ...emptyRecord, session }, sent, 8), failed, 8);
  expect(noted.session?.renewalSentAtMs).toBe(left);
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
    { type: 'ended', cause: session, former: 'works' },
    { type: 'signed-out', by: 'person' },
    { type: 'token-left-over', token: toLastingToken(session)! },
    { type: 'revocation-answered', token: 'refresh', result: 'done' },
    {
      type: 'renewal-failed',
      cause: session,
      failure: { code: 'storage-failed', request: 'unsent', retryAfterMs: 0 },
    },
  ])('is told again if it was $type', (event) => {
    expect(toLeftOver(event)).toBe(event);
  });

  test.each<RecordEvent>([
    { type: 'renewal-tried', cause: session, tried: { renewalSentAtMs: 1 } },
    { type: 'user-info-asked', cause: session, nextAtMs: 1 },
    { type: 'person-completed', cause: session, profile: session.profile },
    { type: 'looked' },
  ])('is forgotten if it was $type', (event) => {
    expect(toLeftOver(event)).toBeNull();
  });
});
