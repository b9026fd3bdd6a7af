// A worker in its browser, with everything around it in the hands of the explorer: storage, database, network, windows,
// clock, life and death.

import 'fake-indexeddb/auto';
import { deviceKey } from '../../../src/background/vault/vault-key.ts';
import { createVault } from '../../../src/background/vault/vault.ts';
import type { VaultSession } from '../../../src/background/vault/vault-records.ts';
import { startWorker } from '../../../src/background/worker.ts';
import { parseBoard, type Board } from '../../../src/bridge/session/board.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { World } from '../../../src/oidc/exchange.ts';
import type { Command } from '../../../src/session/commands.ts';
import { apiOrigin } from '../scripted-api.ts';
import { createFakeBrowser, ownPage, type FakeWindow } from '../fake-browser.ts';
import { createCountingProvider, provider, type CountingProvider } from './counting-provider.ts';
import { toGatedBrowser, type RunCall } from './gated-browser.ts';
import { createGates, quiet, randomNumbers, type Gates, type Policy, type WorkerLife } from './gates.ts';
import { createLedger, type Ledger, type Person } from './ledger.ts';
import { createMemoryDatabase, type Stored } from './memory-database.ts';
import { timeLimits } from './still-time.ts';

/** Everything that outlives a worker. */
export interface Remains {
  readonly local: ReadonlyMap<string, unknown>;
  readonly memory: ReadonlyMap<string, unknown>;
  readonly stored: Stored;
  readonly ledger: Ledger | null;
  readonly person: Person | null;
  readonly nowMs: number;
}

export const nothing: Remains = {
  local: new Map(),
  memory: new Map(),
  stored: new Map(),
  ledger: null,
  person: null,
  nowMs: 1_800_000_000_000,
};

/** Something that a page waits for. */
export interface Awaited {
  readonly what: string;
  readonly life: WorkerLife;
  status: 'waiting' | 'settled';
  /** The reply, or the message of the error. */
  result: unknown;
}

/** A sign-in or sign-out window of ours. */
export interface OwnWindow {
  readonly window: FakeWindow;
  readonly life: WorkerLife;
  status: 'launched' | 'shown' | 'ended';
}

/** What the vault holds. */
export interface Held {
  readonly session: VaultSession | null;
  readonly queued: readonly string[];
}

export interface StageOptions {
  /** Called after each write of the board or the vault. */
  readonly onWritten?: (stage: Stage) => Promise<void>;
  readonly onFailedWrite?: (label: string) => void;
}

/** Calls of which the order matters to nobody. They pass no gate, so that the gates show what matters. */
const quietCalls = /^(action|i18n|runtime|extension)\./;
const quietKeys = ['journal', 'toolbar'];

export class Stage {
  readonly fake = createFakeBrowser();
  readonly gates: Gates = createGates();
  readonly provider: CountingProvider;
  /** What the pages wait for. */
  readonly awaited: Awaited[] = [];
  readonly windows: OwnWindow[] = [];
  /** The ids of windows that are none of ours, and those that the worker raised or closed. */
  readonly foreign = { opened: [] as number[], touched: [] as number[] };
  /** All texts that left the worker: what it stored and answered. */
  readonly told: { where: string; text: string }[] = [];
  /** The writes so far, by name. */
  readonly writes: string[] = [];
  /** The number of the write that fails, counted from 1; null if none does. */
  failingWrite: number | null = null;
  isOnline = true;
  nowMs: number;
  life: WorkerLife | null = null;
  private lives = 0;
  private requests = 0;
  private feature: FeatureWorkerProps | null = null;
  private readonly onCreated = new Set<(window: { id: number; type: string }) => void>();
  private readonly random = randomNumbers(1);
  private readonly database;
  private readonly options: StageOptions;
  /** The refresh tokens that each worker has been given, or is about to be. */
  private readonly issuedTo = new Map<WorkerLife, string[]>();
  private hasReloaded = false;

  constructor(remains: Remains, options: StageOptions = {}) {
    this.options = options;
    this.nowMs = remains.nowMs;
    this.provider = createCountingProvider(() => this.nowMs, remains.ledger);
    this.provider.person = remains.person;
    this.database = createMemoryDatabase(
      remains.stored,
      (label) => this.beforeWrite(label),
      async (label) => (/session|revocation/.test(label) ? this.options.onWritten?.(this) : undefined),
    );
    for (const [key, value] of remains.local) this.fake.local.items.set(key, value);
    for (const [key, value] of remains.memory) this.fake.memory.items.set(key, value);
    this.fake.silence.answer = (url) => {
      const answer = this.provider.approveSilently(url);
      return answer === null
        ? Promise.reject(new Error('User interaction required.'))
        : Promise.resolve(answer);
    };
  }

  /** A copy of what would be left if the worker and its windows were gone. */
  remains(): Remains {
    return {
      local: new Map(this.fake.local.items),
      memory: new Map(this.fake.memory.items),
      stored: this.database.stored(),
      ledger: createLedger(this.provider.ledger),
      person: this.provider.person,
      nowMs: this.nowMs,
    };
  }

