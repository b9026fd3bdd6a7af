// The worker, put together from top to bottom. Every listener is registered before startWorker returns: an event that wakes a
// worker reaches only the listeners that are there by then.

import {
  type ReopenPopupBrowser,
  type ToolbarBrowser,
  createToolbar,
  reopenPopup,
  isPageOpen,
} from './toolbar.ts';
import {
  type AuthWindowBrowser,
  type AuthWindow,
  createAuthWindow,
  requireIdentity,
} from './provider/window.ts';
import type { BoardArea } from '../bridge/session/board.ts';
import { type ManyItemsArea, createStorage } from './storage.ts';
import { type LineScope, type Serve, serveLines } from '../bridge/line/serve-lines.ts';
import { type Flow, codeFlow } from '../oidc/code-flow.ts';
import type { Provider, WorkerConfig } from '../config/provider.ts';
import type { Environment } from '../oidc/http.ts';
import { type OpenDatabase, withDeadline } from './record/database.ts';
import { type StartFeature, createCurrentUser, startFeatureWorker } from './feature/feature-worker.ts';
import { deadlineMs, pause, shortPause } from '../concurrency.ts';
import { createWork, createUpdate, trackRequests } from './work.ts';
import { createJournal, noteMoves } from './journal.ts';
import { detail, safe } from '../session/detail.ts';
import { createRecords } from './record/records.ts';
import { createMemoryKey } from './record/disk.ts';
import { createProviders } from './provider/provider.ts';
import { createReadSession } from './session/usable.ts';
import { createViewStore, createFollowRecord } from './session/store.ts';
import type { ProviderId } from '../session/view.ts';
import { createRevocations } from './session/revocations.ts';
import { createSignIn } from './provider/run-flow.ts';
import { createSignOutMark, createSignOut } from './session/sign-out.ts';
import { createAuthorizedFetch } from './feature/fetch.ts';
import { serveFetches } from '../bridge/fetch/serve-fetch.ts';
import { createRenewal } from './session/renewal.ts';
import { createCompleteProfile, createBeginSession, createSignInFlow } from './session/sign-in.ts';
import { createAutoSignIn } from './session/auto-sign-in.ts';
import {
  createCommandHandler,
  createEndWithProvider,
  onPopupOpened,
  serveCommands,
} from './session/commands.ts';
import { createStart } from './session/start.ts';
import { type Part, type PolicyParts, asBuilt, type ManagedBrowser } from './part.ts';
import type { Policy } from './part.ts';

interface Event<Listener> {
  addListener(listener: Listener): void;
}

/** The parts of the browser that the worker uses. Firefox for Android has no `windows`, and no `identity`. */
export interface WorkerBrowser extends ReopenPopupBrowser {
  readonly management?: NonNullable<ManagedBrowser['management']>;
  readonly action: ReopenPopupBrowser['action'] & ToolbarBrowser['action'];
  readonly i18n: ToolbarBrowser['i18n'];
  readonly identity?: NonNullable<AuthWindowBrowser['identity']> & { getRedirectURL(path: string): string };
  readonly windows?: NonNullable<AuthWindowBrowser['windows']> & {
    readonly onCreated: Event<AuthWindow['onWindowCreated']>;
    readonly onRemoved: Event<AuthWindow['onWindowRemoved']>;
  };
  readonly tabs: AuthWindowBrowser['tabs'];
  readonly permissions: { readonly onAdded: Event<() => void> };
  readonly storage: {
    readonly local: BoardArea & ManyItemsArea;
    readonly session: BoardArea & ManyItemsArea;
    readonly managed?: NonNullable<ManagedBrowser['storage']['managed']>;
  };
  readonly runtime: ReopenPopupBrowser['runtime'] &
    AuthWindowBrowser['runtime'] & {
      getURL(path: string): string;
      readonly onInstalled: Event<(details: { readonly reason: string }) => void>;
      readonly onStartup: Event<() => void>;
      readonly onUpdateAvailable: Event<() => void>;
      getPlatformInfo(): Promise<unknown>;
      reload(): void;
    };
}

/** The worker's other arguments. */
export interface WorkerOutlets {
  /** Gets the mistakes of a policy that isn't used. */
  readonly warn?: (problems: readonly string[]) => void;
  /** Gets each line of the journal. */
  readonly print?: ((line: string) => void) | undefined;
  /** Puts off work that no one is waiting for. */
  readonly whenIdle?: () => Promise<void>;
  /** Resolves after so many milliseconds. */
  readonly wait?: (durationMs: number) => Promise<void>;
}

