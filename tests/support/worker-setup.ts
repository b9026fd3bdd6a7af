// A whole worker in a fake browser, with a scripted provider behind its network.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { expect } from 'vitest';
import { createDatabase, type WithDatabase } from '../../src/background/record/database.ts';
import type { StartFeature } from '../../src/background/feature/feature-worker.ts';
import { startWorker } from '../../src/background/worker.ts';
import type { Config, Provider } from '../../src/config/provider.ts';
import type { Environment } from '../../src/oidc/http.ts';
import { parts } from './parts.ts';
import type { Command } from '../../src/session/commands.ts';
import type { ProblemError } from '../../src/session/problem.ts';
import { journalKey } from '../../src/bridge/report/journal-lines.ts';
import { boardKey, type Board } from '../../src/bridge/session/board.ts';
import { openFetch } from '../../src/bridge/fetch/open-fetch.ts';
import { createScriptedProvider, provider as scripted, type Script } from './scripted-provider.ts';
import { createFakeBrowser, type FakeManagedStorage, type FakeWindow, type Manner } from './fake-browser.ts';
import { apiOrigin, apiOrigins, createScriptedApi } from './scripted-api.ts';
import { mannerOfRun } from './fake-storage.ts';
import { readHeld } from './held.ts';
import { rest } from './rest.ts';
import { soon } from './soon.ts';
import { toGatedBrowser, type RunCall } from './explorer/gated-browser.ts';
import { Life, toMortalDatabase, toMortalWorld } from './mortal.ts';

/** A host that a policy may use besides that of the scripted provider. */
export const policyOrigin = 'https://tenant.example';

export interface WorkerSetup {
  readonly script?: Script;
  readonly persistence?: Config['persistence'];
  readonly autoSignIn?: Config['autoSignIn'];
  readonly rememberAccounts?: boolean;
  /** One with an API by default. */
  readonly providers?: readonly Provider[];
  readonly startFeature?: StartFeature;
  /** The redirect URI without its path; Chromium's by default. */
  readonly redirectBase?: string;
  /** Whether the browser has a sign-in window. Default true. */
  readonly hasWindow?: boolean;
  /** The parts of the extension API that the browser does not have, such as `windows` or `action.setIcon`. */
  readonly lacks?: readonly string[];
  /** The administrator's policies; without it the browser has none. */
  readonly managed?: FakeManagedStorage;
  /** The browser that it behaves like, for a scene that only one of them knows. */
  readonly manner?: Manner;
  /** Puts off work that no one is waiting for, by one task if this is missing. */
  readonly whenIdle?: () => Promise<void>;
  /** Makes the worker's asynchronous calls of the browser. */
  readonly runCall?: RunCall;
  /** The same for each worker that starts, and its network. */
  readonly outside?: () => { readonly runCall: RunCall; readonly fetch: Environment['fetch'] };
  /** Null as in an extension that has a content security policy of its own. */
  readonly redirects?: 'confined' | null;
  /** The parts of the world that are not as always. */
  readonly world?: Partial<Environment>;
}

export type Worker = ReturnType<typeof createWorker>;

/** A worker, also by that name, its provider's script and its clock, which only the test moves. */
export type Scene = ReturnType<typeof setUpWorker>;

export function setUpWorker(setup: WorkerSetup = {}) {
  const worker = createWorker(setup);
  return { ...worker, worker };
}

