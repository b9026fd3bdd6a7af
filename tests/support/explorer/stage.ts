// A worker in its browser, with everything around it in the hands of the search: storage, database, network, windows, clock,
// life and death.

import { createDatabase } from '../../../src/background/record/database.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { Environment } from '../../../src/oidc/http.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import type { View, SignedIn, SignedOut } from '../../../src/session/view.ts';
import { strayRejections } from '../failing-calls.ts';
import { FakeManagedStorage, type FakeForeignWindow, type FakeWindow, type Manner } from '../fake-browser.ts';
import { readHeldFrom, type Held } from '../held.ts';
import { apiOrigin, payOrigin } from '../scripted-api.ts';
import { provider as scripted } from '../scripted-provider.ts';
import { turns } from '../turns.ts';
import { policyOrigin, setUpWorker, type Worker } from '../worker-setup.ts';
import { toLabel } from './gated-browser.ts';
import { createGates, randomNumbers, type WorkerLife } from './gates.ts';
import { codePauseSeconds, CountingProvider, payResource, type ProviderKind, type User } from './provider.ts';
import { forgetTime, passMinute, runTimers } from './still-time.ts';

/** How the user signs in: in a window, or with a code that they enter elsewhere. */
export type Way = 'window' | 'code';

/** The administrator's policy. */
export type Rule = 'none' | 'nothing is offered' | 'sign in when the popup opens';

/** One write, request or use of the database goes wrong: it isn't done, or it's done and its answer is lost; or it never returns. */
export interface Fault {
  readonly what: 'fails' | 'is done and fails' | 'hangs' | 'is done and hangs';
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
const mayFail = /^(network|database$|storage\.\w+\.(set|remove))/;

/** A request of the feature. */
const apiLabel = 'network /things';

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
  /** Whether something has happened that may make a single attempt fail. */
  isDisturbed = false;
  isClockSetBack = false;
  /** How many calls have gone wrong. After one, a worker may not know what was tried before. */
  failedCalls = 0;
  nowMs = 1_800_000_000_000;
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
  /** The session that a write has left last, with its token. */
  private former: { readonly startedAtMs: number; readonly token: string | null } | null = null;

  constructor(manner: Manner, way: Way, kind: ProviderKind) {
    forgetTime();
    this.provider = new CountingProvider(kind, () => this.nowMs);
    this.managed = new FakeManagedStorage(manner);
    // A policy is there at once or not at all.
    this.managed.installType = 'development';
    const pay = { name: null, origins: [payOrigin], scope: null, resource: payResource, audience: null };
    const deviceFlow = way === 'code' ? 'only' : 'off';
    this.worker = setUpWorker({
      manner,
      managed: this.managed,
      providers: [{ ...scripted, apiOrigins: [apiOrigin], apis: [pay], deviceFlow }],
      startFeature: (props) => {
        this.feature = props;
      },
      runCall: (path, args, effect) => this.call(toChannel(path), toLabel(path, args), effect),
      redirects: null,
      world: this.toWorld(),
    });
    this.worker.silence.answer = (url) => {
      const { user } = this.provider;
      if (user === null) return Promise.reject(new Error('User interaction required.'));
      return Promise.resolve(this.provider.approve(url, user));
    };
  }

  /** The session that the board shows. */
  session(): View | null {
    return this.worker.session() ?? null;
  }

  /** The contents of the record. */
  held(): Promise<Held> {
    return this.withDatabase((database) => readHeldFrom(database));
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
    this.endLife(this.life);
    this.isDisturbed = true;
    const { session, pendingRevocations } = await this.held();
    const kept = [
      session?.refreshToken,
      session?.accessToken,
      ...pendingRevocations.map(({ token }) => token),
    ];
    for (const [token, one] of this.provider.issued) {
      if (one.status === 'live' && !kept.includes(token)) one.arrival = 'lost';
    }
  }

  /** Closes the browser and opens it again. */
  async restartBrowser(): Promise<void> {
    await this.kill();
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
    this.rule = rule;
    this.managed.change(policies[rule]);
  }

