// One run of the protocol: in the sign-in window, or silently if the user is still signed in at the provider.
// Verifier, state and nonce live in a closure and are never stored.

import { withTimeout } from '../../concurrency.ts';
import type { Provider } from '../../config/provider.ts';
import {
  askSilently,
  mayReopen,
  type AuthorizationOptions,
  type AuthorizationRequest,
} from '../../oidc/authorize.ts';
import { diagnose, findRefusal, isRefusal, withDiagnosis, type Registration } from '../../oidc/why.ts';
import type { Metadata } from '../../oidc/discover.ts';
import { generateDpopKey, wantsDpop } from '../../oidc/resource.ts';
import { completeSignIn, type Flow, type Obtained } from '../../oidc/code-flow.ts';
import { isLoginRequired, isTransient } from '../../oidc/problems.ts';
import { detail, safe } from '../../session/detail.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';
import type { Journal } from '../journal.ts';
import type { Evidence } from './own-windows.ts';
import { type AuthWindow, isClosedByUser, isOccupied, mayHaveFailedToLoad } from './window.ts';
import type { ProviderAccess, TokenAccess } from './provider.ts';
import { isUnsent } from '../../oidc/http.ts';

export interface SignIn {
  /**
   * Opens the sign-in window and signs the user in. The window waits for `shown`, and opens only if `isWanted` says so then. It
   * opens once more if the response belongs to a silent request of this worker, if {@link mayReopen} says so, or if the browser has
   * closed the window because a page in it failed, and nothing suggests that the next one would also fail. If the window of the
   * same request has outlived its cancel, and the user finishes there in the meantime, that response is used. Throws
   * {@link ProblemError}, and whatever `shown` rejects with.
   */
  inWindow(
    access: TokenAccess,
    options: AuthorizationOptions,
    shown: Promise<void>,
    isWanted: () => boolean,
  ): Promise<Obtained>;
  /** Signs the user in without a window. Throws {@link ProblemError} if that isn't possible. */
  silently(access: TokenAccess, options: Omit<AuthorizationOptions, 'prompt'>): Promise<Obtained>;
  /**
   * Asks the provider whether the user is signed in there, without a window and without requesting a token. `unasked` if a window
   * was already open. Never rejects.
   */
  askWhetherSignedIn(
    access: ProviderAccess,
    options: Omit<AuthorizationOptions, 'prompt'>,
  ): Promise<'login-required' | 'another-answer' | 'unasked'>;
}

/**
 * Creates the sign-in by the flows of `parts`. Tokens are requested when `settled` resolves: when no revocation is under way.
 */