function createWorker({
  script = {},
  persistence: firstPersistence = 'device',
  autoSignIn = 'off',
  rememberAccounts = true,
  providers = [{ ...scripted, apiOrigins: [apiOrigin] }],
  startFeature = () => undefined,
  redirectBase,
  hasWindow = true,
  lacks = [],
  managed,
  manner = mannerOfRun,
  whenIdle = soon,
  runCall: runEach = (_path, _args, effect) => effect(),
  outside,
  redirects = 'confined',
  world: ownWorld,
}: WorkerSetup) {
  globalThis.indexedDB = new IDBFactory();
  const fake = createFakeBrowser({ ...(managed !== undefined && { managed }), manner });
  for (const name of hasWindow ? lacks : [...lacks, 'identity']) takeAway(fake.browser, name);
  const network = { isOnline: true };
  const clock = { nowMs: Date.now() };
  const wait = async (durationMs: number) => void (clock.nowMs += durationMs);
  script.nowMs ??= () => clock.nowMs;
  const provider = createScriptedProvider(script);
  const api = createScriptedApi();
  const told: string[] = [];
  const world: Environment = {
    ...provider.client.world,
    redirects: redirects ?? undefined,
    warn: (line) => void told.push(line),
    isOnline: () => network.isOnline,
    fetch: (url, init) =>
      network.isOnline
        ? (apiOrigins.includes(new URL(url).origin) ? api : provider.client.world).fetch(url, init)
        : Promise.reject(new TypeError('Failed to fetch')),
    ...ownWorld,
  };
  /** Set `failure` to make every use of the database fail, as a full or broken disk does; `gate` to have it wait. */
  const disk: { failure: ProblemError | null; gate: () => Promise<void> } = {
    failure: null,
    gate: () => Promise.resolve(),
  };
  let onBegunAnew: () => void = () => undefined;
  const opened = createDatabase(() => onBegunAnew());
  const useDisk: WithDatabase = async (use) => {
    await disk.gate();
    if (disk.failure !== null) throw disk.failure;
    return opened(use);
  };
  const withDatabase: WithDatabase = async (use) => runEach('database', [], () => useDisk(use));
  const browser = { ...fake.browser };
  if (redirectBase !== undefined)
    browser.identity = { ...browser.identity, getRedirectURL: (path) => redirectBase + path };
  const warnings: string[] = [];
  let life = new Life();
  let persistence = firstPersistence;

  const start = (change: Partial<Provider> = {}, lastStep = Infinity) => {
    const current = new Life(lastStep);
    life = current;
    const { runCall, fetch } = outside?.() ?? { runCall: runEach, fetch: world.fetch };
    startWorker(
      toGatedBrowser(browser, (path, args, effect) => current.run(() => runCall(path, args, effect))),
      fake.scope,
      toMortalWorld({ ...world, fetch }, current),
      (listener) => {
        onBegunAnew = listener;
        return toMortalDatabase((use) => runCall('database', [], () => useDisk(use)), current);
      },
      {
        providers: providers.map((one) => ({ ...one, ...change })),
        persistence,
        autoSignIn,
        rememberAccounts,
        policies: true,
        policyOrigins: [policyOrigin, scripted.issuer],
      },
      parts,
      startFeature,
      { warn: (problems) => void warnings.push(...problems), whenIdle, wait },
    );
  };
  start();
  fake.install();

  const area = firstPersistence === 'device' ? fake.local : fake.memory;
  const status = (board: Board) => board.session.status;

  /** Ends the window as the provider does for a user who agrees. */
  const approve = (window: FakeWindow) => window.redirect(provider.approve(window.url));

  const page = fake.addLockUser();

  const untilSettled = async () =>
    (await fake.boardWhere((board) => status(board) !== 'signing-in', area)).session;

  /** Begins a sign-in, or whatever the command begins, and resolves with its window, which hasn't appeared yet. */
  const begin = async (command: Command = { type: 'sign-in', providerId: 'scripted' }) => {
    await fake.send(command);
    return fake.nextWindow();
  };

  const open = () => fake.send({ type: 'open' });

  const stop = () => {
    life.end();
    fake.stopWorker();
  };
  const restart = (change?: Partial<Provider>, lastStep?: number) => {
    stop();
    start(change, lastStep);
  };

  /** The values of a parameter in all requests to the provider. */
  const sent = (parameter: string) =>
    provider.requests.flatMap(({ parameters }) => parameters.get(parameter) ?? []);
  const session = () => fake.readBoard(area)?.session;

  return {
    ...fake,
    begin,
    /** The same, with a window that has appeared. */
    async beginShown(command?: Command) {
      const window = await begin(command);
      window.appear();
      return window;
    },
    /** Begins it, and the user agrees in the window. Resolves with the session at its end. */
    async agreeTo(command: Command) {
      approve(await begin(command));
      return untilSettled();
    },
    open,
    /** Lets time pass, and opens a page. */
    openAfter(ms: number) {
      clock.nowMs += ms;
      return open();
    },
    cancel: () => fake.send({ type: 'cancel' }),
    showWindow: () => fake.send({ type: 'show-window' }),
    signOut: () => fake.send({ type: 'sign-out', everywhere: false }),
    sent,
    /** The tokens that the provider was asked to revoke, also more than once. */
    revoked: () => sent('token'),
    /** The number of requests to a path of the provider. */
    count: (path: string) => provider.paths().filter((asked) => asked === path).length,
    held: () => readHeld(fake),
    rest: () => rest({ steps: () => life.steps }),
    /** Waits until the board's session matches. */
    async expectSession(expected: object) {
      await expect.poll(session).toMatchObject(expected);
    },
    /** Texts for an administrator in the worker's console. */
    warnings,
    /** Texts for a developer there. */
    told,
    provider,
    script,
    /** The clock of the worker and its provider, which only the test moves. */
    clock,
    api,
    network,
    disk,
    area,
    approve,
    /** The fetch of a feature on a page. */
    fetch: openFetch(fake.addLine(page)),
    page,
    boardWhere: (fits: (board: Board) => boolean, where = area) => fake.boardWhere(fits, where),
    readBoard: (where = area) => fake.readBoard(where),
    /** The boards that are written from now on. */
    watchBoards() {
      const written: (Board | null)[] = [];
      area.onChanged.addListener((changes) => {
        if (boardKey in changes) written.push(fake.readBoard(area));
      });
      return written;
    },
    /** The session that the board shows. */
    session,
    /** The number of steps that the worker has taken. */
    steps: () => life.steps,
    /** Resolves when the worker dies. */
    death: () => life.ended,
    stop,
    /** Starts a worker after that. */
    start: () => start(),
    /** Starts a worker while the one before goes on, without the browser's events. Returns what ends that one. */
    startBeside() {
      const former = life;
      const release = fake.detachWorker();
      start();
      return () => {
        former.end();
        release();
      };
    },
    /** Stops the worker and starts one that dies at its `lastStep`. */
    restartMortalWorker: (lastStep: number) => restart({}, lastStep),
    /** Stops the worker and starts another, as an update that changes the configuration does. */
    restartWorker: (change?: Partial<Provider>) => restart(change),
    /** The same, and opens a page. */
    reopen(change?: Partial<Provider>) {
      restart(change);
      return open();
    },
    /** Stops the worker and starts one of a build with another `persistence`. */
    restartWorkerWith(changed: Config['persistence'], lastStep?: number) {
      persistence = changed;
      restart({}, lastStep);
    },
    withDatabase,
    /** Closes the browser and opens it again: its memory is empty. */
    restartBrowser() {
      stop();
      fake.endBrowser();
      start();
      fake.startUp();
    },
    /** Resolves with the session when no sign-in is running. */
    untilSettled,
    async signIn(providerId = 'scripted') {
      const window = await begin({ type: 'sign-in', providerId });
      window.appear();
      if (new URL(window.url).searchParams.get('response_type') !== 'id_token') approve(window);
      else window.redirect(await provider.approveWithIdToken(window.url));
      return fake.boardWhere((board) => status(board) !== 'signing-in', area);
    },
  };
}

