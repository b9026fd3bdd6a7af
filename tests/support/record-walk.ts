// A random walk through the step. It has its own rules for what each event may do, so it shares no mistake with the code. Slow
// checks are made at some of the steps, all others at each.

import { isDeepStrictEqual } from 'node:util';
import { isPaused, type Failure, step } from '../../src/background/record/step.ts';
import {
  emptyRecord,
  type PendingRevocation,
  type RevocableToken,
  type StoredSession,
  type WorkerRecord,
  type RecordEvent,
} from '../../src/background/record/record.ts';
import { toSession } from './stored-session.ts';
import { problem } from '../../src/session/problem.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const results = ['done', 'refused', 'unsupported', 'not-configured', 'failed', 'unsent'] as const;
const requests = ['unsent', 'unanswered', 'answered'] as const;
const codes = ['offline', 'provider-unreachable', 'timed-out'] as const;

/** The limits at which something changes. Walks have to come to each of them, and just before and after it. */
const edges = [
  'a pending revocation ends',
  'a pending revocation has been tried for long',
  'a pending revocation was tried much later than now',
  'many pending revocations wait',
  'a pause ends',
  'a pause is from the future',
  'a pause counts no more',
] as const;
type Edge = (typeof edges)[number];

const reasons = ['expired', 'too-many-wait', 'tried-too-often', 'too-old'] as const;
type Reason = (typeof reasons)[number];

/** Walks have to meet each of these. */
export const limits: readonly string[] = [
  ...edges.flatMap((edge) => [-1, 0, 1].map((distance) => `${edge}: ${distance}`)),
  ...reasons.map((reason) => `given up: ${reason}`),
  '4 tries',
  '5 tries',
  'never tried for more than a day',
  'a pause of 10 s',
  'a pause of 5 min',
  'a pause of 1 h',
  ...results.map((result) => `answered: ${result}`),
  ...requests.map((request) => `failed: ${request}`),
  'signed out by user',
  'signed out by configuration',
];

/** The limits and moments that walks have met. */
export class Met {
  readonly limits = new Set<string>();
  /** Each event with the state that it finds: whether a user is signed in, a code is shown, and what the event is about. */
  readonly moments = new Set<string>();
}

/**
 * Eight events are about tokens: those of the session, former ones, or another session's; without a session only the last.
 * Eight are not. Each may find no one signed in, someone, or someone in a pause, with and without a code.
 */
export const allMoments = 8 * 2 * (3 + 3 + 1) + 8 * 2 * 3;

/** How many steps there are between two rounds of the slow checks. */
const sampleEvery = 16;

export class Walk {
  private record: WorkerRecord = emptyRecord;
  private nowMs = 1_800_000_000_000;
  private taken = 0;
  /** Sessions of the past, also with former tokens. Late results for them may still come. */
  private readonly past: StoredSession[] = [];
  /** Events of the past, which may be told again. */
  private readonly told: RecordEvent[] = [];
  /** The rules that this step breaks. */
  private broken: string[] = [];
  private tokens = 0;
  private sessions = 0;
  private readonly random: () => number;
  private readonly met: Met;
  /** How often the session changes. In one that lasts, replaced tokens pile up. */
  private readonly unrest: number;
  /** Above this number of pending revocations, most events are answers of the provider. */
  private readonly patience: number;

  constructor(random: () => number, met: Met) {
    this.random = random;
    this.met = met;
    this.unrest = this.pick([0.002, 0.05]);
    this.patience = this.pick([2, 4, 8, 30]);
  }

  /** Takes one step, and returns the rules that it breaks. */
  next(): readonly string[] {
    this.taken += 1;
    this.letTimePass();
    const event = this.chooseEvent();
    const before = this.record;
    const after = step(before, event, this.nowMs);
    this.record = after;
    this.broken = [];
    this.meet(event, before);
    this.checkTokens(event, before, after);
    this.checkSession(event, before, after);
    if (this.taken % sampleEvery === 0) this.checkSample(event, before, after);
    if (before.session !== null && after.session?.tokens !== before.session.tokens) {
      this.past[this.taken % 16] = before.session;
    }
    this.told[this.taken % 16] = event;
    return this.broken.map((rule) => `${rule}, after ${JSON.stringify(event)}`);
  }