/** Starts the worker for the providers of `config`, and in it the feature's own part. */
export function startWorker(
  browser: WorkerBrowser,
  scope: LineScope,
  environment: Environment,
  openDatabase: OpenDatabase,
  config: WorkerConfig,
  parts: readonly Part[],
  startFeature: StartFeature,
  outlets: WorkerOutlets = {},
): void {
  const alone = whenAlone(scope.navigator.locks);
  const core = createCore(browser, environment, openDatabase, config, parts, outlets, alone, () => {
    // A failure is reported to the next page that asks.
    session.onPolicyChanged().catch(() => undefined);
  });
  const { journal, work } = core;
  const currentUser = createCurrentUser();
  for (const follow of [noteMoves(journal, core.nowMs), currentUser.follow, core.toolbar.show])
    core.store.subscribe(follow);
  const session = createSession(core);
  const authorizedFetch = createAuthorizedFetch({ ...core, ...session, currentUser, start: session.restore });
  const serveFetch = serveFetches(authorizedFetch, work.track);
  const onUpdateOffered = createUpdate({
    work,
    isPageOpen: () => isPageOpen(browser),
    isHarmless: async () => !core.records.hasUnstored() && (await core.storage.persistence()) === 'device',
    reload: () => browser.runtime.reload(),
  });
  listen(browser, scope, session, core, { fetch: serveFetch, onUpdateOffered });
  startFeatureWorker(startFeature, { start: session.start, currentUser, serveFetch, work });
}

/**
 * Resolves when no other worker of the extension is at work. After an update, or if the browser stops a worker in the middle of its
 * work, the former one may still be there when the next starts. Each holds a lock as long as it lives, so nothing that it has begun
 * comes between what the next one does. One that hangs is waited for {@link deadlineMs}; then only the record keeps their writes apart.
 * Never rejects.
 */
export function whenAlone(locks: Pick<LockManager, 'request'>): Promise<void> {
  return new Promise((resolve) => {
    // The promise that the callback returns never settles, so the lock is held until the worker ends.
    locks.request('latchkey:worker', () => new Promise(() => resolve())).catch(resolve);
    setTimeout(resolve, deadlineMs);
  });
}

/** The worker's parts below the session. */
function createCore(
  browser: WorkerBrowser,
  environment: Environment,
  openDatabase: OpenDatabase,
  config: WorkerConfig,
  parts: readonly Part[],
  { warn, print, whenIdle = shortPause, wait = pause }: WorkerOutlets,
  alone: Promise<void>,
  onPolicyChanged: () => void,
) {
  const { nowMs } = environment;
  // Any call of the browser's API keeps the worker alive, even one that fails.
  const work = createWork(() => browser.runtime.getPlatformInfo().catch(() => undefined));

  // Storage and journal.
  const storage = createStorage(browser.storage, () => alone.then(policy.ready));
  const { local, memory, boards, persistence } = storage;
  const journal = createJournal(storage.journalArea, nowMs, print, whenIdle);
  journal.note(detail`worker-started`, true);
  const withDatabase = withDeadline(openDatabase(() => journal.note(detail`database-begun-anew`)));
  const records = createRecords(
    { withDatabase, memoryKey: createMemoryKey(memory), persistence, nowMs },
    work,
  );

  // The settings in force, the providers that they offer, and the session that they allow.
  const network = trackRequests(environment, work);
  const { offered: providers, ...allProviders } = createProviders(config.providers, network, withDatabase);
  const part: Part = Object.assign({}, ...parts);
  const { createPolicy = createFixedSettings } = part;
  const policy = createPolicy({
    browser,
    area: local,
    built: config,
    rules: parts.flatMap(({ findMistakes = [] }) => findMistakes),
    journal,
    warn,
    offer: allProviders.offer,
    remember: allProviders.remember,
    onChanged: onPolicyChanged,
  });
  const readSession = createReadSession(records, providers, policy);

  // The board, the toolbar and the sign-in window.
  const store = createViewStore(boards, providers, policy);
  const toolbar = createToolbar(browser, memory, whenIdle);
  const authWindow = createAuthWindow(browser, memory, work.waitForUser);

  return {
    /** All parts as one. */
    part,
    alone,
    /** The provider's flow: that of a part, or the code flow with an ID token. */
    flowOf(provider: Provider): Flow {
      for (const { flowOf } of parts) {
        const flow = flowOf?.(provider);
        if (flow) return flow;
      }
      return codeFlow;
    },
    storage,
    records,
    readSession,
    policy,
    providers,
    store,
    toolbar,
    authWindow,
    journal,
    work,
    whenIdle,
    wait,
    nowMs,
    knownProviders: allProviders.known,
    redirectUri: (providerId: ProviderId) => requireIdentity(browser).getRedirectURL(providerId),
    /** Undefined in Firefox, where it differs between installations. */
    origin: /^chrome-extension:\/\/[^/]+/.exec(browser.runtime.getURL(''))?.[0],
    hasWindow: () => hasWindow(browser),
    async reopenPopup() {
      // It would cover the window of the next sign-in. An update must not close the popup that has just been opened.
      if (store.view.status !== 'signing-in') await work.track(reopenPopup(browser, toolbar));
    },
  };
}

