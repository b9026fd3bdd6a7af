// A random walk through the step. It has its own rules for what each event may do, so it shares no mistake with the code. Slow
// checks are made at some of the steps, all others at each.

import { isDeepStrictEqual } from 'node:util';
import { isPaused, type Failure, type Pause } from '../../src/background/record/pause.ts';
import {
  emptyRecord,
  type PendingRevocation,
  type RevocableToken,
  type RevocationResult,
  type StoredSession,
  type WorkerRecord,
  type RecordEvent,
} from '../../src/background/record/record.ts';
import { findRevocable } from '../../src/background/record/revocable.ts';
import { step } from '../../src/background/record/step.ts';
import { toSession } from './stored-session.ts';
import { problem } from '../../src/session/problem.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

const finalResults = ['done', 'refused', 'unsupported', 'not-configured'] as const;
const openResults = ['failed', 'unsent'] as const;
const requests = ['unsent', 'unanswered', 'answered'] as const;
const origins = ['https://one.example', 'https://two.example'];
const codes = ['offline', 'provider-unreachable', 'timed-out'] as const;

/** The limits at which something changes. Walks have to come to each of them, and just before and after it. */
const edges = [
  'a pending revocation ends',
  'a pending revocation was sent long ago',
  'a pending revocation was sent much later than now',
  'a pending revocation has waited for a year',
  'a pending revocation waits since a year later than now',
  'a pause ends',
  'a pause is from the future',
  'a pause counts no more',
  'a pending revocation may be sent again',
  'a pending revocation pauses since later than now',
] as const;
type Edge = (typeof edges)[number];

const reasons = ['expired', 'tried-for-long', 'waited-for-long'] as const;
type Reason = (typeof reasons)[number];

/** A session that brings no refresh token keeps the former one only without any of these. */
const differences = ['issuer', 'client', 'user', 'key'] as const;

/** Walks have to meet each of these. */
export const limits: readonly string[] = [
  ...edges.flatMap((edge) => [-1, 0, 1].map((distance) => `${edge}: ${distance}`)),
  ...reasons.map((reason) => `given up: ${reason}`),
  'never sent for more than a day',
  'more than twenty wait',
  'a pending revocation pauses for 5 min',
  'two pending revocations pause together',
  'a pause of 1 s',
  'a pause of 10 s',
  'a pause of 5 min',
  'a pause of 1 h',
  ...[...finalResults, ...openResults].map((result) => `answered: ${result}`),
  ...requests.map((request) => `failed: ${request}`),
  'signed out by user',
  'signed out by configuration',
  'another session outlives a sign-out',
  'another worker is sending',
  'granted: keeps the refresh token',
  'renewed: keeps the refresh token',
  ...differences.map((difference) => `granted: has another ${difference}`),
  'renewed: has another key',
  'withdrawn: is held',
  'withdrawn: was renewed',
  'withdrawn: is not held',
];

/** The limits and moments that walks have met. */
export class Met {
  readonly limits = new Set<string>();
  /** Each event with the state that it finds: whether a user is signed in, a code is shown, and what the event is about. */
  readonly moments = new Set<string>();
}

/**
 * Nine events are about tokens: those of the session, former ones, or another session's; without a session only the last. A sign-in
 * that is withdrawn is of the session or another one, and a sign-out may also mean that there was none. Seven are about no session.
 * Each may find no one signed in, someone, or someone in a pause, with and without a code.
 */
export const allMoments = 2 * (9 * (1 + 3 + 3) + (1 + 2 + 2) + (2 + 2 + 2) + 7 * 3);

/** How many steps there are between two rounds of the slow checks. */
const sampleEvery = 16;

export class Walk {
  private record: WorkerRecord = emptyRecord;
  private nowMs = 1_800_000_000_000;
  private taken = 0;
  /** Sessions of the past, also with former tokens. Late results for them may still come. */
  private readonly past: StoredSession[] = [];
  /** Events of the past, which may come once more. */
  private readonly told: RecordEvent[] = [];
  /** Sign-ins of the past, and what they have replaced. They may be withdrawn. */
  private readonly grants: Omit<Extract<RecordEvent, { type: 'grant-withdrawn' }>, 'type'>[] = [];
  /** Pending revocations before they were sent. The answer may come late. */
  private readonly sent: PendingRevocation[] = [];
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
  /** The share of the answers that are the last ones for a token. */
  private readonly finality: number;