  private meets(limit: string): void {
    this.met.limits.add(limit);
  }

  /** Notes how far beyond a limit something is, if it is near. */
  private near(edge: Edge, distance: number): void {
    if (Math.abs(distance) <= 1) this.meets(`${edge}: ${distance}`);
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)]!;
  }

  /** Clocks also go back. Many steps are taken just before, at and just after a limit. */
  private letTimePass(): void {
    const pace = this.random();
    if (pace < 0.01) this.nowMs -= this.pick([1, 30]) * hourMs;
    else if (pace < 0.05) this.nowMs += this.pick([1, 12, 30]) * hourMs;
    else if (pace < 0.5) this.nowMs += secondMs;
    else if (pace < 0.6) this.nowMs = (this.findLimit() ?? this.nowMs) + this.pick([-1, 0, 1]);
  }

  private findLimit(): number | null {
    const { session, pendingRevocations } = this.record;
    const pause = session?.pause ?? null;
    if (pause !== null && this.chance(0.7)) {
      const { untilMs, lengthMs } = pause;
      return this.pick([untilMs, untilMs, untilMs + 5 * minuteMs, untilMs - lengthMs]);
    }
    const sinceMs = pendingRevocations.find(({ tries }) => tries > 0)?.revocableSinceMs ?? null;
    if (sinceMs !== null && this.chance(0.3)) return sinceMs + this.pick([-dayMs, dayMs, dayMs]);
    const ending = pendingRevocations.find(({ expiresAtMs }) => expiresAtMs !== undefined);
    return ending === undefined ? null : ending.expiresAtMs! - 5 * minuteMs;
  }

  private newToken(): string {
    return `token-${(this.tokens += 1)}`;
  }

  private tokenSet(): StoredSession['tokens'] {
    const kind = this.random();
    const lastsMs = this.pick([0, 10 * secondMs, 20 * secondMs, minuteMs, 5 * minuteMs + 1, hourMs, dayMs]);
    const expiresAtMs = this.nowMs + lastsMs;
    // Some providers repeat the refresh token that they have issued before.
    const refreshToken =
      kind < 0.05 ? (this.record.session?.tokens.refreshToken ?? null) : kind < 0.85 ? this.newToken() : null;
    if (kind > 0.97) return { type: 'id_token', idToken: 'id', expiresAtMs, refreshToken: null };
    const idToken = this.chance(0.8) ? 'id' : null;
    const type = this.pick(['Bearer', 'DPoP'] as const);
    return { type, accessToken: this.newToken(), expiresAtMs, refreshToken, idToken };
  }

  private claims(): StoredSession['originalClaims'] {
    const nonce = `nonce-${this.taken}`;
    return this.chance(0.5)
      ? null
      : { audiences: ['client'], authorizedParty: null, nonce, authTimeSeconds: 7 };
  }

  private newSession(): StoredSession {
    const session = toSession();
    return {
      ...session,
      id: `session-${(this.sessions += 1)}`,
      issuer: this.pick(['https://one.example', 'https://two.example']),
      clientId: this.pick(['client', 'other-client']),
      profile: { ...session.profile, subject: this.pick(['ada', 'grace']) },
      startedAtMs: this.nowMs,
      authenticatedAtMs: this.nowMs,
      tokens: this.tokenSet(),
      originalClaims: this.claims(),
      dpopKey: this.chance(0.2) ? toKey('dpop:1') : null,
    };
  }

  /** The present session, or one of the past. */
  private cause(): StoredSession {
    const { session } = this.record;
    if (session !== null && this.chance(0.8)) return session;
    return this.pick(this.past) ?? this.newSession();
  }

  private strayToken(): RevocableToken {
    const clientId = this.pick(['client', 'client', 'other-client', null]);
    const subject = this.pick(['ada', 'grace', null]);
    const issuer = this.pick(['https://one.example', 'https://two.example']);
    const token = { providerId: 'provider', issuer, clientId, subject, token: this.newToken() };
    return this.chance(0.2) ? { ...token, expiresAtMs: this.nowMs + hourMs } : token;
  }

  /** a pending revocation, or a token that is no longer one. */
  private someToken(): string {
    const { pendingRevocations } = this.record;
    const [first] = pendingRevocations;
    if (first !== undefined && this.chance(0.4)) return first.token;
    return pendingRevocations.length > 0 && this.chance(0.9)
      ? this.pick(pendingRevocations).token
      : `token-${1 + Math.floor(this.random() * this.tokens)}`;
  }

  private chooseEvent(): RecordEvent {
    const former = this.chance(this.unrest < 0.01 ? 0.1 : 0.7) ? 'used' : 'works';
    if (this.record.pendingRevocations.length > this.patience && this.chance(0.5)) return this.answer();
    const kind = this.random();
    if (kind < this.unrest) return { type: 'granted', session: this.newSession() };
    if (kind < 0.25) {
      const renewed = {
        tokens: this.tokenSet(),
        authenticatedAtMs: this.nowMs,
        originalClaims: this.claims(),
        dpopKey: this.chance(0.2) ? toKey(`dpop:${this.taken}`) : null,
      };
      return { type: 'renewed', cause: this.cause(), renewed, former };
    }
    if (kind < 0.31) return this.apiAnswer();
    if (kind < 0.34) {
      const tried = this.chance(0.5) ? { renewalSentAtMs: this.nowMs } : { silentTriedAtMs: this.nowMs };
      return { type: 'renewal-tried', cause: this.cause(), tried };
    }
    if (kind < 0.4) return { type: 'renewal-failed', cause: this.cause(), failure: this.failure() };
    if (kind < 0.43) {
      return { type: 'user-info-asked', cause: this.cause(), nextAtMs: this.nowMs + hourMs };
    }
    if (kind < 0.46) {
      const cause = this.cause();
      return { type: 'profile-completed', cause, profile: { ...cause.profile, name: 'A name' } };
    }
    if (kind < 0.46 + this.unrest / 2)
      return { type: 'ended', cause: this.cause(), former, problem: problem('expired') };
    if (kind < 0.46 + this.unrest) return { type: 'signed-out', by: this.pick(['user', 'configuration']) };
    if (kind < 0.6) return { type: 'token-left-over', token: this.strayToken() };
    if (kind < 0.68) return { type: 'revocation-sent', token: this.someToken() };
    if (kind < 0.85) return this.answer();
    if (kind < 0.88) return this.chance(0.7) ? this.code() : { type: 'code-ended' };
    // A sign-in is never told again after another one.
    const again = kind < 0.92 ? this.pick(this.told) : undefined;
    return again === undefined || again.type === 'granted' ? { type: 'revocations-checked' } : again;
  }

  private failure(): Failure {
    const retryAfterMs = this.pick([0, 0, 0, 0, 0, 1, minuteMs, 30 * hourMs]);
    return { problem: problem(this.pick(codes)), request: this.pick(requests), retryAfterMs };
  }

  private apiAnswer(): RecordEvent {
    const [cause, key] = [this.cause(), this.pick(['pay', 'mail'])];
    if (this.chance(0.4)) return { type: 'api-failed', cause, key, failure: this.failure() };
    const { refreshToken } = cause.tokens;
    const issued = this.tokenSet();
    const idToken = this.chance(0.5) ? 'another id' : null;
    const tokens = {
      type: this.pick(['Bearer', 'DPoP'] as const),
      accessToken: this.newToken(),
      expiresAtMs: issued.expiresAtMs,
      refreshToken: (this.chance(0.5) ? refreshToken : issued.refreshToken) ?? this.newToken(),
      idToken,
    };
    return { type: 'api-granted', cause, api: { key, additionalScope: this.pick(['', 'more']) }, tokens };
  }

  private answer(): RecordEvent {
    return { type: 'revocation-answered', token: this.someToken(), result: this.pick(results) };
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

  private meet(event: RecordEvent, { session, codeSignIn }: WorkerRecord): void {
    const pause = session?.pause ?? null;
    const leftMs = pause === null ? 0 : pause.untilMs - this.nowMs;
    // A pause is over if the clock has been set back since it began.
    const isInPause = pause !== null && leftMs > 0 && leftMs <= pause.lengthMs;
    if (isPaused(pause, this.nowMs) !== isInPause)
      this.broken.push('a pause is longer or shorter than it says');
    const user = session === null ? 'signed out' : isInPause ? 'in a pause' : 'signed in';
    const isOther = 'cause' in event && event.cause.id !== session?.id;
    const about = isOther ? 'another session' : isPresent(event, session) ? 'these tokens' : 'former tokens';
    this.met.moments.add(`${event.type}, ${user}, ${codeSignIn === null}, ${about}`);
    if (event.type === 'revocation-answered') this.meets(`answered: ${event.result}`);
    if (event.type === 'signed-out') this.meets(`signed out by ${event.by}`);
    if (pause === null) return;
    this.near('a pause ends', -leftMs);
    this.near('a pause is from the future', leftMs - pause.lengthMs);
  }

  /**
   * Accounts for each token that was held or a pending revocation, or comes with the event: it's held or a pending revocation now, the provider has used it
   * up, it's given up, or it ends by itself.
   */
  private checkTokens(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    const held = tokenOf(after.session);
    const gone = this.findGone(event, before);
    const owed = new Map<string, Owed>();
    for (const one of findBrought(event, before)) owed.set(one.token, one);
    for (const pending of before.pendingRevocations) owed.set(pending.token, pending);
    for (const pending of after.pendingRevocations) {
      const { token } = pending;
      const was = owed.get(token);
      owed.delete(token);
      if (was === undefined) this.broken.push(`${token} is a pending without a reason, or twice`);
      else this.checkDebt(event, was, pending);
      if (gone.has(token)) this.broken.push(`${token} is a pending still`);
      if (token === held) this.broken.push(`the held ${token} is a pending`);
      if ((pending.revocableSinceMs === null) !== mayBelongTo(pending, after.session)) {
        this.broken.push(`${token} waits although it may be sent, or may be sent although it has to wait`);
      }
    }
    for (const { token, expiresAtMs = Infinity } of owed.values()) {
      // A token that has ended by itself, or is about to, needs nothing.
      const isOver = this.nowMs >= expiresAtMs - 5 * minuteMs;
      if (token !== held && !gone.has(token) && !isOver) this.broken.push(`${token} is lost`);
    }
  }

  /** The tokens that the provider has replaced, refused or revoked with an event, and those that are given up. */
  private findGone(event: RecordEvent, before: WorkerRecord): ReadonlySet<string | null> {
    if (event.type === 'revocations-checked') return this.findGivenUp(before);
    if (event.type === 'revocation-answered' && isFinal(event.result)) return new Set([event.token]);
    return new Set(isUsed(event, before.session) ? [tokenOf(before.session)] : []);
  }

  private checkDebt(event: RecordEvent, before: Owed, pending: PendingRevocation): void {
    const { token, tries, revocableSinceMs } = pending;
    if (pending.expiresAtMs !== before.expiresAtMs) this.broken.push(`${token} has another end`);
    if (!('tries' in before)) {
      if (tries !== 0 || pending.queuedAtMs !== this.nowMs) this.broken.push(`${token} does not begin now`);
      return;
    }
    const isMeant = 'token' in event && event.token === token && before.revocableSinceMs !== null;
    const isSent = isMeant && event.type === 'revocation-sent';
    const isUnsent = isMeant && event.type === 'revocation-answered' && event.result === 'unsent';
    const expected = isSent ? before.tries + 1 : isUnsent ? Math.max(0, before.tries - 1) : before.tries;
    if (tries !== expected) this.broken.push(`${token} has ${tries} tries, not ${expected}`);
    const isOn = revocableSinceMs === null || revocableSinceMs === (before.revocableSinceMs ?? this.nowMs);
    if (!isOn || pending.queuedAtMs !== before.queuedAtMs) this.broken.push(`${token} has another time`);
  }

  /** The tokens that have to be given up. */
  private findGivenUp({ pendingRevocations }: WorkerRecord): ReadonlySet<string> {
    const givenUp = new Set<string>();
    const giveUp = (token: string, reason: Reason) => {
      givenUp.add(token);
      this.meets(`given up: ${reason}`);
    };
    for (const { token, tries, revocableSinceMs, expiresAtMs = Infinity } of pendingRevocations) {
      const leftMs = expiresAtMs - this.nowMs;
      this.near('a pending revocation ends', 5 * minuteMs - leftMs);
      if (leftMs <= 5 * minuteMs) giveUp(token, 'expired');
      if (revocableSinceMs === null) continue;
      const ageMs = this.nowMs - revocableSinceMs;
      if (tries === 0) {
        if (ageMs > dayMs) this.meets('never tried for more than a day');
        continue;
      }
      if (tries >= 4) this.meets(`${Math.min(tries, 5)} tries`);
      this.near('a pending revocation has been tried for long', ageMs - dayMs);
      this.near('a pending revocation was tried much later than now', -dayMs - ageMs);
      if (ageMs >= dayMs || ageMs <= -dayMs) giveUp(token, 'too-old');
      if (tries >= 5) giveUp(token, 'tried-too-often');
    }
    const waiting = pendingRevocations
      .filter(({ revocableSinceMs }) => revocableSinceMs === null)
      .toSorted((one, other) => one.queuedAtMs - other.queuedAtMs);
    this.near('many pending revocations wait', waiting.length - 20);
    for (const { token } of waiting.slice(0, Math.max(0, waiting.length - 20)))
      giveUp(token, 'too-many-wait');
    return givenUp;
  }

  private checkSession(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    const isSignedOut = event.type === 'signed-out' && event.by === 'user';
    const isGranted = event.type === 'granted' && event.session.id !== before.session?.id;
    if (after.isSignedOutOnPurpose !== (!isGranted && (isSignedOut || before.isSignedOutOnPurpose))) {
      this.broken.push('a sign-out is forgotten, or noted without one');
    }
    if (event.type === 'code-shown') {
      if (!isDeepStrictEqual(after.codeSignIn, event.codeSignIn)) this.broken.push('a code is not kept');
    } else if (isSignedOut || isGranted || event.type === 'code-ended') {
      if (after.codeSignIn !== null) this.broken.push('a code outlives its sign-in');
    } else if (after.codeSignIn !== before.codeSignIn) this.broken.push('a code has changed');
    const one = before.session;
    const other = after.session;
    if (event.type === 'signed-out') {
      if (other !== null) this.broken.push('the session outlives a sign-out');
    } else if (isGranted) {
      if (other !== event.session) this.broken.push('the session is not the one that was granted');
    } else if (one === null || !isAbout(event, one)) {
      if (other !== one) this.broken.push('a late result has changed the session');
    } else if (event.type === 'ended') {
      if (other !== null) this.broken.push('the session has not ended');
    } else if (other === null) this.broken.push('the session is lost');
    else this.checkMembers(event, one, other);
  }

  /** Compares the members of a session that an event was about. */
  private checkMembers(event: RecordEvent, before: StoredSession, after: StoredSession): void {
    const expected: Record<keyof StoredSession, unknown> = { ...before };
    if (event.type === 'renewed') {
      Object.assign(expected, event.renewed, { generation: before.generation + 1, renewalSentAtMs: null });
      expected.pause = this.pauseAfter(event.renewed.tokens, before.pause);
      // The tokens of APIs are bound to the key before.
      if (event.renewed.dpopKey !== before.dpopKey)
        expected.apis = before.apis.map((api) => ({ ...api, token: null, pause: null }));
    }
    if (event.type === 'api-granted' || event.type === 'api-failed') this.expectApi(event, before, expected);
    if (event.type === 'renewal-tried') Object.assign(expected, event.tried);
    if (event.type === 'renewal-failed') {
      this.meets(`failed: ${event.failure.request}`);
      if (event.failure.request !== 'unanswered') expected.renewalSentAtMs = event.cause.renewalSentAtMs;
      expected.pause = this.toPause(before.pause, event.failure);
    }
    if (event.type === 'user-info-asked') expected.userInfoDueMs = event.nextAtMs;
    if (event.type === 'profile-completed') {
      expected.profile = event.profile;
      expected.userInfoDueMs = null;
    }
    for (const name in expected) {
      const [value, same] = [after[name as keyof StoredSession], expected[name as keyof StoredSession]];
      if (value !== same && !isDeepStrictEqual(value, same))
        this.broken.push(`${name} is not as it should be`);
    }
  }

  /** The members of a session after an answer for one of its APIs: what that API has now, last, and the other APIs as before. */
  private expectApi(
    event: Extract<RecordEvent, { readonly type: 'api-granted' | 'api-failed' }>,
    before: StoredSession,
    expected: Record<keyof StoredSession, unknown>,
  ): void {
    const key = event.type === 'api-failed' ? event.key : event.api.key;
    const found = before.apis.find((api) => api.key === key);
    const others = before.apis.filter((api) => api !== found);
    const pause = found?.pause ?? null;
    if (event.type === 'api-failed') {
      if (event.failure.request !== 'unanswered') expected.renewalSentAtMs = event.cause.renewalSentAtMs;
      const { additionalScope = '', token = null } = found ?? {};
      expected.apis = [...others, { key, additionalScope, token, pause: this.toPause(pause, event.failure) }];
      return;
    }
    const { type, accessToken, expiresAtMs, refreshToken, idToken } = event.tokens;
    if (before.tokens.type !== 'id_token') expected.tokens = { ...before.tokens, refreshToken, idToken };
    expected.generation = before.generation + 1;
    expected.renewalSentAtMs = null;
    const token = { type, accessToken, expiresAtMs };
    expected.apis = [...others, { ...event.api, token, pause: this.pauseAfter(event.tokens, pause) }];
  }

  /** The pause after new tokens: one only if they end at once. */
  private pauseAfter(
    { expiresAtMs }: StoredSession['tokens'],
    before: StoredSession['pause'],
  ): StoredSession['pause'] {
    const leftMs = expiresAtMs - this.nowMs;
    // No token lasts longer than a day.
    if (leftMs > 30 * secondMs && leftMs <= dayMs) return null;
    const isOfUse = leftMs > 10 * secondMs;
    const failure = {
      problem: problem('provider-misconfigured'),
      request: 'answered',
      retryAfterMs: 0,
    } as const;
    return this.toPause(isOfUse ? null : before, failure);
  }

  private toPause(
    before: StoredSession['pause'],
    { problem: { code }, request, retryAfterMs }: Failure,
  ): StoredSession['pause'] {
    const { nowMs } = this;
    if (before?.failure === code && nowMs === before.untilMs - before.lengthMs) return before;
    if (before !== null) this.near('a pause counts no more', nowMs - before.untilMs - 5 * minuteMs);
    let lengthMs = before === null || nowMs >= before.untilMs + 5 * minuteMs ? 0 : before.lengthMs;
    if (request !== 'unsent' && code !== 'offline' && before?.failure !== 'offline') lengthMs *= 2;
    if (lengthMs > 5 * minuteMs) lengthMs = 5 * minuteMs;
    if (retryAfterMs > 0) lengthMs = Math.min(retryAfterMs, hourMs);
    if (lengthMs < 10 * secondMs) lengthMs = 10 * secondMs;
    if (lengthMs === 10 * secondMs) this.meets('a pause of 10 s');
    if (lengthMs === 5 * minuteMs) this.meets('a pause of 5 min');
    if (lengthMs === hourMs) this.meets('a pause of 1 h');
    return { untilMs: nowMs + lengthMs, lengthMs, failure: code };
  }

  private checkSample(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    // An event is told again if its write may or may not have succeeded.
    const isCounted =
      event.type === 'revocation-sent' || (event.type === 'revocation-answered' && event.result === 'unsent');
    const again = step(after, event, this.nowMs);
    if (!isCounted && again !== after) this.broken.push('the event changes the record twice');
    if (again.session !== after.session) this.broken.push('the event changes the session twice');
    if (after !== before && isDeepStrictEqual(after, before))
      this.broken.push('the same record is another object');
  }
}

