// A worker in its browser, with everything around it in the hands of the explorer: storage, database, network, windows,
// clock, life and death.

import 'fake-indexeddb/auto';
import { soon } from '../soon.ts';
import { startWorker } from '../../../src/background/worker.ts';
import { parseBoard, type Board } from '../../../src/bridge/session/board.ts';
import type { PolicyReading } from '../../../src/config/policy.ts';
import type { Config, Provider } from '../../../src/config/provider.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import { createFakeBrowser, FakeManagedStorage, type Manner } from '../fake-browser.ts';
import { askForScope, createAsked, isRunBy, noteBoard, type Asked } from './asked.ts';
import { createCountingProvider, type CountingProvider } from './counting-provider.ts';
import { createGates, quiet, randomNumbers, type Gates, type WorkerLife } from './gates.ts';
import { readHeld, type Held } from './held.ts';
import { createLedger, setReceived, type Ledger, type Person } from './ledger.ts';
import { createSearchDatabase, type Stored } from './search-database.ts';
import { Windows } from './own-windows.ts';
import { provider, toOptionalParts } from './providers.ts';
import { passMinute, runTimers, strayRejections } from './still-time.ts';
import { Wishes } from './wishes.ts';
import { toWorkerBrowser, toWorkerWorld } from './worker-calls.ts';

/** Everything that outlives a worker. */
export interface Remains {
  readonly providers: readonly Provider[];
  readonly persistence: Config['persistence'];
  readonly local: ReadonlyMap<string, unknown>;
  readonly memory: ReadonlyMap<string, unknown>;
  readonly stored: Stored;
  readonly ledger: Ledger | null;
  readonly person: Person | null;
  readonly policy: ManagedPolicy;
  readonly nowMs: number;
}

/** A browser in which the extension has never been. */
export const nothing: Remains = {
  providers: [provider],
  persistence: 'device',
  local: new Map(),
  memory: new Map(),
  stored: new Map(),
  ledger: null,
  person: null,
  policy: {},
  nowMs: 1_800_000_000_000,
};

/**
 * What befalls a call: a write fails, before or after it is done; the browser rejects a call that is no write; a call never
 * settles, and does nothing; the provider acts on a request, and its answer never arrives.
 */
export const faultKinds = ['fails', 'is done and fails', 'is rejected', 'hangs', 'loses its answer'] as const;

export interface Fault {
  readonly what: (typeof faultKinds)[number];
  /** The call, by its name, or by its number among those of which {@link isHeld} says that the worker bears it, from 1. */
  readonly of: number | string;
  /** How many calls of that name go well before. */
  readonly skips?: number | undefined;
  /** How many calls of that name it befalls then; one by default. */
  readonly times?: number | undefined;
}

/**
 * The faults that today's worker takes in its stride. Of the others, tests/background/interleavings.test.ts has one row
 * each. Only the requests have a deadline, and the end of a request of a feature is the feature's affair.
 */
function isHeld(what: Fault['what'], label: string): boolean {
  switch (what) {
    case 'hangs':
      return /^(network (?!\/things)|action|runtime)/.test(label);
    case 'is rejected':
      return label !== 'storage.managed.get' && label !== 'windows.remove';
    case 'fails':
    case 'is done and fails':
    case 'loses its answer':
      return true;
  }
}

/** The calls so far that a fault can befall, by name. */
export type Calls = Readonly<Record<Fault['what'], readonly string[]>>;

/** The administrator's policy; empty if there is none. */
export interface ManagedPolicy {
  readonly rule?:
    | 'nothing is offered'
    | 'another client is used'
    | 'it is mistaken'
    | 'sign in when the popup opens'
    | 'sign in when the browser starts';
}

