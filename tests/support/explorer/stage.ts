// A worker in its browser, with everything around it in the hands of the search: storage, database, network, windows, clock,
// life and death.

import { createDatabase } from '../../../src/background/record/database.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import { settledView, type View, type SignedIn, type SignedOut } from '../../../src/session/view.ts';
import { createMemoryKey } from '../../../src/background/record/disk.ts';
import { vaultKeyName } from '../../../src/background/storage.ts';
import { strayRejections } from '../failing-calls.ts';
import { FakeManagedStorage, type FakeForeignWindow, type FakeWindow, type Manner } from '../fake-browser.ts';
import { readHeldFrom, type Held } from '../held.ts';
import type { Violation } from './invariants.ts';
import { apiOrigin, payOrigin } from '../scripted-api.ts';
import { issuer, provider as scripted } from '../scripted-provider.ts';
import { turns } from '../turns.ts';
import { policyOrigin, setUpWorker, type Worker, type WorkerSetup } from '../worker-setup.ts';
import { toLabel } from './gated-browser.ts';
import { createGates, randomNumbers, type WorkerLife } from './gates.ts';
import { codePauseSeconds, CountingProvider, payResource, type ProviderKind, type User } from './provider.ts';
import { forgetTime, passMinute, runTimers } from './still-time.ts';

/** How the user signs in: in a window, or with a code that they enter elsewhere. */
export type Way = 'window' | 'code';

/** The administrator's policy. */
export type Rule = 'none' | 'nothing is offered' | 'the provider has moved' | 'sign in when the popup opens';

/**
 * One write, request or use of the database goes wrong: it isn't done, or it's done and its answer is lost; or it never returns.
 * `keeps failing`: later ones of the same name aren't done.
 */
export interface Fault {
  readonly what:
    | 'fails'
    | 'is done and fails'
    | 'hangs'
    | 'is done and hangs'
    | 'keeps failing'
    | 'is done and keeps failing';
  /** Its number among all of them, from 1. */
  readonly of: number;
}

/** A sign-in or sign-out window of ours. */
export interface OwnWindow {
  readonly window: FakeWindow;
  /** The worker that waits for its end. */
  readonly life: WorkerLife;
  /** Whether it appeared after its worker had died, so that no worker can know of it. */
  isUnknown: boolean;
  isOver: boolean;
}

/** Something that the user or a page has asked for, and waits for. */
interface Asked {
  readonly what: Command['type'] | 'fetch';
  readonly life: WorkerLife;
  readonly reply: () => Reply | 'settled' | null;
}

const beginMs = 1_800_000_000_000;

/** Longer than the worker waits before it looks again; shorter than any time limit. */
const momentMs = 2_000;

/** How many turns of the event loop a body needs to be read; nothing else that the worker awaits takes more than one. */
const quietTurns = 3;

/** Far more than the worker takes until it rests. */
const maxTurns = 1_000;

/** Calls whose order doesn't matter. They pass no gate, so that the steps are those that matter. */
const ungatedCalls =
  /^(i18n|extension|management)\.|^runtime\.getPlatformInfo$|^[\w.]+ (journal|toolbar|policy)$/;

/** The calls that can fail. */
const mayFail = /^(network|database$|storage\.\w+\.(set|remove)|action\.set)/;

/** A request of the feature. */
const apiLabel = 'network /things';

/** The calls without which commands are accepted, and a feature's request is answered as long as its access token is good. */
const mayBeDoneWithout = /^(network (?!.things)|action\.|storage\.session\.remove)/;

