// A worker in its browser, with everything around it in the hands of the search: storage, database, network, windows, clock,
// life and death.

import { createDatabase } from '../../../src/background/record/database.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import type { View } from '../../../src/session/view.ts';
import { createMemoryKey } from '../../../src/background/record/disk.ts';
import { vaultKeyName } from '../../../src/background/storage.ts';
import { strayRejections } from '../failing-calls.ts';
import { FakeManagedStorage, type FakeForeignWindow, type FakeWindow, type Manner } from '../fake-browser.ts';
import { readHeldFrom, type Held } from '../held.ts';
import { apiOrigin, payOrigin } from '../scripted-api.ts';
import { issuer, provider as scripted } from '../scripted-provider.ts';
import { turns } from '../turns.ts';
import { policyOrigin, setUpWorker, type Worker, type WorkerSetup } from '../worker-setup.ts';
import { toLabel } from './gated-browser.ts';
import { createGates, randomNumbers, type WorkerLife } from './gates.ts';
import { codePauseSeconds, CountingProvider, payResource, type ProviderKind, type User } from './provider.ts';
import { apiLabel, Faults, toFailure } from './faults.ts';
import { Witness } from './witness.ts';
import { forgetTime, passMinute, runTimers } from './still-time.ts';

/** How the user signs in: in a window, or with a code that they enter elsewhere. */
export type Way = 'window' | 'code';

/** The administrator's policy. */
export type Rule = 'none' | 'nothing is offered' | 'the provider has moved' | 'sign in when the popup opens';

/** A sign-in or sign-out window of ours. */
export interface OwnWindow {
  readonly window: FakeWindow;
  /** The worker that waits for its end. */
  readonly life: WorkerLife;
  /** Whether it appeared after its worker had died, so that no worker can know of it. */
  isUnknown: boolean;
  isOver: boolean;
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

export class Stage {
  readonly worker: Worker;
  readonly gates = createGates();
  readonly provider: CountingProvider;
  readonly own: OwnWindow[] = [];
  /** The windows of other sites, which must be left alone. */
  readonly others: FakeForeignWindow[] = [];
  readonly witness = new Witness(this);
  rule: Rule = 'none';
  isOnline = true;
  /** Whether something has happened that may make a single attempt fail, apart from calls that go wrong. */
  isDisturbed = false;
  isClockSetBack = false;
  /** The tokens that the record has ever held. */
  private readonly stored = new Set<string>();
  /** Where the key of the record is. */
  place: 'device' | 'browser' = 'device';
  /** The worker that is running; null while it is asleep. */
  life: WorkerLife | null = { isOver: false };
  readonly faults = new Faults();
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
  /** A worker that the one that is running has replaced, and that isn't dead yet. */
  private former: { readonly life: WorkerLife; readonly end: () => void; readonly lastGate: number } | null =
    null;
  /** The worker that got each token. */
  private readonly receivers = new Map<string, WorkerLife>();
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
    await this.forget(life);
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
    await this.forget(life);
  }

  /** A worker has died: nothing on this device knows the tokens that it has got and never stored. */
  private async forget(life: WorkerLife): Promise<void> {
    this.noteStored(await this.held());
    this.loseTokens((token) => !this.stored.has(token) && (this.receivers.get(token) ?? life) === life);
  }

  private loseTokens(isLost: (token: string) => boolean): void {
    for (const [token, one] of this.provider.issued)
      if (one.status === 'live' && isLost(token)) one.arrival = 'lost';
  }

  private noteStored({ session, pendingRevocations }: Held): void {
    if (session !== null) this.stored.add(session.refreshToken ?? session.accessToken ?? '');
    for (const { token } of pendingRevocations) this.stored.add(token);
  }

  /** An update keeps the key of the record in the other place. */
  async moveKey(): Promise<void> {
    await this.kill();
    this.witness.mayAnyEnd = true;
    this.place = this.place === 'device' ? 'browser' : 'device';
    this.life = { isOver: false };
    this.worker.restartWorkerWith(this.place);
    this.worker.install('update');
  }

  /** Closes the browser and opens it again. */
  async restartBrowser(): Promise<void> {
    await this.kill();
    // The key is gone.
    if (this.place === 'browser') this.loseTokens(() => true);
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
    this.witness.mayAnyEnd ||= rule === 'nothing is offered' || rule === 'the provider has moved';
    this.rule = rule;
    this.managed.change(policies[rule]);
  }

  send(command: Command): void {
    const life = this.wake();
    if (command.type === 'cancel') this.witness.hasUserEnded = true;
    let reply: Reply | null = null;
    this.witness.asked.push({ what: command.type, life, reply: () => reply });
    const before = this.session();
    const onMessage = (message: unknown) => {
      // The time limits of a dead worker still run out here.
      if (life.isOver) return;
      reply = message as Reply;
      void this.witness.checkReply(command, reply, before);
    };
    // Without a time limit of the page's.
    this.worker.commandLine('command', command, [], { onMessage, onLost: () => undefined });
  }

  /** A feature requests something of the API at `origin`. */
  request(origin = apiOrigin): void {
    const life = this.wake();
    let isSettled = false;
    this.lastResponse = null;
    const user = this.witness.user();
    const settle = async (end: 'answered' | 'failed') => {
      isSettled = true;
      this.lastResponse = end;
      if (end === 'failed' && !life.isOver && (await this.witness.isServable(user, origin)))
        this.witness.seen.push({ invariant: 'served', detail: `${user} has a good token for ${origin}` });
    };
    this.witness.asked.push({ what: 'fetch', life, reply: () => (isSettled ? 'settled' : null) });
    this.feature?.fetch(`${origin}/things${user === null ? '' : `?as=${user}`}`).then(
      ({ ok }) => settle(ok ? 'answered' : 'failed'),
      () => settle('failed'),
    );
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
      const what = this.faults.next(label);
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

  private async perform<T>(label: string, effect: () => Promise<T>): Promise<T> {
    const result = await effect();
    if (/^(database|storage\.\w+\.set board)$/.test(label)) {
      const held = await this.witness.look();
      this.noteStored(held);
      this.onWritten(held);
    }
    return result;
  }

  private async launch<T>(life: WorkerLife, effect: () => Promise<T>): Promise<T> {
    const known = this.worker.windows.length;
    // Firefox ends both as if the user had closed their window. The worker waits for the one before, but not for ever.
    if (this.manner === 'firefox' && this.own.some(({ isOver }) => !isOver)) this.witness.hasUserEnded = true;
    const done = effect();
    for (const window of this.worker.windows.slice(known)) {
      const { origin, searchParams } = new URL(window.url);
      if (origin !== issuer && searchParams.has('id_token_hint'))
        this.witness.seen.push({ invariant: 'apis', detail: `an ID token goes to ${origin}` });
      const own: OwnWindow = { window, life, isUnknown: false, isOver: false };
      this.own.push(own);
      const end = () => void (own.isOver = true);
      done.then(end, end);
    }
    return done;
  }

  /** The browser and the network as this worker reaches them. */
  private toOutside(life: WorkerLife): ReturnType<NonNullable<WorkerSetup['outside']>> {
    return {
      runCall: (path, args, effect) => this.call(life, toChannel(path), toLabel(path, args), effect),
      fetch: async (url, init) => {
        const { pathname, origin } = new URL(url);
        const label = `network ${pathname}`;
        if (label === apiLabel && this.witness.isSignedOut())
          this.witness.seen.push({ invariant: 'wish', detail: `a token goes to ${origin}` });
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