/** Takes a part of the extension API away from a browser. */
function takeAway(browser: object, name: string): void {
  const path = name.split('.');
  const owner = path.slice(0, -1).reduce<object>((part, key) => Reflect.get(part, key) as object, browser);
  Reflect.deleteProperty(owner, path.at(-1) ?? '');
}

export const discovery = '/.well-known/openid-configuration';
export const hour = 3_600_000;
export const html = () =>
  new Response('<html>Please accept our terms', { headers: { 'content-type': 'text/html' } });
export const status = (code: number, headers: HeadersInit = {}) =>
  new Response('', { status: code, headers });

/** A scene in which Ada is signed in. */
export async function signedIn(script: Script = {}, setup: WorkerSetup = {}): Promise<Scene> {
  const scene = setUpWorker({ ...setup, script });
  expect((await scene.worker.signIn()).session.status).toBe('signed-in');
  return scene;
}

/** A scene with a running sign-in, whose window is open. */
export async function signingIn(
  scene: Scene = setUpWorker(),
): Promise<Scene & { readonly window: FakeWindow }> {
  const window = await scene.worker.beginShown();
  return { ...scene, window };
}

export const interrupted = { status: 'signed-out', problem: { code: 'interrupted' } };
export const expired = {
  status: 'signed-out',
  problem: { code: 'expired' },
  accounts: [{ subject: 'ada' }],
};
export const adaIsSignedIn = { status: 'signed-in', profile: { subject: 'ada' }, problem: null };

/** Opens the popup every ten seconds until the board's session matches: after a failed renewal the next one waits. */
export async function openUntil({ worker }: Pick<Scene, 'worker'>, expected: object): Promise<void> {
  await expect
    .poll(async () => {
      await worker.openAfter(10_000);
      return worker.session();
    })
    .toMatchObject(expected);
}

/** The user closes the popup that the worker has opened, and then the update that was offered is applied. */
export async function expectUpdate(worker: Worker): Promise<void> {
  await expect
    .poll(async () => {
      worker.closePopup();
      await worker.showWindow();
      return worker.shown.reloads;
    })
    .toBe(1);
}

export async function expectSignInToWork({ worker }: Pick<Scene, 'worker'>): Promise<void> {
  expect((await worker.signIn()).session).toMatchObject({ status: 'signed-in', problem: null });
}

/** The stored lines without their times, oldest first. */
export function journalOf(area: { readonly items: ReadonlyMap<string, unknown> }): string[] {
  const lines = (area.items.get(journalKey) ?? []) as readonly string[];
  return lines.map((line) => line.slice(line.indexOf(' ') + 1));
}