export class Stage {
  readonly worker: Worker;
  readonly gates = createGates();
  readonly provider: CountingProvider;
  readonly own: OwnWindow[] = [];
  /** The windows of other sites, which must be left alone. */
  readonly others: FakeForeignWindow[] = [];
  readonly asked: Asked[] = [];
  /** The sign-ins that the board has shown as cancelled or failed, by the time of their start. */
  readonly cancelled = new Set<number>();
  rule: Rule = 'none';
  isOnline = true;
  /** Whether something has happened that may make a single attempt fail, apart from calls that go wrong. */
  isDisturbed = false;
  isClockSetBack = false;
  /** How many calls have gone wrong. After one, a worker may not know what was tried before. */
  failedCalls = 0;
  /** Whether one of them was a call that a feature's request needs. */
  private isHampered = false;
  isDiskFull = false;
  /** Whether the user has ended a sign-in, by a click or by closing its window. */
  hasUserEnded = false;
  /** The violations that were seen. */
  readonly seen: Violation[] = [];
  /** The tokens that the record has ever held. */
  private readonly stored = new Set<string>();
  /** Where the key of the record is. */
  place: 'device' | 'browser' = 'device';
  /** The worker that is running; null while it is asleep. */
  life: WorkerLife | null = { isOver: false };
  faults: readonly Fault[] = [];
  /** The names of the calls that could have failed. */
  readonly faultyCalls: string[] = [];
  /** Called after each write of the board, and each use of the database. */
  onWritten: (held: Held) => void = () => undefined;
  private readonly managed: FakeManagedStorage;
  /** A connection of its own. */
  private readonly withDatabase = createDatabase();
  /** How the last request of a feature has ended. */
  lastResponse: 'answered' | 'failed' | null = null;
  private feature: FeatureWorkerProps | null = null;
  private reloads = 0;
  /** How many calls are being made. */
  private working = 0;
  private calls = 0;
  private readonly random = randomNumbers(1);
  private shown: View | null = null;
  /** The session that a write has left last, and how much had been asked for when it was new. */
  private written: { readonly session: NonNullable<Held['session']>; readonly asked: number } | null = null;
  /** A worker that the one that is running has replaced, and that isn't dead yet. */
  private former: { readonly life: WorkerLife; readonly end: () => void; readonly lastGate: number } | null =
    null;
  /** The worker that got each token. */
  private readonly receivers = new Map<string, WorkerLife>();
  /** Whether a policy or an update has been there that ends sessions. */
  private mayAnyEnd = false;

  private readonly manner: Manner;
  /** The toolbar button of the manifest. */
  private readonly button: Worker['toolbar'];