  board(): Board | null {
    return parseBoard(this.fake.local.items.get('board'));
  }

  /** What the vault holds, read by another vault over the same database. */
  async held(): Promise<Held> {
    const { withDatabase } = this.database;
    if (!this.database.stored().get('keys')?.has('vault-key')) return { session: null, queued: [] };
    const vault = createVault(withDatabase, deviceKey(withDatabase));
    const session = await vault.read();
    const queued = [...(await vault.pendingRevocations()).values()].map(({ refreshToken }) => refreshToken);
    return { session, queued };
  }

  // What happens to the worker.

  /** Starts a worker unless one is running, as a browser does for each event. */
  wake(): WorkerLife {
    if (this.life !== null) return this.life;
    const life = { number: (this.lives += 1), isOver: false };
    this.life = life;
    this.issuedTo.set(life, []);
    this.fake.stopWorker();
    this.onCreated.clear();
    startWorker(
      this.toBrowser(life),
      this.toWorld(life),
      (use) => this.gates.run(life, 'database', 'database', () => this.database.withDatabase(use)),
      { providers: [provider], persistence: 'device' },
      (props) => {
        this.feature = props;
      },
    );
    return life;
  }

  /** Kills the worker. Of the tokens that it had, it answers only for those that it had stored. */
  async kill(): Promise<void> {
    const { life } = this;
    if (life === null) return;
    this.gates.end(life);
    this.life = null;
    this.fake.stopWorker();
    await this.forgive(life);
  }

  /** Does what is left to do after a worker has reloaded the extension; true if there was something. */
  finishReload(): boolean {
    if (!this.hasReloaded) return false;
    this.hasReloaded = false;
    this.fake.stopWorker();
    // Chromium clears it with the extension's context.
    this.fake.memory.items.clear();
    this.wake();
    this.fake.install('update');
    return true;
  }

  send(command: Command): void {
    const life = this.wake();
    const reply = this.fake.deliver({ latchkey: command }, ownPage);
    this.follow(`the command ${command.type}`, life, reply ?? Promise.reject(new Error('nobody listens')));
  }

  request(): void {
    const life = this.wake();
    const { feature } = this;
    if (feature === null) throw new Error('The feature was not started.');
    const work = feature.fetch(`${apiOrigin}/things`).then((response) => response.text());
    this.follow("a feature's request", life, work);
  }

  openForeignPopup(): void {
    this.wake();
    const id = 900 + this.foreign.opened.length;
    this.foreign.opened.push(id);
    for (const listener of this.onCreated) listener({ id, type: 'popup' });
  }

  /** Lets the newest window with this status that fits do something; false if there is none. */
  withWindow(status: OwnWindow['status'], act: (own: OwnWindow) => void): boolean {
    const own = this.windows.findLast((one) => one.status === status);
    if (own === undefined) return false;
    this.wake();
    act(own);
    return true;
  }

  show(own: OwnWindow): void {
    own.status = 'shown';
    own.window.appear();
  }

  /** The provider ends the flow of this window: `person` agreed, or confirmed the end of the session. */
  approve(own: OwnWindow, person: Person): void {
    const url = this.provider.approve(own.window.url, person);
    own.status = 'ended';
    own.window.redirect(url);
  }

  close(own: OwnWindow): void {
    own.status = 'ended';
    own.window.close();
  }

  // Time.

  /** Opens the gates, one after the other, until nothing moves any more or `isEnough`. */
  async drain(policy: Policy | 'all' = 'all'): Promise<void> {
    for (;;) {
      await quiet();
      if (this.finishReload()) continue;
      this.nowMs += 1;
      if (!(policy === 'all' ? this.gates.openAll() : this.gates.openNext(policy))) return;
    }
  }

  private toBrowser(life: WorkerLife) {
    const run: RunCall = (path, args, effect) => this.runCall(life, path, args, effect);
    const gated = toGatedBrowser(this.fake.browser, run);
    const { runtime, windows } = this.fake.browser;
    return {
      ...this.parts(gated),
      runtime: { ...this.parts(gated.runtime), id: runtime.id, reload: () => this.reload(life) },
      windows: {
        ...this.parts(gated.windows),
        onCreated: {
          addListener: (listener: Parameters<typeof windows.onCreated.addListener>[0]) => {
            this.onCreated.add(listener);
            windows.onCreated.addListener(listener);
          },
        },
      },
    };
  }

  /** The members of a gated object, as members of an ordinary one. */
  private parts<T extends object>(gated: T): T {
    return Object.fromEntries(
      Object.keys(gated).map((key) => [key, Reflect.get(gated, key) as unknown]),
    ) as T;
  }