  constructor(random: () => number, met: Met) {
    this.random = random;
    this.met = met;
    this.unrest = this.pick([0.002, 0.05]);
    this.patience = this.pick([2, 4, 8, 30]);
    this.finality = this.pick([0.3, 0.7]);
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
    if (event.type === 'revocations-checked') this.checkRevocable(after);
    if (this.taken % sampleEvery === 0) this.checkSample(event, before, after);
    this.remember(event, before, after);
    return this.broken.map((rule) => `${rule}, after ${JSON.stringify(event)}`);
  }

  private remember(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    const { session, pendingRevocations, isSignedOutOnPurpose } = before;
    if (session !== null && after.session?.tokens !== session.tokens) this.past[this.taken % 16] = session;
    this.told[this.taken % 16] = event;
    if (event.type === 'granted') {
      this.grants[this.sessions % 4] = { session: event.session, before: { session, isSignedOutOnPurpose } };
    }
    if (event.type !== 'revocation-sent') return;
    const pending = pendingRevocations.find(({ token }) => token === event.token);
    if (pending !== undefined) this.sent[this.taken % 8] = pending;
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
    const some = pendingRevocations.length > 0 ? this.pick(pendingRevocations) : null;
    const pause = (this.chance(0.7) ? session?.pause : some?.pause) ?? null;
    if (pause !== null && this.chance(0.7)) {
      const { untilMs, lengthMs } = pause;
      return this.pick([untilMs, untilMs, untilMs + 5 * minuteMs, untilMs - lengthMs]);
    }
    const sentAtMs = some?.firstSentAtMs ?? null;
    if (sentAtMs !== null && this.chance(0.5)) return sentAtMs + this.pick([-dayMs, dayMs]);
    if (some?.revocableSinceMs === null && this.chance(0.25)) {
      return some.queuedAtMs + this.pick([-yearMs, yearMs]);
    }
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
    if (session !== null && this.chance(0.7)) return session;
    const former = this.past.find((one) => one?.id === session?.id);
    return (this.chance(0.5) ? former : undefined) ?? this.pick(this.past) ?? this.newSession();
  }

  private strayToken(): RevocableToken {
    const clientId = this.pick(['client', 'client', 'other-client', null]);
    const subject = this.pick(['ada', 'grace', null]);
    const issuer = this.pick(['https://one.example', 'https://two.example']);
    const token = { providerId: 'provider', issuer, clientId, subject, token: this.newToken() };
    return this.chance(0.2) ? { ...token, expiresAtMs: this.nowMs + hourMs } : token;
  }