  constructor(manner: Manner, way: Way, kind: ProviderKind) {
    forgetTime();
    this.manner = manner;
    this.provider = new CountingProvider(kind, () => this.nowMs);
    this.managed = new FakeManagedStorage(manner);
    // A policy is there at once or not at all.
    this.managed.installType = 'development';
    const pay = { name: null, origins: [payOrigin], scope: null, resource: payResource, audience: null };
    const refreshTokenSeconds = kind === 'ends refresh tokens' ? 200 : null;
    const deviceFlow = way === 'code' ? 'only' : 'off';
    this.worker = setUpWorker({
      manner,
      managed: this.managed,
      providers: [{ ...scripted, apiOrigins: [apiOrigin], apis: [pay], deviceFlow, refreshTokenSeconds }],
      startFeature: (props) => {
        this.feature = props;
      },
      outside: () => this.toOutside(this.life!),
      redirects: null,
      world: {
        nowMs: () => this.nowMs,
        isOnline: () => this.isOnline,
        mayReach: () => Promise.resolve(true),
        randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(this.random() * 256)),
      },
    });
    this.button = { ...this.worker.toolbar };
    this.worker.clock.nowMs = beginMs;
    this.worker.silence.answer = (url) => {
      const { user } = this.provider;
      if (user === null) return Promise.reject(new Error('User interaction required.'));
      return Promise.resolve(this.provider.approve(url, user));
    };
  }

  /** The clock of the worker, which also moves when the worker waits. */
  get nowMs(): number {
    return (this.worker as Worker | undefined)?.clock.nowMs ?? beginMs;
  }

  set nowMs(nowMs: number) {
    this.worker.clock.nowMs = nowMs;
  }

  /** The session that the board shows. */
  session(): View | null {
    const { memory, local } = this.worker;
    return this.worker.readBoard(this.place === 'device' ? local : memory)?.session ?? null;
  }

  /** The contents of the record. */
  async held(): Promise<Held> {
    const { memory } = this.worker;
    const key = memory.items.has(vaultKeyName) ? await createMemoryKey(memory).find() : null;
    return this.withDatabase((database) => readHeldFrom(database, key));
  }

  /** Whether the user has asked for a sign-out, answered or not, and for no sign-in since. */
  private isSigningOut(): boolean {
    return this.asked.findLast(({ what }) => /^sign-|account/.test(what))?.what === 'sign-out';
  }

  /** Whether a sign-out is the last thing that was asked for. One without a reply, or a refused sign-in, counts for nothing. */
  isSignedOut(): boolean {
    const last = this.asked.findLast(({ what, reply }) => {
      const answer = reply();
      if (what === 'sign-out' || what === 'cancel') return true;
      const whenIdle = ['sign-in', 'use-another-account', 'request-scope', 'step-up'].includes(what);
      if (!whenIdle || answer === null || answer === 'settled' || answer.ok) return whenIdle;
      // The sign-in has begun. Only the board couldn't be written in time.
      return answer.problem.code === 'storage-failed';
    });
    return last?.what === 'sign-out' && last.reply() !== null;
  }

  /** Starts a worker unless one is running, as a browser does for each event. */
  wake(): WorkerLife {
    if (this.life !== null) return this.life;
    this.life = { isOver: false };
    this.worker.start();
    return this.life;
  }

  /** The browser stops the worker, in the middle of its work or at its rest. */
  async kill(): Promise<void> {
    if (this.life === null) return;
    await this.endFormer();
    const { life } = this;
    this.endLife(life);
    this.isDisturbed = true;
    this.noteStored(await this.held());
    this.loseTokens(life);
  }

  /** The browser starts the worker of an update while this one still does what it can without the browser's events. */
  async startBeside(): Promise<void> {
    if (this.life === null) return;
    await this.endFormer();
    const former = this.life;
    this.isDisturbed = true;
    this.life = { isOver: false };
    const end = this.worker.startBeside();
    this.former = { life: former, end, lastGate: this.gates.passed.length + (this.calls % 8) };
    this.worker.install('update');
  }

  /** The worker beside the one that is running ends. */
  async endFormer(): Promise<void> {
    if (this.former === null) return;
    const { life, end } = this.former;
    this.former = null;
    this.gates.end(life, 'late');
    end();
    this.noteStored(await this.held());
    this.loseTokens(life);
  }

  /**
   * Nothing on this device knows a token that was never stored by the worker that got it, or was stored under a key that is gone. All
   * tokens without `life`.
   */
  private loseTokens(life?: WorkerLife): void {
    for (const [token, one] of this.provider.issued) {
      const isOwn = life === undefined || (this.receivers.get(token) ?? life) === life;
      if (one.status === 'live' && isOwn && !this.stored.has(token)) one.arrival = 'lost';
    }
  }

  private noteStored({ session, pendingRevocations }: Held): void {
    if (session !== null) this.stored.add(session.refreshToken ?? session.accessToken ?? '');
    for (const { token } of pendingRevocations) this.stored.add(token);
  }

  /** An update keeps the key of the record in the other place. */
  async moveKey(): Promise<void> {
    await this.kill();
    this.mayAnyEnd = true;
    this.place = this.place === 'device' ? 'browser' : 'device';
    this.life = { isOver: false };
    this.worker.restartWorkerWith(this.place);
    this.worker.install('update');
  }

  /** Closes the browser and opens it again. */
  async restartBrowser(): Promise<void> {
    await this.kill();
    if (this.place === 'browser') {
      this.stored.clear();
      this.loseTokens();
    }
    this.worker.endBrowser();
    for (const own of this.own) own.isOver = true;
    this.others.length = 0;
    this.wake();
    this.worker.startUp();
  }

  /** The administrator changes the policy. The browser wakes the worker to tell it. */
  changePolicy(rule: Rule): void {
    this.wake();
    this.isDisturbed = true;
    this.mayAnyEnd ||= rule === 'nothing is offered' || rule === 'the provider has moved';
    this.rule = rule;
    this.managed.change(policies[rule]);
  }

  send(command: Command): void {
    const life = this.wake();
    if (command.type === 'cancel') this.hasUserEnded = true;
    let reply: Reply | null = null;
    this.asked.push({ what: command.type, life, reply: () => reply });
    const before = this.session();
    const onMessage = (message: unknown) => {
      // The time limits of a dead worker still run out here.
      if (life.isOver) return;
      reply = message as Reply;
      void this.checkReply(command, reply, before);
    };
    // Without a time limit of the page's.
    this.worker.commandLine('command', command, [], { onMessage, onLost: () => undefined });
  }

  /** A command is accepted, unless a call fails that it needs. None asks again for what the user has done. */
  private async checkReply({ type }: Command, reply: Reply, before: View | null): Promise<void> {
    const isRefused = !reply.ok && reply.problem.code === 'storage-failed';
    if (isRefused && !this.isHampered && !this.isDiskFull)
      this.seen.push({ invariant: 'served', detail: `${type} is refused` });
    if (type !== 'try-again' || before?.status !== 'signing-in') return;
    const { session } = await this.held();
    const shown = this.session();
    if (session?.startedAtMs === before.startedAtMs && shown?.status === 'signing-in')
      this.seen.push({ invariant: 'own', detail: 'one that has succeeded begins again' });
  }

  /** A feature requests something of the API at `origin`. */
  request(origin = apiOrigin): void {
    const life = this.wake();
    let isSettled = false;
    this.lastResponse = null;
    const shown = shownIn(this.session());
    // Between the two writes of a change, only the worker knows the request's user.
    const user = this.written?.session.subject === shown ? shown : null;
    const settle = async (end: 'answered' | 'failed') => {
      isSettled = true;
      this.lastResponse = end;
      if (end === 'failed' && !life.isOver && (await this.isServable(user, origin)))
        this.seen.push({ invariant: 'served', detail: `${user} has a good token for ${origin}` });
    };
    this.asked.push({ what: 'fetch', life, reply: () => (isSettled ? 'settled' : null) });
    this.feature?.fetch(`${origin}/things${user === null ? '' : `?as=${user}`}`).then(
      ({ ok }) => settle(ok ? 'answered' : 'failed'),
      () => settle('failed'),
    );
  }

  /** Whether nothing keeps a feature's request of this user from being answered, whatever the provider does. */
  private async isServable(user: string | null, origin: string): Promise<boolean> {
    const { session } = await this.held();
    const isShown = this.session()?.status === 'signed-in' && shownIn(this.session()) === user;
    if (this.isHampered || this.isDiskFull || this.mayAnyEnd || this.isClockSetBack || !this.isOnline)
      return false;
    if (session?.subject !== user || !isShown || this.isSigningOut()) return false;
    // The other API's token comes from a refresh token.
    const mayRenew = origin === apiOrigin || session.refreshToken !== null;
    return this.provider.accepts(session.accessToken, origin) || (mayRenew && this.mayRenew(session));
  }

  /**
   * Whether a renewal succeeds, with the refresh token or silently: at its second try, if one call of the first has failed. A provider
   * without grace may end the grant then.
   */
  private mayRenew({ refreshToken, subject }: NonNullable<Held['session']>): boolean {
    const { kind, user } = this.provider;
    const isLive = this.provider.isLive(refreshToken ?? '');
    if (this.isDisturbed || this.failedCalls > 1) return false;
    if (this.failedCalls === 0) return isLive || user === subject;
    return isLive && kind !== 'rotates' && this.faults.every(({ what }) => what.endsWith('fails'));
  }

  /** The newest of our windows that is open, or hasn't appeared yet. */
  window(status: 'launched' | 'open'): OwnWindow | undefined {
    return this.own.findLast(({ isOver, window }) => !isOver && window.isOpen === (status === 'open'));
  }

  show(own: OwnWindow): void {
    own.isUnknown = own.life.isOver;
    own.window.appear();
  }

  agree({ window }: OwnWindow, user: User): void {
    window.redirect(this.provider.approve(window.url, user));
  }

  openOtherWindow(): void {
    this.wake();
    this.others.push(this.worker.openForeignWindow('https://elsewhere.example/'));
  }

  /** The user code that the board shows; null if it shows none. */
  shownCode(): string | null {
    const session = this.session();
    return (session?.status === 'signing-in' && session.device?.userCode) || null;
  }

  /** The user enters the code that is shown; null for someone who does not agree. Then the worker asks again. */
  enterCode(user: User | null): void {
    this.provider.enterCode(this.shownCode() ?? '', user);
    this.letPass(codePauseSeconds * 1_000);
  }

  /** Lets time pass, in which timers run. */
  letPass(ms: number): void {
    this.nowMs += ms;
    runTimers(ms);
  }

  /** Lets a minute pass, in which all time limits end. */
  letMinutePass(): void {
    this.nowMs += 60_000;
    passMinute();
  }

  /** Resolves when the worker has done what it can, timers that are due included, until a gate opens. */
  async rest(): Promise<void> {
    runTimers(0);
    do await turns(quietTurns);
    while (this.working > 0);
    this.nowMs += 1;
    if (this.former !== null && this.gates.passed.length >= this.former.lastGate) {
      await this.endFormer();
      return this.rest();
    }
    if (this.worker.shown.reloads === this.reloads) return;
    this.reload();
    await this.rest();
  }

  /** Opens all gates until the worker rests, also after a moment. */
  async drain(): Promise<void> {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      await this.rest();
      if (!this.gates.openAll() && !(await this.movesSoon())) return;
    }
    strayRejections.push('the worker never comes to rest');
  }

  /** Lets a moment pass. Whether something waits at the gates then. */
  async movesSoon(): Promise<boolean> {
    this.letPass(momentMs);
    await this.rest();
    return !this.gates.isIdle();
  }

  /** The worker has reloaded the extension. It answers for all tokens that it has got or was about to get. */
  private reload(): void {
    this.reloads = this.worker.shown.reloads;
    this.isDisturbed = true;
    for (const one of this.provider.issued.values()) {
      if (one.arrival === 'on its way') one.arrival = 'received';
    }
    if (this.life !== null) this.endLife(this.life);
    // Chromium clears them with the extension's context.
    this.worker.memory.items.clear();
    Object.assign(this.worker.toolbar, this.button);
    this.wake();
    this.worker.install('update');
  }

  private endLife(life: WorkerLife): void {
    this.gates.end(life);
    this.life = null;
    this.worker.stop();
  }

  /** Makes a call of a worker between two gates. */
  private async call<T>(
    life: WorkerLife,
    channel: string,
    label: string,
    effect: () => Promise<T>,
  ): Promise<T> {
    if (ungatedCalls.test(label)) {
      // The journal is for support, and grows with each step.
      return label.endsWith('.set journal') ? ({} as T) : effect();
    }
    const isFlow = label === 'identity.launchWebAuthFlow';
    this.calls += 1;
    // An area answers its calls in their order. A browser has no such order for flows, nor for requests.
    const own = isFlow || label.startsWith('network') ? `call ${this.calls}` : channel;
    return this.gates.run(life, own, label, async () => {
      if (isFlow) {
        try {
          return await this.launch(life, effect);
        } finally {
          // A worker that another one has replaced doesn't get the window's result.
          if (life !== this.life) await new Promise(() => undefined);
        }
      }
      this.working += 1;
      const what = this.toFault(label);
      try {
        if (what === 'fails') throw toFailure(label);
        const result = what === 'hangs' ? null : await this.perform(label, effect);
        if (what === 'is done and fails') throw toFailure(label);
        if (what === null) return result as T;
      } finally {
        this.working -= 1;
      }
      return new Promise<never>(() => undefined);
    });
  }

  /** How this call goes wrong; null if it doesn't. */
  private toFault(label: string): Fault['what'] | null {
    if (!mayFail.test(label)) return null;
    this.faultyCalls.push(label);
    const isFull = this.isDiskFull && label === 'database';
    const fault = this.faults.find(
      ({ of, what }) =>
        of === this.faultyCalls.length ||
        (what.endsWith('keeps failing') &&
          of < this.faultyCalls.length &&
          this.faultyCalls[of - 1] === label),
    );
    if (fault === undefined && !isFull) return null;
    this.failedCalls += 1;
    this.isHampered ||= !mayBeDoneWithout.test(label);
    if (fault === undefined || fault.of !== this.faultyCalls.length) return 'fails';
    if (fault.what.endsWith('keeps failing'))
      return fault.what === 'keeps failing' ? 'fails' : 'is done and fails';
    // Time limits run out together here, so what comes after the first of them isn't seen.
    this.isHampered ||= fault.what.endsWith('hangs');
    // How long an API takes is the feature's business.
    return label === apiLabel && fault.what.endsWith('hangs') ? 'fails' : fault.what;
  }

  private async perform<T>(label: string, effect: () => Promise<T>): Promise<T> {
    const result = await effect();
    if (/^(database|storage\.\w+\.set board)$/.test(label)) await this.look();
    return result;
  }

  private async launch<T>(life: WorkerLife, effect: () => Promise<T>): Promise<T> {
    const known = this.worker.windows.length;
    // Firefox ends both as if the user had closed their window. The worker waits for the one before, but not for ever.
    if (this.manner === 'firefox' && this.own.some(({ isOver }) => !isOver)) this.hasUserEnded = true;
    const done = effect();
    for (const window of this.worker.windows.slice(known)) {
      const { origin, searchParams } = new URL(window.url);
      if (origin !== issuer && searchParams.has('id_token_hint'))
        this.seen.push({ invariant: 'apis', detail: `an ID token goes to ${origin}` });
      const own: OwnWindow = { window, life, isUnknown: false, isOver: false };
      this.own.push(own);
      const end = () => void (own.isOver = true);
      done.then(end, end);
    }
    return done;
  }

  /** Looks at what a write has left. */
  private async look(): Promise<void> {
    const [before, session] = [this.shown, this.session()];
    this.shown = session;
    const isBack = before?.status === 'signed-out' && shownIn(session) !== null && this.isSigningOut();
    if (isBack && this.asked.at(-1)?.life === this.life)
      this.seen.push({ invariant: 'wish', detail: `${shownIn(session)} is shown again` });
    const isCancelled =
      before?.status === 'signing-in' &&
      session !== null &&
      session.status !== 'signing-in' &&
      toBegin(session) === toBegin(before.before);
    const problem = session === null ? null : settledView(session).problem;
    if (isCancelled && problem?.code === 'cancelled' && !this.hasUserEnded)
      this.seen.push({ invariant: 'own', detail: 'one is shown as cancelled' });
    if (isCancelled) this.cancelled.add(before.startedAtMs);
    // Another one began in the same millisecond.
    else if (session?.status === 'signing-in') this.cancelled.delete(session.startedAtMs);
    const held = await this.held();
    this.noteStored(held);
    this.noteReplaced(held);
    this.onWritten(held);
  }

  /** Compares the session in the record with the one before. */
  private noteReplaced({ session }: Held): void {
    const { written: former } = this;
    if (former !== null && former.session.startedAtMs === session?.startedAtMs) {
      const { accessToken } = former.session;
      // A renewal replaces an access token that is about to end, or that an API has refused. It isn't revoked.
      if (accessToken !== null && accessToken !== session.accessToken) this.provider.replace(accessToken);
    } else if (former !== null && session === null && !this.mayEnd(former)) {
      this.seen.push({ invariant: 'lasts', detail: `that of ${former.session.subject} has ended` });
    }
    const isSame = former !== null && former.session.startedAtMs === session?.startedAtMs;
    this.written = session && { session, asked: isSame ? former.asked : this.asked.length };
  }

  /** Whether something has happened for which a session may end. */
  private mayEnd({ session, asked }: NonNullable<Stage['written']>): boolean {
    const { refreshToken, startedAtMs } = session;
    return (
      this.mayAnyEnd ||
      this.asked.slice(asked).some(({ what }) => what === 'sign-out') ||
      this.isSigningOut() ||
      this.cancelled.has(startedAtMs) ||
      refreshToken === null ||
      !this.provider.isLive(refreshToken)
    );
  }

  /** The browser and the network as this worker reaches them. */
  private toOutside(life: WorkerLife): ReturnType<NonNullable<WorkerSetup['outside']>> {
    return {
      runCall: (path, args, effect) => this.call(life, toChannel(path), toLabel(path, args), effect),
      fetch: async (url, init) => {
        const { pathname, origin } = new URL(url);
        const label = `network ${pathname}`;
        if (label === apiLabel && this.isSignedOut())
          this.seen.push({ invariant: 'wish', detail: `a token goes to ${origin}` });
        const { issued } = this.provider;
        let brought: string[] = [];
        const mark = (arrival: 'received' | 'lost') => {
          for (const token of brought) {
            issued.get(token)!.arrival = arrival;
            this.receivers.set(token, life);
          }
        };
        let isOver = false;
        const answered = this.call(life, label, label, async () => {
          if (!this.isOnline) throw toFailure(label);
          const known = issued.size;
          const answer = this.provider.fetch(url, init);
          brought = [...issued.keys()].slice(known);
          if (isOver || life.isOver) mark('lost');
          return answer;
        });
        try {
          const response = await Promise.race([answered, whenAborted(init.signal)]);
          mark('received');
          return response;
        } catch (error) {
          isOver = true;
          mark('lost');
          throw error;
        }
      },
    };
  }
}