function readPolicy(
  { rule }: ManagedPolicy,
  built: readonly Provider[],
  persistence: Config['persistence'],
): PolicyReading {
  const read = (providers: readonly Provider[], autoSignIn: 'off' | 'popup' | 'startup' = 'off') =>
    ({ outcome: 'read', policy: { providers, persistence, managedBy: null, autoSignIn } }) as const;
  switch (rule) {
    case 'nothing is offered':
      return read([]);
    case 'another client is used':
      return read(built.map((one) => ({ ...one, clientId: `${one.clientId}-of-policy` })));
    case 'it is mistaken':
      return { outcome: 'refused', problems: ['a mistake'] };
    case 'sign in when the popup opens':
      return read(built, 'popup');
    case 'sign in when the browser starts':
      return read(built, 'startup');
    default:
      return read(built);
  }
}

/** Something that a page waits for. */
interface Awaited {
  readonly what: string;
  readonly kind: 'command' | 'request' | 'scope';
  readonly life: WorkerLife;
  status: 'waiting' | 'settled';
  /** Why it failed; null if it did not. */
  failure: string | null;
}

export interface StageOptions {
  readonly manner: Manner;
  /** Called after each write of the board or the vault. */
  readonly onWritten?: (stage: Stage, held: Held) => void;
  readonly onFault?: (label: string) => void;
}

/** Far more than the worker takes until nothing moves any more. */
const maxTurns = 1_000;

/** Longer than the worker waits before it looks again; shorter than any time limit. */
const momentMs = 2_000;

/** Longer than the worker waits for a hidden page. */
const hiddenPageMs = 16_000;

/** The pause between two requests for the tokens of a code. */
const codePauseMs = 5_000;

/** The pause after a silent renewal that failed. */
const silentPauseMs = 60_000;

export class Stage {
  readonly managed;
  readonly fake;
  readonly gates: Gates = createGates();
  readonly provider: CountingProvider;
  readonly wishes = new Wishes();
  readonly windows = new Windows(this.wishes);
  readonly asked: Asked = createAsked();
  /** The replies that the pages wait for. */
  readonly awaited: Awaited[] = [];
  /** All texts that left the worker: what it stored and answered. */
  readonly told: { readonly where: string; readonly text: string }[] = [];
  fault: Fault | null = null;
  /** How often the network has gone or come back. */
  private networkChanges = 0;
  isOnline = true;
  /** Whether something has happened that may fail what is tried once. */
  isDisturbed = false;
  /** How often the APIs have refused the tokens of then. */
  refusals = 0;
  /** How often a silent renewal was tried again too soon after one that failed. */
  hastyRenewals = 0;
  /** The tokens of sign-ins during whose redemption a token of the same client was revoked. */
  readonly disturbed = new Set<string>();
  /** Whether a write of the session went wrong. */
  private isSessionLost = false;
  nowMs: number;
  /** The worker that is running; null while it is asleep. */
  life: WorkerLife | null = null;
  readonly onWindowCreated = new Set<(window: { id: number; type: string }) => void>();
  readonly random = randomNumbers(1);
  /** The last refresh token of each session in the vault. */
  readonly kept = new Map<string, string | null>();
  readonly providers: readonly Provider[];
  private readonly persistence: Config['persistence'];
  private readonly database;
  private readonly reader;
  private readonly options: StageOptions;
  private lives = 0;
  private feature: FeatureWorkerProps | null = null;
  private hasReloaded = false;
  /** The workers that another one was started beside. */
  private readonly older: WorkerLife[] = [];
  private readonly calls = new Map<Fault['what'], string[]>();
  /** How many calls of the name of the fault there were. */
  private named = 0;
  private hangingPages = 0;
  /** Whether a minute has passed since the last silent renewal. */
  private isMinutePassed = false;
  /** The last silent renewal, and what has happened before it. */
  private lastRenewal = { atMs: -Infinity, life: 0, wishes: 0, issued: 0, networkChanges: 0 };
  private lastBoard: { readonly stored: unknown; readonly board: Board | null } = {
    stored: null,
    board: null,
  };
  private lastHeld: { readonly version: number; readonly key: unknown; readonly held: Promise<Held> } | null =
    null;
  /** The refresh tokens in the answers to each worker's requests, arrived or not. */
  private readonly issuedTo = new Map<WorkerLife, string[]>();

