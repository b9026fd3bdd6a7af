// The worker, built of its parts. All listeners are registered before startWorker returns: an event that wakes a
// worker reaches only the listeners that are there by then.

import { journalKey, type Entry } from '../bridge/report/entries.ts';
import type { Locks } from '../bridge/fetch/life.ts';
import { serveFetches, type PageEvent } from '../bridge/fetch/serve-fetch.ts';
import { boardKey, createWorkersBoard, type BoardArea, type BoardStore } from '../bridge/session/board.ts';
import { serveCommands, type MessageRuntime, type Sender } from '../bridge/session/messages.ts';
import type { PolicyReading } from '../config/policy.ts';
import type { Config, Provider } from '../config/provider.ts';
import type { World } from '../oidc/exchange.ts';
import { codeFlow, type Flow } from '../oidc/flow.ts';
import type { Reply } from '../session/commands.ts';
import type { ProviderId } from '../session/session.ts';
import { createAuthorizedFetch } from './feature/authorized-fetch.ts';
import { startFeatureWorker, type StartFeature } from './feature/feature-worker.ts';
import { createJournal, noteLeftOut, type Journal } from './journal.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createAuthWindow, type AuthWindow, type AuthWindowBrowser } from './provider/auth-window.ts';
import { createManagedStorage, type ManagedBrowser } from './policy/managed-storage.ts';
import { laterArea, laterKey } from './policy/places.ts';
import { createPolicy, type InForce } from './policy/policy.ts';
import { createProviderAccess } from './provider/provider-access.ts';
import { createProviders } from './provider/providers.ts';
import { createSignIn } from './provider/sign-in.ts';
import { createSignOutWindow } from './provider/sign-out-window.ts';
import { createAttempts, type Attempts } from './session/attempts.ts';
import type { CreateDeviceSignIn } from './session/device-sign-in.ts';
import { createTasks, type Tasks } from './session/tasks.ts';
import type { OauthTokens } from './session/oauth-tokens.ts';
import { wireSession, type WiredSession } from './session/wiring.ts';
import { isPageOpen } from './toolbar/open-page.ts';
import { createReopenPopup, type ReopenPopupBrowser } from './toolbar/reopen-popup.ts';
import { createToolbar, type ToolbarBrowser } from './toolbar/toolbar.ts';
import { createUpdate, type Update } from './update.ts';
import type { OpenDatabase } from './vault/database.ts';
import { leaveFormerPlaceFirst } from './vault/former-place.ts';
import { createVault, type Vault } from './vault/vault.ts';
import { browserKey, deviceKey } from './vault/vault-key.ts';
import { createWall } from './wall.ts';

interface Event<Listener> {
  addListener(listener: Listener): void;
}

/** The parts of the browser that the worker uses. */
export interface WorkerBrowser extends ReopenPopupBrowser {
  readonly management?: NonNullable<ManagedBrowser['management']>;
  readonly action: ReopenPopupBrowser['action'] & ToolbarBrowser['action'];
  readonly i18n: ToolbarBrowser['i18n'];
  readonly identity: AuthWindowBrowser['identity'] & { getRedirectURL(path: string): string };
  readonly windows: AuthWindowBrowser['windows'] & {
    readonly onCreated: Event<AuthWindow['onWindowCreated']>;
    readonly onRemoved: Event<AuthWindow['onWindowRemoved']>;
  };
  readonly tabs: AuthWindowBrowser['tabs'];
  readonly permissions: { readonly onAdded: Event<() => void> };
  readonly storage: {
    readonly local: BoardArea;
    readonly session: BoardArea;
    readonly managed?: NonNullable<ManagedBrowser['storage']['managed']>;
  };
  readonly runtime: ReopenPopupBrowser['runtime'] &
    AuthWindowBrowser['runtime'] &
    MessageRuntime & {
      readonly onMessage: Event<(message: unknown, sender: Sender) => Promise<Reply> | undefined>;
      readonly onInstalled: Event<(details: { readonly reason: string }) => void>;
      readonly onStartup: Event<() => void>;
      readonly onUpdateAvailable: Event<() => void>;
      getPlatformInfo(): Promise<unknown>;
      reload(): void;
    };
}