/** Signs people in and out, keeps them signed in, and executes their commands. Each call counts as work. */
function createSession(core: ReturnType<typeof createCore>) {
  const { part, storage, records, readSession, policy, providers, store, authWindow, redirectUri } = core;
  const { journal, work } = core;
  const { createDeviceSignIn, plainTokens, toSignInUri } = part;
  const revocations = createRevocations(core);
  const windowSignIn = createSignIn(
    authWindow,
    {
      redirectUri: (provider) =>
        toSignInUri?.(redirectUri(provider.id), provider) ?? redirectUri(provider.id),
      flowOf: core.flowOf,
      origin: core.origin,
    },
    journal,
    revocations.settled,
  );
  const device = createDeviceSignIn?.({ ...core, windowSignIn, revocations });
  const signIn = device ?? windowSignIn;
  const ways = { ...core, revocations, windowSignIn, device, signIn, plainTokens };
  const followRecord = createFollowRecord(store, records, providers, policy, work);
  const renewal = createRenewal(ways);
  const completeProfile = createCompleteProfile(readSession, records, core.nowMs);
  const beginSession = createBeginSession({ ...ways, completeProfile });
  const signInFlow = createSignInFlow({ ...ways, beginSession });
  const autoSignIn = createAutoSignIn({ ...ways, beginSession, memory: storage.memory });
  const endWithProvider = createEndWithProvider(ways);
  const popup = { ...ways, renewal, completeProfile, autoSignIn, endWithProvider };
  /** Ends what the settings in force don't allow. This happens even if the board can't be written. */
  const followPolicy = async () => {
    await Promise.all([signInFlow.endOther(), followRecord.endIfNotAllowed()]);
    await store.publish();
  };
  const signOutMark = createSignOutMark(storage.local, records);
  const restore = createStart({ ...core, revocations, signOutMark, followRecord, signInFlow, followPolicy });
  const signOut = createSignOut({ ...core, signOutMark });
  const handleCommand = createCommandHandler({ ...popup, start: restore, signInFlow, signOut });
  /** Does `work` once the session is known. */
  const onceStarted = (then: () => Promise<void> | void) => () => work.track(restore().then(then));

  return {
    renewal,
    /** Restores the session, once in a worker's life. Everything else waits for it. Rejects if the storage fails. */
    restore,
    start: () => work.track(restore()),
    handleCommand,
    /** Clears permission errors once access is granted, and retries what needs no click. */
    onHostsAllowed: onceStarted(async () => {
      await store.dispatch({ type: 'notice-dismissed' });
      await onPopupOpened(popup);
    }),
    /** Restores the session when the browser has started, or the extension was installed. */
    onBrowserStarted: onceStarted(() => autoSignIn.tryAt('startup')),
    /**
     * Ends what a policy that has changed no longer allows, when the providers that are offered have changed already. Rejects
     * if the storage fails; the next worker then ends the rest.
     */
    onPolicyChanged: onceStarted(followPolicy),
  };
}

/** Registers the worker's listeners. */
function listen(
  { runtime, windows, permissions }: WorkerBrowser,
  scope: LineScope,
  session: ReturnType<typeof createSession>,
  { authWindow, journal, work }: Pick<ReturnType<typeof createCore>, 'authWindow' | 'journal' | 'work'>,
  { fetch, onUpdateOffered }: { readonly fetch: Serve; readonly onUpdateOffered: () => void },
): void {
  // A failure is reported to the next page that asks.
  const run = (event: BrowserEvent, follow: () => Promise<void>) => {
    journal.note(detail`browser-event: ${safe(event)}`);
    follow().catch(() => undefined);
  };

  serveLines(scope, runtime.getURL('').slice(0, -1), {
    command: serveCommands(session.handleCommand, journal, work),
    fetch,
  });
  // Firefox for Android has none.
  windows?.onCreated.addListener(authWindow.onWindowCreated);
  windows?.onRemoved.addListener(authWindow.onWindowRemoved);
  runtime.onInstalled.addListener(({ reason }) => {
    const event = toInstallation(reason);
    if (event === null) session.start().catch(() => undefined);
    else run(event, event === 'install' ? session.onBrowserStarted : session.start);
  });
  // A browser that starts shows the manifest's toolbar button; starting the worker sets it.
  runtime.onStartup.addListener(() => run('startup', session.onBrowserStarted));
  // Without this listener Firefox would update at once, in the middle of a sign-in.
  runtime.onUpdateAvailable.addListener(() => run('update-available', async () => onUpdateOffered()));
  permissions.onAdded.addListener(() => run('hosts-allowed', session.onHostsAllowed));
}

type Installation = 'install' | 'update' | 'browser-update';
type BrowserEvent = Installation | 'startup' | 'update-available' | 'hosts-allowed';

function toInstallation(reason: string): Installation | null {
  if (reason === 'install' || reason === 'update') return reason;
  // Chromium says `chrome_update`, Firefox `browser_update`.
  return reason.endsWith('_update') ? 'browser-update' : null;
}

/** The settings of a build without policies: its own. */
function createFixedSettings({ built, offer }: PolicyParts): Policy {
  const inForce = asBuilt(built);
  offer(inForce.providers);
  return { ready: () => Promise.resolve(inForce), inForce };
}

/** Some browsers have no sign-in window at all. */
function hasWindow({ identity }: WorkerBrowser): boolean {
  return identity !== undefined && 'launchWebAuthFlow' in identity;
}