  constructor(remains: Remains, options: StageOptions = { manner: 'chromium' }) {
    this.options = options;
    this.managed = new FakeManagedStorage(options.manner);
    this.fake = createFakeBrowser({ managed: this.managed, manner: options.manner });
    // A policy is there at once or not at all.
    this.managed.installType = 'development';
    this.managed.policy = { ...remains.policy };
    this.providers = remains.providers;
    this.persistence = remains.persistence;
    this.nowMs = remains.nowMs;
    this.provider = createCountingProvider(() => this.nowMs, remains.ledger);
    this.provider.person = remains.person;
    this.database = createSearchDatabase(remains.stored, {
      before: (label) => this.beforeWrite(label),
      after: async (label) => {
        this.gates.passed.push(`${label} written`);
        if (label.includes('vault: ')) await this.look();
        this.afterWrite(label);
      },
    });
    this.reader = this.database.connect();
    for (const [key, value] of remains.local) this.fake.local.items.set(key, value);
    for (const [key, value] of remains.memory) this.fake.memory.items.set(key, value);
    this.fake.silence.answer = (url) => this.openHiddenPage(url);
  }

  /** A copy of what would be left if the worker and its windows were gone. The journal is left out: nobody reads it. */
  async remains(): Promise<Remains> {
    return {
      providers: this.providers,
      persistence: this.persistence,
      local: new Map([...this.fake.local.items].filter(([key]) => key !== 'journal')),
      memory: new Map(this.fake.memory.items),
      stored: await this.database.stored(),
      ledger: createLedger(this.provider.ledger),
      person: this.provider.person,
      policy: this.policy(),
      nowMs: this.nowMs,
    };
  }

  /** The sign-in at the first provider. */
  get signIn(): Command {
    return { type: 'sign-in', providerId: this.providers[0]?.id ?? '' };
  }

  board(): Board | null {
    const area = this.persistence === 'device' ? this.fake.local : this.fake.memory;
    const stored = area.items.get('board');
    // A write stores another object.
    if (stored !== this.lastBoard.stored) this.lastBoard = { stored, board: parseBoard(stored) };
    return this.lastBoard.board;
  }

  /** The content of the vault. It is opened again only after a write. */
  held(): Promise<Held> {
    const [version, key] = [this.database.version(), this.fake.memory.items.get('vault-key')];
    if (this.lastHeld?.version !== version || this.lastHeld.key !== key) {
      this.lastHeld = { version, key, held: readHeld(this.reader, this.fake.memory, this.persistence) };
    }
    return this.lastHeld.held;
  }

  // Events of the worker's life.

  /** Starts a worker unless one is running, as a browser does for each event. */
  wake(): WorkerLife {
    if (this.life !== null) return this.life;
    const life = { number: (this.lives += 1), isOver: false };
    this.life = life;
    this.issuedTo.set(life, []);
    this.forgetListeners();
    startWorker(
      toWorkerBrowser(this, life),
      this.fake.scope,
      toWorkerWorld(this, life),
      () => {
        const withDatabase = this.database.connect();
        return (use) => this.run(life, 'database', 'database', () => withDatabase(use));
      },
      { providers: this.providers, persistence: this.persistence },
      (props) => {
        this.feature = props;
      },
      {
        readPolicy: (policy) => readPolicy(policy as ManagedPolicy, this.providers, this.persistence),
        mayBegin: soon,
      },
      toOptionalParts(this.providers),
    );
    return life;
  }

  /** Whether a policy excludes the providers. */
  isExcluded(): boolean {
    return this.policy().rule === 'nothing is offered';
  }

  policy(): ManagedPolicy {
    return this.managed.policy;
  }

