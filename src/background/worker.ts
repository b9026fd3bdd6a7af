// The worker, built of its parts. Everything is registered before this returns: a browser that wakes a worker for
// an event tells only the listeners that are there by then.

import { createBoardStore, type BoardArea } from '../bridge/session/board.ts';
import type { Port } from '../bridge/fetch/protocol.ts';
import { createKeepAlive } from './keep-alive.ts';
import { serveCommands, type MessageRuntime, type Sender } from '../bridge/session/messages.ts';
import { serveFetches } from '../bridge/fetch/serve-fetch.ts';
import type { Config } from '../config/provider.ts';
import type { World } from '../oidc/exchange.ts';
import type { Reply } from '../session/commands.ts';
import type { ProviderId } from '../session/session.ts';
import { createReopenPopup, type ReopenPopupBrowser } from './toolbar/reopen-popup.ts';
import { createAttempts } from './session/attempts.ts';
import { createAuthorizedFetch } from './feature/authorized-fetch.ts';
import { createAuthWindow, type AuthWindow, type AuthWindowBrowser } from './provider/auth-window.ts';
import type { WithDatabase } from './vault/database.ts';
import { startFeatureWorker, type StartFeature } from './feature/feature-worker.ts';
import { createJournal } from './journal.ts';
import { createCurrentUser } from './session/current-user.ts';
import { createProviderAccess } from './provider/provider-access.ts';
import { createRenewal } from './session/renewal.ts';
import { createRevocations } from './session/revocations.ts';
import { createSessionService, type SessionService } from './session/session-service.ts';
import { createSignIn } from './provider/sign-in.ts';
import { createSignOutWindow } from './provider/sign-out-window.ts';
import { createToolbar, type ToolbarBrowser } from './toolbar/toolbar.ts';
import { createVault } from './vault/vault.ts';
import { browserKey, deviceKey } from './vault/vault-key.ts';

interface Event<Listener> {
  addListener(listener: Listener): void;
}

/** All that the worker uses of the browser. */
export interface WorkerBrowser extends ReopenPopupBrowser {
  readonly action: ReopenPopupBrowser['action'] & ToolbarBrowser['action'];
  readonly i18n: ToolbarBrowser['i18n'];
  readonly identity: AuthWindowBrowser['identity'] & { getRedirectURL(path: string): string };
  readonly windows: AuthWindowBrowser['windows'] & {
    readonly onCreated: Event<AuthWindow['onWindowCreated']>;
    readonly onRemoved: Event<AuthWindow['onWindowRemoved']>;
  };
  readonly permissions: { readonly onAdded: Event<() => void> };
  readonly storage: {
    readonly local: BoardArea;
    readonly session: BoardArea;
  };
  readonly runtime: ReopenPopupBrowser['runtime'] &
    MessageRuntime & {
      readonly onMessage: Event<(message: unknown, sender: Sender) => Promise<Reply> | undefined>;
      readonly onConnect: Event<(port: Port) => void>;
      readonly onInstalled: Event<(details: { readonly reason: string }) => void>;
      readonly onStartup: Event<() => void>;
      readonly onUpdateAvailable: Event<() => void>;
      getPlatformInfo(): Promise<unknown>;
      reload(): void;
    };
}

/** Starts the worker for the providers of `config`, and in it the feature's half. */
export function startWorker(
  browser: WorkerBrowser,
  world: World,
  withDatabase: WithDatabase,
  config: Pick<Config, 'providers' | 'persistence'>,
  startFeature: StartFeature,
): void {
  const { local, session: memory } = browser.storage;
  const isKeptOnDevice = config.persistence === 'device';
  const journal = createJournal(isKeptOnDevice ? local : memory, world.nowMs);
  journal.note({ what: 'worker-started' });
  const toolbar = createToolbar(browser, memory);
  const vault = createVault(withDatabase, isKeptOnDevice ? deviceKey(withDatabase) : browserKey(memory));
  const providers = new Map(
    config.providers.map((provider) => [provider.id, createProviderAccess(provider, world, withDatabase)]),
  );
  const authWindow = createAuthWindow({ identity: browser.identity, windows: browser.windows, memory });
  const redirectUri = (providerId: ProviderId) => browser.identity.getRedirectURL(providerId);
  const signIn = createSignIn(authWindow, redirectUri);
  const currentUser = createCurrentUser();
  const renewal = createRenewal({
    vault,
    providers,
    signIn,
    nowMs: world.nowMs,
    tell: (event) => service.tell(event),
    journal,
  });
  const service: SessionService = createSessionService({
    boards: createBoardStore(isKeptOnDevice ? local : memory),
    vault,
    providers,
    authWindow,
    attempts: createAttempts(memory, world.nowMs),
    signIn,
    signOutWindow: createSignOutWindow(authWindow, redirectUri),
    renewal,
    revocations: createRevocations(vault, providers, world.nowMs, journal),
    nowMs: world.nowMs,
    reopenPopup: createReopenPopup(browser, toolbar),
    toolbar,
    currentUser,
    journal,
  });
  const featureParts = { start: service.start, currentUser, providers, vault, renewal };
  const authorizedFetch = createAuthorizedFetch(featureParts);
  // Any call of the browser's API is a sign of life.
  const keepAlive = createKeepAlive(() => browser.runtime.getPlatformInfo());

  browser.runtime.onMessage.addListener(serveCommands(browser.runtime, service.handle));
  browser.runtime.onConnect.addListener(serveFetches(browser.runtime, authorizedFetch, keepAlive));
  const start = () => {
    // What fails here is told to the first page that asks.
    service.start().catch(() => undefined);
  };
  browser.runtime.onInstalled.addListener(({ reason }) => {
    const event = toInstallation(reason);
    if (event !== null) journal.note({ what: 'browser-event', event });
    start();
  });
  // The toolbar has forgotten what it showed.
  browser.runtime.onStartup.addListener(() => {
    journal.note({ what: 'browser-event', event: 'startup' });
    start();
  });
  browser.runtime.onUpdateAvailable.addListener(() => {
    journal.note({ what: 'browser-event', event: 'update-available' });
    // Without this listener Firefox would update at once, in the middle of a sign-in.
    void service.whenIdle().then(() => browser.runtime.reload());
  });
  browser.permissions.onAdded.addListener(() => {
    journal.note({ what: 'browser-event', event: 'hosts-allowed' });
    // A board that cannot be written now is told to the next page that asks.
    service.onHostsAllowed().catch(() => undefined);
  });
  browser.windows.onCreated.addListener(authWindow.onWindowCreated);
  browser.windows.onRemoved.addListener(authWindow.onWindowRemoved);
  startFeatureWorker(startFeature, { ...featureParts, authorizedFetch, keepAlive });
}

function toInstallation(reason: string): 'install' | 'update' | 'browser-update' | null {
  if (reason === 'install' || reason === 'update') return reason;
  // Each browser has its own word for its own update.
  return reason.endsWith('_update') ? 'browser-update' : null;
}