type Holder = Pick<StoredSession, 'tokens'> | null;

/** The token of a session that has to be revoked at its end. */
function tokenOf(holder: Holder): string | null {
  if (holder === null || holder.tokens.type === 'id_token') return null;
  return holder.tokens.refreshToken ?? holder.tokens.accessToken;
}

/** a pending revocation, or a token that becomes one unless a session holds it or it's used up. */
type Owed = PendingRevocation | Pick<RevocableToken, 'token' | 'expiresAtMs'>;

/** The tokens that come with an event, and the one that the session has held. */
function findBrought(event: RecordEvent, { session }: WorkerRecord): readonly Owed[] {
  if (event.type === 'token-left-over') return [...toOwed(session), event.token];
  const isGranted = event.type === 'granted' && event.session.id !== session?.id;
  if (isGranted) return [...toOwed(session), ...toOwed(event.session)];
  const bringing = 'renewed' in event ? event.renewed : 'tokens' in event ? event : null;
  return [...toOwed(bringing), ...toOwed(session)];
}

/** The token of a session that has to be revoked at its end. Only an access token has an end of its own. */
function toOwed(holder: Holder): readonly Owed[] {
  const token = tokenOf(holder);
  if (holder === null || token === null) return [];
  return isEndless(holder) ? [{ token }] : [{ token, expiresAtMs: holder.tokens.expiresAtMs }];
}