/** The parts of the worker's global scope that are used: the requests of features arrive there. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: PageEvent) => void): void;
  readonly navigator: { readonly locks: Locks };
}

/** The parts that few configurations need. A build without need of one does not contain it. */
export interface OptionalParts {
  readonly idTokenFlow?: Flow | null;
  /**
   * Turns the browser's redirect URI into that of the provider's sign-ins. That of a sign-out is always the browser's own,
   * because Firefox finds another one only in an authorization request.
   */
  readonly toSignInUri?: ((redirectUri: string, provider: Provider) => string) | null;
  /** For providers with a user API. */
  readonly oauthFlow?: Flow | null;
  /** Likewise. */
  readonly oauthTokens?: OauthTokens | null;
  /** For providers with the device flow. */
  readonly createDeviceSignIn?: CreateDeviceSignIn | null;
}

/** The worker's arguments beside its surroundings. */
export interface WorkerOutlets {
  /** Reads an administrator's policy over the configuration of the build. */
  readonly readPolicy: (policy: unknown) => PolicyReading;
  /** Gets the mistakes of a policy that is not used. */
  readonly warn?: (problems: readonly string[]) => void;
  /** Gets each entry of the journal. */
  readonly print?: ((entry: Entry) => void) | undefined;
}

/** Starts the worker for the providers of `config`, and in it the feature's own part. */
export function startWorker(
  browser: WorkerBrowser,
  scope: WorkerScope,
  world: World,
  openDatabase: OpenDatabase,
  config: Pick<Config, 'providers' | 'persistence'>,
  startFeature: StartFeature,
  { readPolicy, warn = () => undefined, print }: WorkerOutlets,
  optionalParts: OptionalParts = {},
): void {
  const { nowMs } = world;
  const { local, session: memory } = browser.storage;
  let kept: InForce['persistence'] | null = null;
  /** Whether the session is kept on the device. A policy that changes that is followed by the next worker. */
  const isKeptOnDevice = async () => (kept ??= (await policy.ready()).persistence) === 'device';
  const area = laterArea(async () => ((await isKeptOnDevice()) ? local : memory));
  const formerArea = laterArea(async () => ((await isKeptOnDevice()) ? memory : local));
  const redirectUri = (providerId: ProviderId) => browser.identity.getRedirectURL(providerId);

  // Any call of the browser's API keeps the worker alive.
  const tasks = createTasks(createKeepAlive(() => browser.runtime.getPlatformInfo()));
  const journal = createJournal(area, nowMs, print);
  journal.noteWithNext({ what: 'worker-started' });
  const withDatabase = openDatabase(() => journal.note({ what: 'database-begun-anew' }));
  // The browser opens it while the rest is built. The first use that follows reports a failure.
  withDatabase(() => Promise.resolve()).catch(() => undefined);
  const [onDevice, inBrowser] = [deviceKey(withDatabase), browserKey(memory)];
  const key = laterKey(async () => ((await isKeptOnDevice()) ? onDevice : inBrowser));
  const formerKey = laterKey(async () => ((await isKeptOnDevice()) ? inBrowser : onDevice));
  const former = { formerKey, formerArea, formerItems: [boardKey, journalKey] };
  const boards = createWorkersBoard(area);
  const attempts = createAttempts(memory, nowMs);
  const network = toTrackedWorld(world, tasks);
  const { offered: providers, ...allProviders } = createProviders(config.providers, (provider) =>
    createProviderAccess(provider, network, withDatabase),
  );
  let inForce: InForce = { ...config, autoSignIn: 'off', managed: null, problem: null };
  const policy = createPolicy({
    managed: createManagedStorage(browser),
    area: local,
    built: config,
    read: readPolicy,
    journal,
    warn,
    apply(now) {
      inForce = now;
      allProviders.offer(now.providers);
    },
    remember: allProviders.remember,
    // A failure is reported to the next page that asks.
    onChanged: () => void session.onPolicyChanged().catch(() => undefined),
  });
  const authWindow = toTrackedWindow(createAuthWindow(browser, memory), tasks);
  const wall = createWall(
    config.providers.map(({ id }) => id),
    allProviders.known,
  );
  const vaultKey = leaveFormerPlaceFirst({ withDatabase, key, ...former, nowMs });
  const vault = wall.watchVault(createVault(withDatabase, vaultKey));
  const toolbar = createToolbar(browser, memory);
  const session = wireSession({
    ...optionalParts,
    withDatabase,
    vaultKey,
    boards,
    vault,
    providers,
    knownProviders: allProviders.known,
    policy: policy.ready,
    inForce: () => inForce,
    attempts,
    local,
    memory,
    authWindow,
    signIn: createSignIn(
      authWindow,
      (provider) =>
        optionalParts.toSignInUri?.(redirectUri(provider.id), provider) ?? redirectUri(provider.id),
      (provider) => toFlow(provider, optionalParts),
      noteLeftOut(journal, providers),
    ),
    signOutWindow: createSignOutWindow(authWindow, redirectUri),
    toolbar,
    reopenPopup: createReopenPopup(browser, toolbar),
    journal,
    tasks,
    wall,
    oauthTokens: optionalParts.oauthTokens,
    nowMs,
  });
  const { start, currentUser, renewal } = session;
  const authorizedFetch = wall.guardFetch(
    createAuthorizedFetch({ start, currentUser, providers, vault, renewal }),
  );
  const update = createUpdate({
    tasks,
    memory,
    isPageOpen: () => isPageOpen(browser),
    isCostly: async () =>
      // The vault's key is in the browser's memory too.
      (!(await isKeptOnDevice()) && !(await isEmpty(vault))) || (await isResumable(boards, attempts)),
    reload: () => browser.runtime.reload(),
  });

  browser.runtime.onMessage.addListener(serveCommands(browser.runtime, wall.guardReplies(session.handle)));
  scope.addEventListener(
    'message',
    serveFetches(browser.runtime, authorizedFetch, tasks.track, scope.navigator.locks),
  );
  browser.windows.onCreated.addListener(authWindow.onWindowCreated);
  browser.windows.onRemoved.addListener(authWindow.onWindowRemoved);
  listenToBrowser(browser, session, update, journal);
  startFeatureWorker(startFeature, { start, currentUser, authorizedFetch, keepAlive: tasks.track });
}