  send(command: Command): void {
    const life = this.wake();
    let reply: Reply | null = null;
    this.asked.push({ what: command.type, life, reply: () => reply });
    const onMessage = (message: unknown) => {
      // The time limits of a dead worker still run out here.
      if (!life.isOver) reply = message as Reply;
    };
    // Without a time limit of the page's.
    this.worker.commandLine('command', command, [], { onMessage, onLost: () => undefined });
  }

  /** A feature requests something of the API at `origin`. */
  request(origin = apiOrigin): void {
    const life = this.wake();
    let isSettled = false;
    this.lastResponse = null;
    const settle = (end: 'answered' | 'failed') => {
      isSettled = true;
      this.lastResponse = end;
    };
    this.asked.push({ what: 'fetch', life, reply: () => (isSettled ? 'settled' : null) });
    this.feature?.fetch(`${origin}/things`).then(
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
    // Chromium clears it with the extension's context.
    this.worker.memory.items.clear();
    this.wake();
    this.worker.install('update');
  }

  private endLife(life: WorkerLife): void {
    this.gates.end(life);
    this.life = null;
    this.worker.stop();
  }

  /** Makes a call of a worker between two gates. */
  private async call<T>(channel: string, label: string, effect: () => Promise<T>): Promise<T> {
    // A dead worker makes no calls.
    const life = this.life!;
    if (ungatedCalls.test(label)) {
      // The journal is for support, and grows with each step.
      return label.endsWith('.set journal') ? ({} as T) : effect();
    }
    const isFlow = label === 'identity.launchWebAuthFlow';
    this.calls += 1;
    // An area answers its calls in their order. A browser has no such order for flows, nor for requests.
    const own = isFlow || label.startsWith('network') ? `call ${this.calls}` : channel;
    return this.gates.run(life, own, label, async () => {
      if (isFlow) return this.launch(life, effect);
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
    const fault = this.faults.find(({ of }) => of === this.faultyCalls.length);
    if (fault === undefined) return null;
    this.isDisturbed = true;
    this.failedCalls += 1;
    // How long an API takes is the feature's business.
    return label === apiLabel && fault.what.endsWith('hangs') ? 'fails' : fault.what;
  }

  private async perform<T>(label: string, effect: () => Promise<T>): Promise<T> {
    const result = await effect();
    if (label === 'database' || label === 'storage.local.set board') await this.look();
    return result;
  }

  private async launch<T>(life: WorkerLife, effect: () => Promise<T>): Promise<T> {
    const known = this.worker.windows.length;
    const done = effect();
    for (const window of this.worker.windows.slice(known)) {
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
    const isCancelled =
      before?.status === 'signing-in' &&
      session !== null &&
      session.status !== 'signing-in' &&
      toBegin(session) === toBegin(before.before);
    if (isCancelled) this.cancelled.add(before.startedAtMs);
    // Another one began in the same millisecond.
    else if (session?.status === 'signing-in') this.cancelled.delete(session.startedAtMs);
    const held = await this.held();
    this.noteReplaced(held);
    this.onWritten(held);
  }

  /** A renewal replaces an access token that is about to end, or that an API has refused. It isn't revoked. */
  private noteReplaced({ session }: Held): void {
    const token = session?.accessToken ?? null;
    if (this.former?.token && this.former.startedAtMs === session?.startedAtMs && this.former.token !== token)
      this.provider.replace(this.former.token);
    this.former = session && { startedAtMs: session.startedAtMs, token };
  }

  /** The world as the worker sees it. */
  private toWorld(): Partial<Environment> {
    return {
      nowMs: () => this.nowMs,
      isOnline: () => this.isOnline,
      mayReach: () => Promise.resolve(true),
      randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(this.random() * 256)),
      fetch: async (url, init) => {
        const label = `network ${new URL(url).pathname}`;
        const { issued } = this.provider;
        let brought: string[] = [];
        const mark = (arrival: 'received' | 'lost') => {
          for (const token of brought) issued.get(token)!.arrival = arrival;
        };
        let isOver = false;
        const answered = this.call(label, label, async () => {
          if (!this.isOnline) throw toFailure(label);
          const known = issued.size;
          const answer = this.provider.fetch(url, init);
          brought = [...issued.keys()].slice(known);
          if (isOver) mark('lost');
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

/** When the user was signed in; null while no one is. */
function toBegin(session: SignedOut | SignedIn): number | null {
  return session.status === 'signed-in' ? session.sinceMs : null;
}