  private async runCall<T>(
    life: WorkerLife,
    path: string,
    args: readonly unknown[],
    effect: () => Promise<T>,
  ): Promise<T> {
    const key = path.startsWith('storage.') ? toKey(args[0]) : null;
    const label = key === null ? path : `${path} ${key}`;
    const act = () => this.act(path, label, args, effect);
    if (quietCalls.test(path) || quietKeys.includes(key ?? '')) {
      if (life.isOver) return new Promise(() => undefined);
      const result = await act();
      return life.isOver ? new Promise(() => undefined) : result;
    }
    const channel = path.startsWith('storage.') ? path.slice(0, path.lastIndexOf('.')) : path;
    // Each flow is on its own: a browser has no queue for them.
    const own = path === 'identity.launchWebAuthFlow' ? `${path} ${this.fake.windows.length}` : channel;
    return this.gates.run(life, own, label, act);
  }

  /** The effect of a call, and what the stage notes of it. */
  private async act<T>(
    path: string,
    label: string,
    [first]: readonly unknown[],
    effect: () => Promise<T>,
  ): Promise<T> {
    if (path === 'windows.update' || path === 'windows.remove') this.touch(path, first as number);
    if (/^storage\.\w+\.(set|remove)$/.test(path)) this.beforeWrite(label);
    if (path === 'identity.launchWebAuthFlow') return this.launch(effect);
    const result = await effect();
    if (path.endsWith('.set')) {
      this.told.push({ where: label, text: JSON.stringify(first) });
      if (toKey(first) === 'board') await this.options.onWritten?.(this);
    }
    return result;
  }

  private touch(path: string, id: number): void {
    const own = this.windows.find(({ window }) => window.id === id);
    if (own === undefined) this.foreign.touched.push(id);
    else if (path === 'windows.remove' && own.status === 'shown') own.status = 'ended';
  }

  private launch<T>(effect: () => Promise<T>): Promise<T> {
    const before = this.fake.windows.length;
    const launched = effect();
    const life = this.life;
    for (const window of this.fake.windows.slice(before)) {
      if (life !== null) this.windows.push({ window, life, status: 'launched' });
    }
    return launched;
  }

  private toWorld(life: WorkerLife): World {
    return {
      nowMs: () => this.nowMs,
      isOnline: () => this.isOnline,
      mayReach: () => Promise.resolve(true),
      randomBytes: (length) => {
        const bytes = Uint8Array.from({ length }, () => Math.floor(this.random() * 256));
        this.provider.ledger.secrets.add(Buffer.from(bytes).toString('base64url'));
        return bytes;
      },
      fetch: (url, init) => this.fetch(life, url, init),
    };
  }

  private async fetch(life: WorkerLife, url: string, init: RequestInit): Promise<Response> {
    const { pathname } = new URL(url);
    const issued: string[] = [];
    const { signal } = init;
    const answer = this.gates.run(
      life,
      `network ${(this.requests += 1)}`,
      `network ${pathname}`,
      async () => {
        if (!this.isOnline) throw new TypeError('Failed to fetch');
        const response = this.provider.fetch(url, init, issued);
        this.issuedTo.get(life)?.push(...issued);
        return response;
      },
    );
    const response = await Promise.race([answer, abortion(signal)]).finally(() => forgetLimit(signal));
    for (const name of issued) this.receive(name);
    return response;
  }

  private receive(name: string): void {
    const token = this.provider.ledger.refreshTokens.get(name);
    if (token !== undefined) token.isReceived = true;
  }

  /** A worker that is killed cannot keep what it had not stored yet. */
  private async forgive(life: WorkerLife): Promise<void> {
    const { session, queued } = await this.held();
    const kept = [session?.tokens.refreshToken, ...queued];
    for (const name of this.issuedTo.get(life) ?? []) {
      const token = this.provider.ledger.refreshTokens.get(name);
      if (token !== undefined && !kept.includes(name)) token.isReceived = false;
    }
  }

  /** The worker ends itself, and answers for all that it was about to get. */
  private reload(life: WorkerLife): void {
    for (const name of this.issuedTo.get(life) ?? []) this.receive(name);
    this.gates.end(life);
    this.life = null;
    this.hasReloaded = true;
  }

  private beforeWrite(label: string): void {
    this.writes.push(label);
    if (this.writes.length !== this.failingWrite) return;
    this.options.onFailedWrite?.(label);
    throw new DOMException(label, 'QuotaExceededError');
  }

  private follow(what: string, life: WorkerLife, work: Promise<unknown>): void {
    const one: Awaited = { what, life, status: 'waiting', result: null };
    this.awaited.push(one);
    const settle = (result: unknown) => {
      one.status = 'settled';
      one.result = result;
      this.told.push({ where: `the answer to ${what}`, text: JSON.stringify(result) ?? '' });
    };
    work.then(settle, (error: unknown) => settle(error instanceof Error ? error.message : String(error)));
  }
}

/** The key of a storage call. */
function toKey(argument: unknown): string | null {
  if (typeof argument === 'string') return argument;
  return typeof argument === 'object' && argument !== null ? (Object.keys(argument)[0] ?? null) : null;
}

/** A request that was answered has no time limit any more. */
function forgetLimit(signal: AbortSignal | null | undefined): void {
  const index = timeLimits.findIndex((limit) => limit.signal === signal);
  if (index >= 0) timeLimits.splice(index, 1);
}

function abortion(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