/** The flow of a provider. A build for a provider that needs another flow than the usual one has it. */
function toFlow({ userApi, responseType }: Provider, { oauthFlow, idTokenFlow }: OptionalParts): Flow {
  if (userApi !== null) return oauthFlow ?? codeFlow;
  return (responseType === 'id_token' && idTokenFlow) || codeFlow;
}

/** The world, in which each request counts as work: some are sent ahead of need, and nobody waits for them. */
function toTrackedWorld(world: World, { track }: Tasks): World {
  return { ...world, fetch: (url, init) => track(world.fetch(url, init)) };
}

/** The window, in which a flow counts as a wait for the person. */
function toTrackedWindow(authWindow: AuthWindow, { waitForPerson }: Tasks): AuthWindow {
  return { ...authWindow, open: (...args) => waitForPerson(authWindow.open(...args)) };
}

/** Whether the vault holds neither a session nor a token that is still to be revoked. */
async function isEmpty(vault: Vault): Promise<boolean> {
  return (await vault.read()) === null && (await vault.pendingRevocations()).size === 0;
}

/** Whether the last worker left a sign-in behind that the next popup resumes. */
async function isResumable(boards: Pick<BoardStore, 'read'>, attempts: Attempts): Promise<boolean> {
  const session = (await boards.read())?.session;
  return session?.status === 'signing-in' && (await attempts.find(session)) !== null;
}

/** Listens to what the browser does with the extension. */
function listenToBrowser(
  { runtime, permissions }: WorkerBrowser,
  { start, onBrowserStarted, onHostsAllowed }: WiredSession,
  update: Update,
  journal: Journal,
): void {
  // A failure is reported to the next page that asks.
  const run = (work: () => Promise<void>) => void work().catch(() => undefined);

  runtime.onInstalled.addListener(({ reason }) => {
    const event = toInstallation(reason);
    if (event !== null) journal.note({ what: 'browser-event', event });
    run(event === 'install' ? onBrowserStarted : start);
  });
  // A browser that starts shows the manifest's toolbar button; starting the worker sets it.
  runtime.onStartup.addListener(() => {
    journal.note({ what: 'browser-event', event: 'startup' });
    run(onBrowserStarted);
  });
  // Without this listener Firefox would update at once, in the middle of a sign-in.
  runtime.onUpdateAvailable.addListener(() => {
    journal.note({ what: 'browser-event', event: 'update-available' });
    update.onAvailable();
  });
  permissions.onAdded.addListener(() => {
    journal.note({ what: 'browser-event', event: 'hosts-allowed' });
    run(onHostsAllowed);
  });
}

function toInstallation(reason: string): 'install' | 'update' | 'browser-update' | null {
  if (reason === 'install' || reason === 'update') return reason;
  // Chromium says `chrome_update`, Firefox `browser_update`.
  return reason.endsWith('_update') ? 'browser-update' : null;
}
