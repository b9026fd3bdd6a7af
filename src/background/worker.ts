// The worker, built of its parts. Everything is registered before this returns: a browser that wakes a worker for
// an event tells only the listeners that are there by then.

import { createBoardStore, type BoardArea } from '../bridge/board.ts';
import { serveCommands, type MessageRuntime, type Sender } from '../bridge/messages.ts';
import type { Config } from '../config/provider.ts';
import type { World } from '../oidc/exchange.ts';
import type { Reply } from '../session/commands.ts';
import type { ProviderId } from '../session/session.ts';
import { createAnnouncement, type AnnouncementBrowser } from './announcement.ts';
import { createAttempts } from './attempts.ts';
import { createAuthWindow, type AuthWindow, type AuthWindowBrowser } from './auth-window.ts';
import type { WithDatabase } from './database.ts';
import { createProviderAccess } from './provider-access.ts';
import { createRenewal } from './renewal.ts';
import { createRevocations } from './revocations.ts';
import { createSessionService, type SessionService } from './session-service.ts';
import { createSignIn } from './sign-in.ts';
import { createSignOutWindow } from './sign-out-window.ts';
import { createVault } from './vault.ts';
import { browserKey, deviceKey } from './vault-key.ts';

interface Event<Listener> {
  addListener(listener: Listener): void;
}

/** All that the worker uses of the browser. */
export interface WorkerBrowser extends AnnouncementBrowser {
  readonly identity: AuthWindowBrowser['identity'] & { getRedirectURL(path: string): string };
  readonly windows: AuthWindowBrowser['windows'] & {
    readonly onCreated: Event<AuthWindow['onWindowCreated']>;
    readonly onRemoved: Event<AuthWindow['onWindowRemoved']>;
  };
  readonly permissions: { readonly onAdded: Event<() => void> };
  readonly storage: {
    readonly local: BoardArea;
    readonly session: BoardArea & AuthWindowBrowser['memory'];
  };
  readonly runtime: AnnouncementBrowser['runtime'] &
    MessageRuntime & {
      readonly onMessage: Event<(message: unknown, sender: Sender) => Promise<Reply> | undefined>;
      readonly onInstalled: Event<() => void>;
      readonly onUpdateAvailable: Event<() => void>;
      reload(): void;
    };
}

/** Starts the worker for the providers of `config`. */
export function startWorker(
  browser: WorkerBrowser,
  world: World,
  withDatabase: WithDatabase,
  config: Pick<Config, 'providers' | 'persistence'>,
): void {
  const { local, session: memory } = browser.storage;
  const isKeptOnDevice = config.persistence === 'device';
  const vault = createVault(withDatabase, isKeptOnDevice ? deviceKey(withDatabase) : browserKey(memory));
  const providers = new Map(
    config.providers.map((provider) => [provider.id, createProviderAccess(provider, world, withDatabase)]),
  );
  const authWindow = createAuthWindow({ identity: browser.identity, windows: browser.windows, memory });
  const redirectUri = (providerId: ProviderId) => browser.identity.getRedirectURL(providerId);
  const signIn = createSignIn(authWindow, redirectUri);
  const service: SessionService = createSessionService({
    boards: createBoardStore(isKeptOnDevice ? local : memory),
    vault,
    providers,
    authWindow,
    attempts: createAttempts(memory, world.nowMs),
    signIn,
    signOutWindow: createSignOutWindow(authWindow, redirectUri),
    renewal: createRenewal({
      vault,
      providers,
      signIn,
      nowMs: world.nowMs,
      tell: (event) => service.tell(event),
    }),
    revocations: createRevocations(vault, providers, world.nowMs),
    nowMs: world.nowMs,
    announcement: createAnnouncement(browser),
  });

  browser.runtime.onMessage.addListener(serveCommands(browser.runtime, service.handle));
  browser.runtime.onInstalled.addListener(() => {
    // What fails here is told to the first page that asks.
    service.start().catch(() => undefined);
  });
  browser.runtime.onUpdateAvailable.addListener(() => {
    // Without this listener Firefox would update at once, in the middle of a sign-in.
    void service.whenIdle().then(() => browser.runtime.reload());
  });
  browser.permissions.onAdded.addListener(() => {
    // A board that cannot be written now is told to the next page that asks.
    service.onHostsAllowed().catch(() => undefined);
  });
  browser.windows.onCreated.addListener(authWindow.onWindowCreated);
  browser.windows.onRemoved.addListener(authWindow.onWindowRemoved);
}