/** Rejects when the time limit of a request has run out, as `fetch` does. */
function whenAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}

/** The administrator's policies, as a browser hands them over. */
const policies: Readonly<Record<Rule, Record<string, unknown>>> = {
  none: {},
  'nothing is offered': {
    version: 1,
    providers: [{ id: 'other', name: 'Other', issuer: policyOrigin, clientId: 'other' }],
    locked: true,
  },
  'the provider has moved': {
    version: 1,
    providers: [{ id: 'scripted', name: 'Scripted', issuer: policyOrigin, clientId: 'client' }],
    locked: true,
  },
  'sign in when the popup opens': { version: 1, providers: [{ id: 'scripted' }], autoSignIn: 'popup' },
};

/** A channel is a queue: of the calls of `storage.local`, only the first one begins or returns next. */
function toChannel(path: string): string {
  return path.replace(/\.\w+$/, '');
}

function toFailure(label: string): Error {
  if (label === 'database') return new ProblemError('storage-failed');
  return label.startsWith('network') ? new TypeError('Failed to fetch') : new Error(label);
}

/** The subject of the user on a board, also under a running sign-in. */
export function shownIn(session: View | null): string | null {
  const settled = session === null ? null : settledView(session);
  return settled?.status === 'signed-in' ? settled.profile.subject : null;
}

/** When the user was signed in; null while no one is. */
function toBegin(session: SignedOut | SignedIn): number | null {
  return session.status === 'signed-in' ? session.sinceMs : null;
}