export function createSignIn(
  authWindow: AuthWindow,
  parts: FlowParts,
  journal: Journal,
  settled: () => Promise<unknown>,
): SignIn {
  /** The states of the last two silent requests. */
  const silentStates = new WeakMap<Provider, readonly string[]>();
  const requests = createOpenRequests(authWindow);

  const startSilently = async (access: ProviderAccess, options: AuthorizationOptions) => {
    const started = await start(parts, access, { ...options, prompt: 'none' });
    const { provider } = access.client;
    silentStates.set(provider, [...(silentStates.get(provider) ?? []), started.request.state].slice(-2));
    return started;
  };

  /** Redeems and verifies the URL that ends a flow. */
  const finish = async (
    { flow, registration, request, dpopKey }: StartedFlow,
    access: TokenAccess,
    responseUrl: string,
  ): Promise<Obtained> => {
    await settled();
    const { client, keys } = access;
    return withDiagnosis(registration, async () => {
      const { metadata, parameters } = await readResponse(access, flow, request, responseUrl);
      return completeSignIn(flow, client, metadata, keys, request, parameters, dpopKey);
    });
  };

  return {
    async inWindow(access, options, shown, isWanted) {
      let responseUrl = '';
      const openWindow = async () => {
        const started = await start(parts, access, options, isWanted);
        await shown;
        // Their addresses can't be used.
        for (const endpoint of started.metadata.leftOutEndpoints ?? [])
          journal.note(
            detail`endpoint-left-out: ${safe(endpoint)}, provider ${safe(access.client.provider.id)}`,
          );
        const evidence = toEvidence(started.request);
        responseUrl = await authWindow
          .open(started.request.url, evidence, isWanted, (url) => requests.keep(started, options, url))
          .catch((error: unknown) => explainFailure(authWindow, started, evidence, error));
        if (!isWanted()) throw new ProblemError('cancelled');
        return finish(started, access, responseUrl);
      };
      const left = await requests.take(access, options, isWanted);
      try {
        return await (left === null ? openWindow() : finish(left.started, access, left.responseUrl));
      } catch (error) {
        // Some providers keep a silent request that they have refused, and respond to it at the next sign-in.
        const states = silentStates.get(access.client.provider);
        const isLate = states?.some((state) => responseUrl.includes(state)) === true;
        if (!isLate && !mayReopen(error) && !isClosedByBrowser(error)) throw error;
        return openWindow();
      }
    },

    async silently(access, options) {
      // "prompt=none" belongs to OpenID Connect, and a provider that ignores it would show a page.
      if (access.client.provider.userApi !== null)
        throw new ProblemError('expired', detail`silent sign-in: plain OAuth 2 has none`);
      return askSilently(options, async (asked) => {
        const started = await startSilently(access, asked);
        const responseUrl = await authWindow
          .openSilently(started.request.url)
          .catch((error: unknown) => diagnoseSilence(started, error));
        return finish(started, access, responseUrl);
      });
    },

    async askWhetherSignedIn(access, options) {
      const answered = askSilently(options, async (asked) => {
        const { flow, request } = await startSilently(access, asked);
        const url = await authWindow.openSilently(request.url);
        // An unused code expires by itself.
        if (/[?#&]error=login_required\b/.test(url)) await readResponse(access, flow, request, url);
      });
      return answered.then(
        () => 'another-answer',
        (error: unknown) =>
          isUnsent(error) ? 'unasked' : isLoginRequired(error) ? 'login-required' : 'another-answer',
      );
    },
  };
}

interface FlowParts {
  readonly redirectUri: (provider: Provider) => string;
  readonly flowOf: (provider: Provider) => Flow;
  /** That of the extension's requests, if every installation has it. */
  readonly origin: string | undefined;
}

/** Creates a request, unless it is no longer wanted. */
async function start(
  { redirectUri, flowOf, origin }: FlowParts,
  access: ProviderAccess,
  options: AuthorizationOptions,
  isWanted = () => true,
): Promise<StartedFlow> {
  const { client } = access;
  const { provider } = client;
  const flow = flowOf(provider);
  const registration = { redirectUri: redirectUri(provider), clientId: provider.clientId, origin };
  const created = await access.attempt(async (metadata) => {
    const dpopKey = wantsDpop(provider, metadata) ? await generateDpopKey() : null;
    if (!isWanted()) throw new ProblemError('cancelled');
    const request = await withDiagnosis(registration, () =>
      flow.createRequest(client, metadata, registration.redirectUri, options, dpopKey),
    );
    return { metadata, dpopKey, request };
  });
  // Old keys are fetched while the user types.
  access.warm();
  return { access, flow, registration, ...created };
}

/** Validates the URL that ends a flow, and returns its parameters and the metadata that they fit. Throws {@link ProblemError}. */
function readResponse(
  { client, attempt }: ProviderAccess,
  flow: Flow,
  request: AuthorizationRequest,
  responseUrl: string,
) {
  return attempt(async (metadata) => ({
    metadata,
    parameters: await flow.readResponse(client, metadata, request, responseUrl),
  }));
}

/** A flow whose request is ready, with everything that's needed to ask the provider why it failed. */
interface StartedFlow {
  readonly access: ProviderAccess;
  readonly flow: Flow;
  readonly metadata: Metadata;
  readonly registration: Registration;
  readonly request: AuthorizationRequest;
  readonly dpopKey: CryptoKeyPair | null;
}

/**
 * The requests whose windows are open. A window that couldn't be closed outlives a cancel: a user may still finish there, and a
 * later sign-in with the same request takes that response.
 */
function createOpenRequests({ whenFree }: AuthWindow) {
  interface Request {
    /** Its options, as text. */
    readonly options: string;
    readonly started: StartedFlow;
    readonly responseUrl: Promise<string>;
  }
  /** The last one of each provider. */
  const requests = new WeakMap<Provider, Request>();

  return {
    /** Keeps the request until its flow ends with `responseUrl`. */
    keep(started: StartedFlow, options: AuthorizationOptions, responseUrl: Promise<string>) {
      const { provider } = started.access.client;
      const request = { options: JSON.stringify(options), started, responseUrl };
      requests.set(provider, request);
      const forget = () => requests.get(provider) === request && requests.delete(provider);
      void responseUrl.then(forget, forget);
    },

    /** The same request and its response, if the user finishes it while the next window waits for the former one; else null. */
    async take(
      { client: { provider } }: ProviderAccess,
      options: AuthorizationOptions,
      isWanted: () => boolean,
    ): Promise<{ readonly started: StartedFlow; readonly responseUrl: string } | null> {
      const request = requests.get(provider);
      requests.delete(provider);
      if (request?.options !== JSON.stringify(options)) return null;
      await whenFree();
      const responseUrl = await withTimeout(request.responseUrl, 0, () => null).catch(() => null);
      return responseUrl !== null && isWanted() ? { started: request.started, responseUrl } : null;
    },
  };
}

function toEvidence({ url, state }: AuthorizationRequest): Evidence {
  const { origin, searchParams } = new URL(url);
  return { state, requestUri: searchParams.get('request_uri'), origin };
}

/** The codes of a window whose page failed for a reason that the browser doesn't tell. */
const unexplained: readonly ProblemCode[] = ['sign-in-page-failed', 'timed-out', 'unexpected'];

/** Throws the problem behind a window that failed, or `error` itself if there is no better one. */
async function explainFailure(
  { keepsFailedPages }: AuthWindow,
  started: StartedFlow,
  { requestUri }: Evidence,
  error: unknown,
): Promise<never> {
  if (!(error instanceof ProblemError)) throw error;
  // The user may have seen there why the provider refuses the request.
  if (keepsFailedPages && isClosedByUser(error)) {
    const { access, flow, metadata, registration } = started;
    const { redirectUri } = registration;
    const isPushed = requestUri !== null;
    throw (await findRefusal(access.client, metadata, redirectUri, flow.createRequest, isPushed)) ?? error;
  }
  const isClosed = isClosedByBrowser(error);
  // The browser hasn't asked the provider.
  if (!isClosed && (!unexplained.includes(error.code) || isOccupied(error.cause))) throw error;
  const cause = await findCause(started);
  // A page of ours that was shown disproves any guess about the request.
  const isProven = error.code === 'interrupted';
  if (cause !== null && (!isProven || isTransient(cause) || isRefusal(cause))) throw cause;
  if (!isClosed || isProven) throw error;
  throw new ProblemError('interrupted', error.detail, { cause: error.cause, window: error.window });
}

/** Whether the window had appeared, and the browser has closed it because a page in it failed. */
function isClosedByBrowser(error: unknown): boolean {
  return error instanceof ProblemError && error.window === 'closed-by-browser';
}

/**
 * Throws the problem behind a silent flow that failed. A provider that can't be reached must not end a session, but Firefox
 * reports it just like one that shows a page, and Chromium like any page that fails.
 */
async function diagnoseSilence(started: StartedFlow, error: unknown): Promise<never> {
  if (!(error instanceof ProblemError) || !mayHaveFailedToLoad(error)) throw error;
  const cause = await findCause(started);
  throw cause !== null && isTransient(cause) ? cause : error;
}

function findCause({ access, flow, metadata, registration }: StartedFlow): Promise<ProblemError | null> {
  const { client, keys } = access;
  const refresh = () => keys('fresh').then(() => access.metadata());
  return diagnose(client, metadata, registration.redirectUri, refresh, flow.createRequest);
}
