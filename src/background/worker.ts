// The worker, built of its parts. All listeners are registered before startWorker returns: an event that wakes a
// worker reaches only the listeners that are there by then.

import { openFetch } from '../bridge/fetch/open-fetch.ts';
import { serveFetches } from '../bridge/fetch/serve-fetch.ts';
import { createOwnLine } from '../bridge/line/line.ts';
import { shortPause, withTimeout } from '../concurrency.ts';
import type { PolicyReading } from '../config/policy.ts';
import type { Config, Provider } from '../config/provider.ts';
import type { Environment } from '../oidc/http.ts';
import { codeFlow, type Flow } from '../oidc/code-flow.ts';
import { detail } from '../session/detail.ts';
import type { ProviderId } from '../session/view.ts';
import { createAuthorizedFetch } from './feature/fetch.ts';
import { startFeatureWorker, type StartFeature } from './feature/feature-worker.ts';
import { deadlineMs, withDeadlines } from './deadlines.ts';
import { createJournal, noteLeftOut } from './journal.ts';
import { createKeepAlive, createTasks, type Tasks, createUpdate } from './work.ts';
import { listen } from './listeners.ts';
import { createPlaces } from './persistence.ts';
import { createAuthWindow, requireIdentity, type AuthWindow } from './provider/window.ts';
import { createManagedStorage, createPolicy } from './policy/policy.ts';
import { createProviderAccess, createProviders } from './provider/provider.ts';
import { createSignIn } from './provider/run-flow.ts';
import { createSignOutWindow, createSignOutMark } from './session/sign-out.ts';
import type { CreateDeviceSignIn } from './session/device.ts';
import { createReadSession } from './session/usable.ts';
import type { OauthTokens } from './session/oauth-tokens.ts';
import { wireSession } from './session/wiring.ts';
import { createReopenPopup, isPageOpen, createToolbar } from './toolbar.ts';
import { inTime, type OpenDatabase } from './record/database.ts';
import type { WorkerBrowser, WorkerScope } from './worker-browser.ts';

export type { WorkerBrowser, WorkerScope } from './worker-browser.ts';

/** The parts that few configurations need. A build only contains those that its configuration needs. */
export interface OptionalParts {
  readonly idTokenFlow?: Flow | null;
  /**
   * Turns the browser's redirect URI into the one for the provider's sign-ins. A sign-out always uses the browser's own,
   * because Firefox only recognizes another one in an authorization request.
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
  /** Gets each line of the journal. */
  readonly print?: ((line: string) => void) | undefined;
  /** Puts off work that no one is waiting for. */
  readonly whenIdle?: () => Promise<void>;
}

/** Starts the worker for the providers of `config`, and in it the feature's own part. */
export function startWorker(
  given: WorkerBrowser,
  scope: WorkerScope,
  world: Environment,
  openDatabase: OpenDatabase,
  config: Pick<Config, 'providers' | 'persistence' | 'autoSignIn'>,
  startFeature: StartFeature,
  { readPolicy, warn = () => undefined, print, whenIdle = shortPause }: WorkerOutlets,
  optionalParts: OptionalParts = {},
): void {
  const { nowMs } = world;
  const browser = withDeadlines(given);
  const places = createPlaces(browser.storage, () => policy.ready());
  const { local, memory, boards } = places;
  const redirectUri = (providerId: ProviderId) => requireIdentity(browser).getRedirectURL(providerId);
  const signInUri = (provider: Provider) =>
    optionalParts.toSignInUri?.(redirectUri(provider.id), provider) ?? redirectUri(provider.id);
  const flowOf = (provider: Provider) => toFlow(provider, optionalParts);

  // Any call of the browser's API keeps the worker alive, even one that fails.
  const tasks = createTasks(createKeepAlive(() => browser.runtime.getPlatformInfo().catch(() => undefined)));
  const journal = createJournal(places.journalArea, nowMs, print, whenIdle);
  journal.noteWithNext(detail`worker-started`);
  const withDatabase = inTime(openDatabase(() => journal.note(detail`database-begun-anew`)));
  const network = toTrackedWorld(world, tasks);
  const { offered: providers, ...allProviders } = createProviders(config.providers, (provider) =>
    createProviderAccess(provider, network, withDatabase),
  );
  const policy = createPolicy({
    managed: createManagedStorage(given),
    area: local,
    built: config,
    read: readPolicy,
    journal,
    warn,
    offer: allProviders.offer,
    remember: allProviders.remember,
    // A failure is reported to the next page that asks.
    onChanged: () => void session.onPolicyChanged().catch(() => undefined),
  });
  const authWindow = toTrackedWindow(createAuthWindow(browser, memory), tasks);
  const records = places.openRecords(withDatabase, nowMs);
  const readSession = createReadSession(records, providers, policy.inForce);
  const toolbar = createToolbar(browser, memory, whenIdle);
  const session = wireSession({
    ...optionalParts,
    readAhead: () => places.readAhead(withDatabase),
    records,
    boards,
    readSession,
    providers,
    knownProviders: allProviders.known,
    policy: policy.ready,
    inForce: policy.inForce,
    signOutMark: createSignOutMark(local),
    memory,
    authWindow,
    createSignIn: (revocations) =>
      createSignIn(authWindow, signInUri, flowOf, noteLeftOut(journal, providers), revocations),
    signOutWindow: createSignOutWindow(authWindow, redirectUri),
    toolbar,
    reopenPopup: createReopenPopup(browser, toolbar),
    journal,
    tasks,
    whenIdle,
    nowMs,
  });
  const { start, currentUser, renewal } = session;
  const authorizedFetch = createAuthorizedFetch({ start, currentUser, providers, readSession, renewal });
  const serveFetch = serveFetches(authorizedFetch, tasks.track);
  const onUpdateOffered = createUpdate({
    tasks,
    isPageOpen: () => isPageOpen(browser),
    isHarmless: async () => !records.hasUnstored() && (await places.isKeptOnDevice()),
    reload: () => browser.runtime.reload(),
  });

  listen(browser, scope, { session, serveFetch, authWindow, onUpdateOffered, journal });
  // Nothing is read ahead: a response that the feature leaves unread must not keep the worker running.
  const ownFetch = openFetch(createOwnLine(serveFetch), 0);
  startFeatureWorker(startFeature, {
    start,
    currentUser,
    // Tracked from the call on: the request is only served once its body has been read.
    fetch: (...args) => tasks.track(ownFetch(...args)),
  });
}

/** The provider's flow. A build contains an unusual flow only if one of its providers needs it. */
function toFlow({ userApi, responseType }: Provider, { oauthFlow, idTokenFlow }: OptionalParts): Flow {
  if (userApi !== null) return oauthFlow ?? codeFlow;
  return (responseType === 'id_token' && idTokenFlow) || codeFlow;
}

/**
 * The world, in which each request counts as work: some are sent ahead of need, and no one is waiting for them. A browser that does
 * not say whether a host may be reached is taken to allow it.
 */
function toTrackedWorld(world: Environment, { track }: Tasks): Environment {
  const allows = () => true;
  return {
    ...world,
    fetch: (url, init) => track(world.fetch(url, init)),
    mayReach: (origin) => withTimeout(world.mayReach(origin).catch(allows), deadlineMs, allows),
  };
}

/** The window, in which a flow counts as a wait for the user. */
function toTrackedWindow(authWindow: AuthWindow, { waitForUser }: Tasks): AuthWindow {
  return { ...authWindow, open: (...args) => waitForUser(authWindow.open(...args)) };
}