function isEndless({ tokens }: NonNullable<Holder>): boolean {
  return tokens.refreshToken !== null || tokens.idToken === null;
}

function mayBelongTo({ issuer, clientId, subject }: RevocableToken, session: StoredSession | null): boolean {
  return (
    session !== null &&
    session.issuer === issuer &&
    (clientId === null || session.clientId === clientId) &&
    (subject === null || session.profile.subject === subject)
  );
}

function isFinal(result: (typeof results)[number]): boolean {
  return result !== 'failed' && result !== 'unsent';
}

function isPresent(event: RecordEvent, session: StoredSession | null): boolean {
  return (
    !('cause' in event) || (event.cause.id === session?.id && event.cause.generation === session.generation)
  );
}

/** Whether an event may change this session. What is found out about a user is about all tokens of the session. */
function isAbout(event: RecordEvent, session: StoredSession): boolean {
  if (!('cause' in event)) return false;
  const isOfUser = event.type === 'user-info-asked' || event.type === 'profile-completed';
  return isOfUser ? event.cause.id === session.id : isPresent(event, session);
}

/** Whether the provider has replaced, refused or revoked the token of a session with an event. */
function isUsed(event: RecordEvent, session: StoredSession | null): boolean {
  if (event.type === 'api-granted') return isPresent(event, session);
  if ((event.type !== 'renewed' && event.type !== 'ended') || !isPresent(event, session)) return false;
  // An access token that was renewed was about to end, or was refused.
  return event.former === 'used' || (event.type === 'renewed' && session !== null && !isEndless(session));
}

/** Stands for a key, which the record only hands on. */
function toKey(name: string): CryptoKeyPair {
  return { name } as unknown as CryptoKeyPair;
}