  /** The administrator changes the policy. The browser wakes the worker to tell it. */
  changePolicy(policy: ManagedPolicy): void {
    this.wake();
    // The window of a sign-in is to be closed then, as after a cancel.
    const isEnd = policy.rule === 'nothing is offered' || policy.rule === 'another client is used';
    if (isEnd) this.wishes.endSignIns();
    this.isDisturbed = true;
    this.managed.change({ ...policy });
  }

  /** A page that opens starts another worker. The one before hears of nothing new, and goes on with its work, until {@link endOlder}. */
  startBeside(): void {
    if (this.life !== null) this.older.push(this.life);
    this.isDisturbed = true;
    this.life = null;
    this.forgetListeners();
    this.send({ type: 'open' });
  }

  /** Kills the workers that another one was started beside. */
  async endOlder(): Promise<void> {
    for (const life of this.older.splice(0)) await this.killOne(life);
  }

  /** Kills all workers. */
  async kill(): Promise<void> {
    await this.endOlder();
    if (this.life === null) return;
    const { life } = this;
    this.life = null;
    this.forgetListeners();
    await this.killOne(life);
  }

  /** Of the tokens that a worker had, it answers only for those that it had stored. */
  private async killOne(life: WorkerLife): Promise<void> {
    this.isDisturbed = true;
    this.gates.end(life);
    const { lasting, queued } = await this.held();
    const lost = (this.issuedTo.get(life) ?? []).filter((name) => name !== lasting && !queued.includes(name));
    setReceived(this.provider.ledger, lost, false);
  }

  /** Closes the browser and opens it again: its memory is empty, and its windows are gone. */
  async restartBrowser(): Promise<void> {
    await this.kill();
    this.windows.forgetAll();
    this.fake.memory.items.clear();
    // The key of the vault dies with the browser, as the configuration asks.
    const { ledger } = this.provider;
    if (this.persistence === 'browser') setReceived(ledger, ledger.refreshTokens.keys(), false);
    this.wake();
    this.fake.startUp();
  }

  /** The worker with this life reloads the extension. It answers for all tokens that it had or was about to get. */
  reload(life: WorkerLife): void {
    this.isDisturbed = true;
    setReceived(this.provider.ledger, this.issuedTo.get(life) ?? [], true);
    for (const one of [...this.older.splice(0), life]) this.gates.end(one);
    this.life = null;
    this.forgetListeners();
    this.hasReloaded = true;
  }

  /** Starts the worker of the new version after a reload; false if there was none. */
  finishReload(): boolean {
    if (!this.hasReloaded) return false;
    this.hasReloaded = false;
    // Chromium clears it with the extension's context.
    this.fake.memory.items.clear();
    this.wake();
    this.fake.install('update');
    return true;
  }

  send(command: Command): Promise<Reply> {
    const life = this.wake();
    const session = this.board()?.session ?? null;
    const noteReply = this.wishes.note(command, {
      session,
      isRunning: isRunBy(life, this.asked, session),
      isExcluded: this.isExcluded(),
      life,
      nowMs: this.nowMs,
    });
    // Without a time limit of the page's.
    const reply = new Promise<Reply>((resolve) => {
      const onMessage = (message: unknown) => resolve(message as Reply);
      this.fake.commandLine('command', command, [], { onMessage, onLost: () => undefined });
    });
    this.follow('command', command.type, life, reply);
    const noteIfAlive = (answer: Reply) => {
      // The time limits of a dead worker still run out here.
      if (!life.isOver) noteReply(answer);
    };
    reply.then(noteIfAlive, () => undefined);
    return reply;
  }

  /** A page asks for more scope. */
  askForScope(scope: string): void {
    const life = this.wake();
    const area = this.persistence === 'device' ? this.fake.local : this.fake.memory;
    const answer = askForScope(this.asked, scope, area, (command) => this.send(command));
    this.follow('scope', `a page's request of ${scope}`, life, answer);
  }

  /** A feature requests something of an API. */
  request(origin: string): void {
    const life = this.wake();
    const work = this.feature?.fetch(`${origin}/things`).then((response) => response.text());
    this.follow('request', "a feature's request", life, work ?? Promise.reject(new Error('no feature')));
  }