  /** A pending revocation; if there is none, one of a token that the record doesn't know. */
  private somePending(): PendingRevocation {
    const [first, ...others] = this.record.pendingRevocations;
    if (first !== undefined) return others.length === 0 || this.chance(0.4) ? first : this.pick(others);
    const { nowMs } = this;
    const times = { queuedAtMs: nowMs, revocableSinceMs: nowMs, firstSentAtMs: null, pause: null };
    return { ...this.strayToken(), ...times };
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
    if (kind < 0.34) return this.attempt();
    if (kind < 0.4) return { type: 'renewal-failed', cause: this.cause(), failure: this.failure() };
    if (kind < 0.42) return { type: 'token-refused', cause: this.cause(), origin: this.pick(origins) };
    if (kind < 0.44) {
      return { type: 'user-info-asked', cause: this.cause(), nextAtMs: this.nowMs + hourMs };
    }
    if (kind < 0.46) {
      const cause = this.cause();
      return { type: 'profile-completed', cause, profile: { ...cause.profile, name: 'A name' } };
    }
    if (kind < 0.46 + this.unrest / 2)
      return { type: 'ended', cause: this.cause(), former, problem: problem('expired') };
    if (kind < 0.46 + this.unrest) return this.signOut();
    if (kind < 0.46 + 1.5 * this.unrest) return this.withdrawal();
    if (kind < 0.6) return { type: 'token-left-over', token: this.strayToken() };
    if (kind < 0.68) return { type: 'revocation-sent', token: this.somePending().token };
    if (kind < 0.85) return this.answer();
    if (kind < 0.88) return this.chance(0.7) ? this.code() : { type: 'code-ended' };
    // A sign-in comes only once.
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

  /** Each worker knows the mark that it has read, and another one may have left another since. */
  private attempt(): RecordEvent {
    const { nowMs } = this;
    const cause = this.cause();
    const mark = cause.renewalSentAtMs;
    const renewalSentAtMs = this.pick([mark, mark, null, nowMs - secondMs]);
    const tried = this.pick([
      { renewalSentAtMs: nowMs },
      { renewalSentAtMs, silentTriedAtMs: nowMs },
      { silentTriedAtMs: nowMs },
    ]);
    return { type: 'renewal-tried', cause: { ...cause, renewalSentAtMs }, tried };
  }

  private signOut(): RecordEvent {
    const by = this.pick(['user', 'configuration'] as const);
    const event = { type: 'signed-out', by } as const;
    const held = this.record.session?.id ?? null;
    return this.chance(0.5) ? event : { ...event, session: this.pick([held, held, null, this.cause().id]) };
  }

  /** Of the session that is held, if a sign-in of the last ones has brought it; of another; or of one that was never stored. */
  private withdrawal(): RecordEvent {
    const { session, isSignedOutOnPurpose } = this.record;
    const held = this.grants.find((grant) => grant?.session.id === session?.id);
    const grant = (this.chance(0.6) ? held : undefined) ?? this.pick(this.grants);
    const unstored = { session: this.newSession(), before: { session, isSignedOutOnPurpose } };
    return { type: 'grant-withdrawn', ...(grant ?? unstored) };
  }

  private answer(): RecordEvent {
    const late = this.chance(0.5) ? this.pick(this.sent) : undefined;
    const result = this.chance(this.finality) ? this.pick(finalResults) : this.pick(openResults);
    const retryAfterMs = this.pick([0, 0, 0, 1, minuteMs, 30 * hourMs]);
    return { type: 'revocation-answered', pending: late ?? this.somePending(), result, retryAfterMs };
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
    const isInPause = this.isIn(pause);
    if (isPaused(pause, this.nowMs) !== isInPause)
      this.broken.push('a pause is longer or shorter than it says');
    const user = session === null ? 'signed out' : isInPause ? 'in a pause' : 'signed in';
    const isOther = idOf(event, session) !== (session?.id ?? null);
    const about = isOther ? 'another session' : isPresent(event, session) ? 'these tokens' : 'former tokens';
    this.met.moments.add(`${event.type}, ${user}, ${codeSignIn === null}, ${about}`);
    if (event.type === 'revocation-answered') this.meets(`answered: ${event.result}`);
    if (event.type === 'signed-out') this.meets(`signed out by ${event.by}`);
    if (pause === null) return;
    const leftMs = pause.untilMs - this.nowMs;
    this.near('a pause ends', -leftMs);
    this.near('a pause is from the future', leftMs - pause.lengthMs);
  }

  /** A pause is over if the clock has been set back since it began. */
  private isIn(pause: Pause | null): boolean {
    const leftMs = pause === null ? 0 : pause.untilMs - this.nowMs;
    return pause !== null && leftMs > 0 && leftMs <= pause.lengthMs;
  }

  /** Sent are those that needn't wait for a session, and aren't in a pause. */
  private checkRevocable(record: WorkerRecord): void {
    const found = new Set(findRevocable(record, this.nowMs));
    let due = 0;
    for (const pending of record.pendingRevocations) {
      const { token, revocableSinceMs, pause } = pending;
      const isDue = revocableSinceMs !== null && !this.isIn(pause);
      if (isDue) due += 1;
      if (isDue && !found.has(pending)) this.broken.push(`${token} is due and isn't sent`);
      if (revocableSinceMs === null || pause === null) continue;
      const leftMs = pause.untilMs - this.nowMs;
      this.near('a pending revocation may be sent again', -leftMs);
      this.near('a pending revocation pauses since later than now', leftMs - pause.lengthMs);
    }
    if (found.size !== due) this.broken.push('a pending revocation is sent before it is due');
  }

  /**
   * Accounts for each token that was held or a pending revocation, or comes with the event: it's held or a pending revocation now,
   * the provider has used it up, it's given up, or it ends by itself.
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
    if (event.type === 'revocation-answered' && isFinal(event.result)) return new Set([event.pending.token]);
    return new Set(isUsed(event, before.session) ? [tokenOf(before.session)] : []);
  }

  private checkDebt(event: RecordEvent, before: Owed, pending: PendingRevocation): void {
    const { token, firstSentAtMs, pause, revocableSinceMs } = pending;
    if (pending.expiresAtMs !== before.expiresAtMs) this.broken.push(`${token} has another end`);
    if (!('pause' in before)) {
      const isNew = firstSentAtMs === null && pause === null && pending.queuedAtMs === this.nowMs;
      if (!isNew) this.broken.push(`${token} does not begin now`);
      return;
    }
    const tried = before.revocableSinceMs === null ? before : this.toTried(event, before);
    const expected = revocableSinceMs === null ? { firstSentAtMs: null, pause: null } : tried;
    if (firstSentAtMs !== expected.firstSentAtMs) this.broken.push(`${token} was sent at another time`);
    if (pause !== expected.pause && !isDeepStrictEqual(pause, expected.pause))
      this.broken.push(`${token} has another pause`);
    const isOn = revocableSinceMs === null || revocableSinceMs === (before.revocableSinceMs ?? this.nowMs);
    if (!isOn || pending.queuedAtMs !== before.queuedAtMs) this.broken.push(`${token} has another time`);
  }

  /** When a pending revocation that can be sent was sent first, and how long it waits, after an event. */
  private toTried(
    event: RecordEvent,
    before: PendingRevocation,
  ): Pick<PendingRevocation, 'firstSentAtMs' | 'pause'> {
    const sent = { problem: problem('provider-unreachable'), request: 'unanswered' } as const;
    if (event.type === 'revocation-sent' && event.token === before.token) {
      const pause = this.toPause(before.pause, { ...sent, retryAfterMs: 0 });
      if (pause.lengthMs === 5 * minuteMs) this.meets('a pending revocation pauses for 5 min');
      return { firstSentAtMs: before.firstSentAtMs ?? this.nowMs, pause };
    }
    if (event.type !== 'revocation-answered') return before;
    const { pending, result, retryAfterMs } = event;
    if (result === 'unsent') return pending.token === before.token ? pending : before;
    if (result !== 'failed' || retryAfterMs === 0 || pending.issuer !== before.issuer) return before;
    if (pending.token !== before.token) this.meets('two pending revocations pause together');
    return { ...before, pause: this.toPause(null, { ...sent, retryAfterMs }) };
  }

  /** The tokens that have to be given up. */
  private findGivenUp({ pendingRevocations }: WorkerRecord): ReadonlySet<string> {
    const givenUp = new Set<string>();
    const giveUp = (token: string, reason: Reason) => {
      givenUp.add(token);
      this.meets(`given up: ${reason}`);
    };
    for (const pending of pendingRevocations) {
      const { token, queuedAtMs, revocableSinceMs, firstSentAtMs, expiresAtMs = Infinity } = pending;
      const leftMs = expiresAtMs - this.nowMs;
      this.near('a pending revocation ends', 5 * minuteMs - leftMs);
      if (leftMs <= 5 * minuteMs) giveUp(token, 'expired');
      if (revocableSinceMs === null) {
        const ageMs = this.nowMs - queuedAtMs;
        this.near('a pending revocation has waited for a year', ageMs - yearMs);
        this.near('a pending revocation waits since a year later than now', -yearMs - ageMs);
        if (ageMs >= yearMs || ageMs <= -yearMs) giveUp(token, 'waited-for-long');
      } else if (firstSentAtMs === null) {
        if (this.nowMs - revocableSinceMs > dayMs) this.meets('never sent for more than a day');
      } else {
        const ageMs = this.nowMs - firstSentAtMs;
        this.near('a pending revocation was sent long ago', ageMs - dayMs);
        this.near('a pending revocation was sent much later than now', -dayMs - ageMs);
        if (ageMs >= dayMs || ageMs <= -dayMs) giveUp(token, 'tried-for-long');
      }
    }
    const waiting = pendingRevocations.filter(({ revocableSinceMs }) => revocableSinceMs === null);
    if (waiting.length > 20) this.meets('more than twenty wait');
    return givenUp;
  }

  private checkSession(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    const isMeant = isMeantBy(event, before.session);
    const isSignedOut = event.type === 'signed-out' && isMeant;
    const isByUser = isSignedOut && event.by === 'user';
    const isGranted = event.type === 'granted';
    const isWithdrawn = event.type === 'grant-withdrawn' && isMeant;
    const isOnPurpose = isWithdrawn ? event.before.isSignedOutOnPurpose : before.isSignedOutOnPurpose;
    if (after.isSignedOutOnPurpose !== (!isGranted && (isByUser || isOnPurpose))) {
      this.broken.push('a sign-out is forgotten, or noted without one');
    }
    if (event.type === 'code-shown') {
      if (!isDeepStrictEqual(after.codeSignIn, event.codeSignIn)) this.broken.push('a code is not kept');
    } else if (isByUser || isGranted || event.type === 'code-ended') {
      if (after.codeSignIn !== null) this.broken.push('a code outlives its sign-in');
    } else if (after.codeSignIn !== before.codeSignIn) this.broken.push('a code has changed');
    const one = before.session;
    const other = after.session;
    if (event.type === 'signed-out' && !isMeant) this.meets('another session outlives a sign-out');
    if (event.type === 'grant-withdrawn') {
      const isRenewed = isMeant && one?.generation !== event.session.generation;
      this.meets(`withdrawn: ${isRenewed ? 'was renewed' : isMeant ? 'is held' : 'is not held'}`);
    }
    if (isSignedOut) {
      if (other !== null) this.broken.push('the session outlives a sign-out');
    } else if (isGranted) {
      const granted = this.keepRefreshToken(one, event.session, 'granted');
      if (!isDeepStrictEqual(other, granted)) this.broken.push('the session is not the one that was granted');
    } else if (isWithdrawn) {
      if (other !== event.before.session) this.broken.push('the former session is not back');
    } else if (one === null || !isAbout(event, one)) {
      if (other !== one) this.broken.push('a late result has changed the session');
    } else if (event.type === 'ended') {
      if (other !== null) this.broken.push('the session has not ended');
    } else if (other === null) this.broken.push('the session is lost');
    else this.checkMembers(event, one, other);
  }

  /** The session with the refresh token before it, if that is of the same grant and no other has come. */
  private keepRefreshToken(
    former: StoredSession | null,
    session: StoredSession,
    by: 'granted' | 'renewed',
  ): StoredSession {
    const { tokens } = session;
    const refreshToken = former?.tokens.refreshToken ?? null;
    if (former === null || refreshToken === null) return session;
    if (tokens.type === 'id_token' || tokens.refreshToken !== null) return session;
    const isOther: Record<(typeof differences)[number], boolean> = {
      issuer: former.issuer !== session.issuer,
      client: former.clientId !== session.clientId,
      user: former.profile.subject !== session.profile.subject,
      key: former.dpopKey !== session.dpopKey,
    };
    const found = differences.filter((difference) => isOther[difference]);
    // One alone is enough.
    if (found.length === 1) this.meets(`${by}: has another ${found[0]}`);
    if (found.length > 0) return session;
    this.meets(`${by}: keeps the refresh token`);
    return { ...session, tokens: { ...tokens, refreshToken }, originalClaims: former.originalClaims };
  }

  /** Compares the members of a session that an event was about. */
  private checkMembers(event: RecordEvent, before: StoredSession, after: StoredSession): void {
    const expected: Record<keyof StoredSession, unknown> = { ...before };
    if (event.type === 'renewed') {
      const renewed = { ...before, ...event.renewed };
      const kept = event.former === 'works' ? this.keepRefreshToken(before, renewed, 'renewed') : renewed;
      Object.assign(expected, kept, { generation: before.generation + 1, renewalSentAtMs: null });
      expected.pause = this.pauseAfter(event.renewed.tokens, before.pause);
      // The tokens of APIs are bound to the key before.
      if (event.renewed.dpopKey !== before.dpopKey)
        expected.apis = before.apis.map((api) => ({ ...api, token: null, pause: null }));
    }
    if (event.type === 'api-granted' || event.type === 'api-failed') this.expectApi(event, before, expected);
    if (event.type === 'renewal-tried') {
      const { tried, cause } = event;
      const isSending = 'renewalSentAtMs' in tried && tried.renewalSentAtMs !== cause.renewalSentAtMs;
      if (!isSending || cause.renewalSentAtMs === before.renewalSentAtMs) Object.assign(expected, tried);
      else this.meets('another worker is sending');
    }
    if (event.type === 'renewal-failed') {
      this.meets(`failed: ${event.failure.request}`);
      if (event.failure.request !== 'unanswered') expected.renewalSentAtMs = event.cause.renewalSentAtMs;
      expected.pause = this.toPause(before.pause, event.failure);
    }
    if (event.type === 'token-refused') {
      const { cause, origin } = event;
      const others = before.refusals.filter((refusal) => refusal.origin !== origin);
      expected.refusals = [...others, { origin, generation: cause.generation, atMs: this.nowMs }];
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
    return { ...this.toPause(isOfUse ? null : before, failure), sinceMs: this.nowMs };
  }

  private toPause(before: Pause | null, { problem: { code }, request, retryAfterMs }: Failure): Pause {
    const { nowMs } = this;
    if (before !== null) this.near('a pause counts no more', nowMs - before.untilMs - 5 * minuteMs);
    let lengthMs = before === null || nowMs >= before.untilMs + 5 * minuteMs ? 0 : before.lengthMs;
    if (request !== 'unsent' && code !== 'offline' && before?.failure !== 'offline') lengthMs *= 2;
    if (lengthMs > 5 * minuteMs) lengthMs = 5 * minuteMs;
    if (retryAfterMs > 0) lengthMs = Math.min(retryAfterMs, hourMs);
    const mayPass = code === 'provider-unreachable' && request !== 'unsent';
    lengthMs = Math.max(lengthMs, mayPass ? secondMs : 10 * secondMs);
    if (lengthMs === secondMs) this.meets('a pause of 1 s');
    if (lengthMs === 10 * secondMs) this.meets('a pause of 10 s');
    if (lengthMs === 5 * minuteMs) this.meets('a pause of 5 min');
    if (lengthMs === hourMs) this.meets('a pause of 1 h');
    let { sinceMs } = before ?? {};
    if (code !== 'offline' && (sinceMs === undefined || sinceMs > nowMs)) sinceMs = nowMs;
    return { untilMs: nowMs + lengthMs, lengthMs, failure: code, ...(sinceMs !== undefined && { sinceMs }) };
  }

  private checkSample(event: RecordEvent, before: WorkerRecord, after: WorkerRecord): void {
    if (alwaysStored.includes(event.type)) return;
    if (after !== before && isDeepStrictEqual(after, before))
      this.broken.push('the same record is another object');
  }
}

/** These are only told if they mean a change. */
const alwaysStored: readonly RecordEvent['type'][] = [
  'granted',
  'grant-withdrawn',
  'renewal-tried',
  'revocation-sent',
  'revocation-answered',
];

type Holder = Pick<StoredSession, 'tokens'> | null;

/** The token of a session that has to be revoked at its end. */
function tokenOf(holder: Holder): string | null {
  if (holder === null || holder.tokens.type === 'id_token') return null;
  return holder.tokens.refreshToken ?? holder.tokens.accessToken;
}

/** A pending revocation, or a token that becomes one unless a session holds it or it's used up. */
type Owed = PendingRevocation | Pick<RevocableToken, 'token' | 'expiresAtMs'>;

/** The tokens that come with an event, and the one that the session has held. */
function findBrought(event: RecordEvent, { session }: WorkerRecord): readonly Owed[] {
  if (event.type === 'token-left-over') return [...toOwed(session), event.token];
  const isOfSignIn =
    event.type === 'granted' || (event.type === 'grant-withdrawn' && !isMeantBy(event, session));
  if (isOfSignIn) return [...toOwed(session), ...toOwed(event.session)];
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

function isFinal(result: RevocationResult): boolean {
  return result !== 'failed' && result !== 'unsent';
}

/** The id of the session that an event is about; that of the present one if it doesn't say. */
function idOf(event: RecordEvent, session: StoredSession | null): string | null {
  const held = session?.id ?? null;
  if (event.type === 'signed-out') return event.session === undefined ? held : event.session;
  if (event.type === 'grant-withdrawn') return event.session.id;
  return 'cause' in event ? event.cause.id : held;
}

/** Whether a sign-out, or a sign-in that is withdrawn, changes this session. A sign-out always counts if there is none. */
function isMeantBy(event: RecordEvent, session: StoredSession | null): boolean {
  if (session === null) return event.type === 'signed-out';
  return idOf(event, session) === session.id;
}

function isPresent(event: RecordEvent, session: StoredSession | null): boolean {
  return (
    !('cause' in event) || (event.cause.id === session?.id && event.cause.generation === session.generation)
  );
}

/** Whether an event may change this session. What is found out about a user or an API is about all tokens. */
function isAbout(event: RecordEvent, session: StoredSession): boolean {
  if (!('cause' in event)) return false;
  const ofSession: readonly RecordEvent['type'][] = ['token-refused', 'user-info-asked', 'profile-completed'];
  return ofSession.includes(event.type) ? event.cause.id === session.id : isPresent(event, session);
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