  /** The user code that the board shows; null if it shows none. */
  shownCode(): string | null {
    const session = this.board()?.session;
    return (session?.status === 'signing-in' && session.device?.userCode) || null;
  }

  /** The person enters the code that is shown; null for somebody who does not agree. Then the worker asks again. */
  enterCode(person: Person | null): void {
    this.provider.enterCode(this.shownCode() ?? '', person);
    if (person !== null) this.wishes.noteAgreed(person);
    this.letPausePass();
  }

  /** The worker asks the provider again, because the pause between two requests is over. */
  letPausePass(): void {
    this.nowMs += codePauseMs;
    runTimers(codePauseMs);
  }

  /** A page of somebody else opens a window. */
  openOtherWindow(): void {
    this.wake();
    const id = this.windows.openOther();
    for (const listener of this.onWindowCreated) listener({ id, type: 'popup' });
  }

  /** Resolves when the worker has done what it can, timers that are due included, until a gate opens. */
  async rest(): Promise<void> {
    runTimers(0);
    await this.quiet();
    while (this.finishReload()) await this.quiet();
    this.nowMs += 1;
  }

  private async quiet(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) {
      await quiet();
      if (!this.database.isBusy()) return;
    }
    strayRejections.push('the database is stuck');
  }

  /** A moment passes, in which short timers run. Whether something waits at the gates then. */
  async letMomentPass(): Promise<boolean> {
    this.nowMs += momentMs;
    runTimers(momentMs);
    await this.rest();
    return !this.gates.isIdle();
  }

  /** Lets the time limit of hidden pages that hang pass; false if there are none. */
  endHangs(): boolean {
    if (this.hangingPages === 0) return false;
    this.hangingPages = 0;
    this.nowMs += hiddenPageMs;
    runTimers(hiddenPageMs);
    return true;
  }

  setOnline(isOnline: boolean): void {
    if (isOnline !== this.isOnline) this.networkChanges += 1;
    this.isOnline = isOnline;
  }

  /** A minute passes, in which timers run and requests time out. */
  letMinutePass(): void {
    this.nowMs += 60_000;
    // The pause after a failed renewal counts from before its page, which may wait for longer than the minute.
    this.lastRenewal = { ...this.lastRenewal, atMs: -Infinity };
    this.isMinutePassed = true;
    passMinute();
  }

  /** Lets all calls pass, in their order, until nothing moves any more. */
  async drain(): Promise<void> {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      await this.rest();
      if (!this.gates.openAll() && !(await this.letMomentPass())) return;
    }
    strayRejections.push('the worker never comes to rest');
  }

  // Reports of the worker's calls.

  /** Runs a call of a worker between two gates. */
  run<T>(life: WorkerLife, channel: string, label: string, effect: () => Promise<T>): Promise<T> {
    const act = () => (this.befalls('hangs', label) ? new Promise<never>(() => undefined) : effect());
    return this.gates.run(life, channel, label, act);
  }

  /** The calls since {@link expectFault}. */
  callsSoFar(): Calls {
    const of = (what: Fault['what']) => [...(this.calls.get(what) ?? [])];
    return {
      fails: of('fails'),
      'is done and fails': of('is done and fails'),
      'is rejected': of('is rejected'),
      hangs: of('hangs'),
      'loses its answer': of('loses its answer'),
    };
  }

  /** From now on this befalls a call. */
  expectFault(fault: Fault | null): void {
    this.calls.clear();
    this.named = 0;
    this.fault = fault;
  }

  /** Whether this befalls the call that is made now. */
  befalls(what: Fault['what'], label: string): boolean {
    const calls = this.calls.get(what) ?? [];
    if (isHeld(what, label)) calls.push(label);
    this.calls.set(what, calls);
    if (this.fault?.what !== what || !this.isMeant(this.fault, label, calls.length)) return false;
    this.isDisturbed = true;
    if (label.includes('vault: put record')) this.isSessionLost = true;
    this.options.onFault?.(label);
    return true;
  }

  /** Whether the fault is to befall this call, the one with this number. */
  private isMeant({ what, of, skips = 0, times = 1 }: Fault, label: string, number: number): boolean {
    if (typeof of === 'number') return isHeld(what, label) && number === of;
    // A transaction may write several records.
    if (!label.split(', ').includes(of)) return false;
    this.named += 1;
    return this.named > skips && this.named <= skips + times;
  }

  beforeWrite(label: string): void {
    if (this.befalls('fails', label)) throw new DOMException(label, 'QuotaExceededError');
  }

  beforeCall(label: string): void {
    if (this.befalls('is rejected', label)) throw new Error(label);
  }

  afterWrite(label: string): void {
    if (this.befalls('is done and fails', label)) throw new DOMException(label, 'UnknownError');
  }

  async afterStored(label: string, items: unknown): Promise<void> {
    this.told.push({ where: label, text: JSON.stringify(items) });
    if (label.endsWith(' board')) await this.look();
  }

  /** Looks at what a write has left. */
  private async look(): Promise<void> {
    noteBoard(this.asked, this.board()?.session ?? null, this.life);
    const { onWritten } = this.options;
    if (onWritten !== undefined) onWritten(this, await this.held());
  }

  /** The provider has put these refresh tokens into an answer. */
  issue(life: WorkerLife, names: readonly string[]): void {
    this.issuedTo.get(life)?.push(...names);
  }

  /** The id of the window that the next worker would know. */
  storedWindow(): unknown {
    return this.fake.memory.items.get('auth-window');
  }

  /** The refresh tokens that the provider has put into answers to this worker. */
  issuedToWorker(): readonly string[] {
    return this.life === null ? [] : (this.issuedTo.get(this.life) ?? []);
  }

  private async openHiddenPage(url: string): Promise<string> {
    this.noteHiddenPage();
    const { provider: at } = this;
    if (at.troubles.has('hidden pages fail')) throw new Error('Authorization page could not be loaded.');
    if (at.troubles.has('hidden pages hang')) {
      this.hangingPages += 1;
      return new Promise(() => undefined);
    }
    const answer = at.approveSilently(url);
    if (answer === null) throw new Error('User interaction required.');
    return answer;
  }

  private noteHiddenPage(): void {
    // An automatic sign-in has a hidden page too.
    if (this.board()?.session.status !== 'signed-in') return;
    const { lastRenewal: last, nowMs: atMs } = this;
    const now = {
      atMs,
      life: this.life?.number ?? 0,
      wishes: this.wishes.last().number,
      issued: this.provider.ledger.accessTokens.size,
      // A pause after one ends when the network is back.
      networkChanges: this.networkChanges,
    };
    const isRepeated =
      now.life === last.life &&
      now.wishes === last.wishes &&
      now.issued === last.issued &&
      now.networkChanges === last.networkChanges;
    // The pause is part of the session, so one that cannot be written has none.
    const hasPause = !this.isSessionLost;
    if (isRepeated && hasPause && atMs - last.atMs < silentPauseMs) this.hastyRenewals += 1;
    this.lastRenewal = this.isMinutePassed ? { ...now, atMs: -Infinity } : now;
    this.isMinutePassed = false;
  }

  private forgetListeners(): void {
    this.fake.stopWorker();
    this.onWindowCreated.clear();
  }

  private follow(kind: Awaited['kind'], what: string, life: WorkerLife, work: Promise<unknown>): void {
    const one: Awaited = { what, kind, life, status: 'waiting', failure: null };
    this.awaited.push(one);
    const settle = (result: unknown) => {
      one.status = 'settled';
      this.told.push({ where: `the answer to ${what}`, text: JSON.stringify(result) ?? '' });
    };
    work.then(settle, (error: unknown) => {
      one.failure = error instanceof Error ? error.message : String(error);
      settle(one.failure);
    });
  }
}
