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
import { diagnose, findRefusal, isRefusal, withDiagnosis } from '../../oidc/why.ts';
import type { Metadata, OptionalEndpoint } from '../../oidc/discover.ts';
import { generateDpopKey, wantsDpop } from '../../oidc/resource.ts';
import {
  completeSignIn,
  type Flow,
  type Obtained,
  findDroppedToken,
  type DroppedToken,
} from '../../oidc/code-flow.ts';
import { isLoginRequired, isTransient } from '../../oidc/problems.ts';
import { detail } from '../../session/detail.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';
import type { ProviderId } from '../../session/view.ts';
import type { Evidence } from './own-windows.ts';
import { type AuthWindow, isClosedByUser, isOccupied, mayHaveFailedToLoad } from './window.ts';
import type { ProviderAccess } from './provider.ts';
import { isUnsent } from '../../oidc/http.ts';

export interface SignIn {
  /**
   * Opens the sign-in window and signs the user in. The window waits for `shown`, and opens only if `isWanted` says so
   * then. It opens once more if the answer is to a silent request of this worker, if {@link mayReopen} says so, or if the browser has
   * closed the window because a page in it failed, and nothing says that the next one would fail too. If the window of the same
   * request has outlived its cancel, and the user finishes there in the meantime, that answer is used. Throws {@link ProblemError}, and
   * whatever `shown` rejects with.
   */
  inWindow(
    access: ProviderAccess,
    options: AuthorizationOptions,
    shown: Promise<void>,
    isWanted: () => boolean,
  ): Promise<Obtained>;
  /** Signs the user in without a window. Throws {@link ProblemError} if that is not possible. */
  silently(access: ProviderAccess, options: Omit<AuthorizationOptions, 'prompt'>): Promise<Obtained>;
  /**
   * Asks the provider whether the user is signed in there, without a window and without requesting a token. `unasked` if a window
   * was open. Never rejects.
   */
  askWhetherSignedIn(
    access: ProviderAccess,
    options: Omit<AuthorizationOptions, 'prompt'>,
  ): Promise<'login-required' | 'another-answer' | 'unasked'>;
}

/**
 * Runs the flow that `flowOf` returns for the provider. `noteLeftOut` is called for each sign-in in a window with the
 * endpoints that Latchkey does not use. Tokens are requested when the revocation under way is over, and the refresh token of a
 * response that fails a check is queued for one. `origin` is that of the extension's requests, if every installation has it.
 */
export function createSignIn(
  authWindow: AuthWindow,
  redirectUri: (provider: Provider) => string,
  flowOf: (provider: Provider) => Flow,
  noteLeftOut: (providerId: ProviderId, endpoints: readonly OptionalEndpoint[]) => void,
  revocations: DropToken & { readonly settled: () => Promise<void> },
  origin?: string,
): SignIn {
  /** The states of the last two silent requests. */
  const silentStates = new WeakMap<ProviderAccess, readonly string[]>();
  const noteState = (access: ProviderAccess, { state }: AuthorizationRequest) =>
    silentStates.set(access, [...(silentStates.get(access) ?? []), state].slice(-2));

  const requests = createOpenRequests(authWindow);

  const run = createRun(redirectUri, flowOf, revocations, origin);

  return {
    async inWindow(access, options, shown, isWanted) {
      let responseUrl = '';
      const openWindow = () =>
        run(
          access,
          options,
          async (request, started, finish) => {
            await shown;
            noteLeftOut(access.client.provider.id, started.metadata.leftOutEndpoints ?? []);
            const evidence = toEvidence(request);
            responseUrl = await authWindow
              .open(request.url, evidence, isWanted, (url) => requests.keep(access, options, url, finish))
              .catch((error: unknown) => explainFailure(authWindow, started, evidence, error));
            return responseUrl;
          },
          isWanted,
        );
      try {
        return (await requests.take(access, options, isWanted)) ?? (await openWindow());
      } catch (error) {
        // Some providers keep a silent request that they have refused, and answer it at the next sign-in.
        const isLate = silentStates.get(access)?.some((state) => responseUrl.includes(state)) === true;
        if (!isLate && !mayReopen(error) && !isClosedByBrowser(error)) throw error;
        return openWindow();
      }
    },

    async silently(access, options) {
      // "prompt=none" belongs to OpenID Connect, and a provider that ignores it would show a page.
      if (access.client.provider.userApi !== null)
        throw new ProblemError('expired', detail`silent sign-in: plain OAuth 2 has none`);
      return askSilently(options, (asked) =>
        run(access, { ...asked, prompt: 'none' }, (request, started) => {
          noteState(access, request);
          return authWindow
            .openSilently(request.url)
            .catch((error: unknown) => diagnoseSilence(started, error));
        }),
      );
    },

    async askWhetherSignedIn(access, options) {
      const answered = askSilently(options, (asked) =>
        run(access, { ...asked, prompt: 'none' }, async (request) => {
          noteState(access, request);
          const url = await authWindow.openSilently(request.url);
          // An unused code expires by itself.
          if (!/[?#&]error=login_required\b/.test(url)) throw new ProblemError('cancelled');
          return url;
        }),
      );
      return answered.then(
        () => 'another-answer',
        (error: unknown) =>
          isUnsent(error) ? 'unasked' : isLoginRequired(error) ? 'login-required' : 'another-answer',
      );
    },
  };
}

/** A function that creates a request, has `open` bring its answer, and verifies that, unless it is no longer wanted. */
function createRun(
  redirectUri: (provider: Provider) => string,
  flowOf: (provider: Provider) => Flow,
  revocations: DropToken & { readonly settled: () => Promise<void> },
  origin: string | undefined,
) {
  return async (
    access: ProviderAccess,
    options: AuthorizationOptions,
    open: (request: AuthorizationRequest, started: StartedFlow, finish: Finish) => Promise<string>,
    isWanted = () => true,
  ): Promise<Obtained> => {
    const expectWanted = () => {
      if (!isWanted()) throw new ProblemError('cancelled');
    };
    const { client, keys } = access;
    const flow = flowOf(client.provider);
    const { clientId } = client.provider;
    const registration = { redirectUri: redirectUri(client.provider), clientId, origin };
    const { metadata, dpopKey, request } = await access.attempt(async (copy) => {
      const key = wantsDpop(client.provider, copy) ? await generateDpopKey() : null;
      expectWanted();
      const created = await withDiagnosis(registration, () =>
        flow.createRequest(client, copy, registration.redirectUri, options, key),
      );
      return { metadata: copy, dpopKey: key, request: created };
    });
    const started = { access, flow, metadata, redirectUri: registration.redirectUri };
    // Old keys are fetched while the user types.
    access.warm();
    const finish: Finish = async (responseUrl) => {
      await revocations.settled();
      const completed = withDiagnosis(registration, async () => {
        const current = await access.attempt(async (copy) => {
          await flow.readResponse(client, copy, request, responseUrl);
          return copy;
        });
        return completeSignIn(flow, client, current, keys, request, responseUrl, dpopKey);
      });
      return revokeOnFailure(revocations, access, completed);
    };
    const responseUrl = await open(request, started, finish);
    expectWanted();
    return finish(responseUrl);
  };
}

/** Redeems and verifies the URL that ends a flow. */
type Finish = (responseUrl: string) => Promise<Obtained>;

/**
 * The requests whose windows are open. A window that could not be closed outlives a cancel: a user may still finish there, and a
 * later sign-in with the same request takes that answer.
 */
function createOpenRequests({ whenFree }: AuthWindow) {
  interface Request {
    /** Its options, as text. */
    readonly options: string;
    readonly responseUrl: Promise<string>;
    readonly finish: Finish;
  }
  /** The last one of each provider. */
  const requests = new WeakMap<ProviderAccess, Request>();

  return {
    /** Keeps the request until its flow ends with `responseUrl`. */
    keep(
      access: ProviderAccess,
      options: AuthorizationOptions,
      responseUrl: Promise<string>,
      finish: Finish,
    ) {
      const request = { options: JSON.stringify(options), responseUrl, finish };
      requests.set(access, request);
      const forget = () => requests.get(access) === request && requests.delete(access);
      void responseUrl.then(forget, forget);
    },

    /** The result of the same request, if the user finishes it while the next window waits for the former one; else null. */
    async take(
      access: ProviderAccess,
      options: AuthorizationOptions,
      isWanted: () => boolean,
    ): Promise<Obtained | null> {
      const request = requests.get(access);
      requests.delete(access);
      if (request?.options !== JSON.stringify(options)) return null;
      await whenFree();
      const responseUrl = await withTimeout(request.responseUrl, 0, () => null).catch(() => null);
      return responseUrl !== null && isWanted() ? request.finish(responseUrl) : null;
    },
  };
}

function toEvidence({ url, state }: AuthorizationRequest): Evidence {
  const { origin, searchParams } = new URL(url);
  return { state, requestUri: searchParams.get('request_uri'), origin };
}

/** The codes of a window whose page failed for a reason that the browser does not tell. */
const unexplained: readonly ProblemCode[] = ['sign-in-page-failed', 'timed-out', 'unexpected'];

/** A flow with everything that's needed to ask the provider why it failed. */
interface StartedFlow {
  readonly access: ProviderAccess;
  readonly flow: Flow;
  readonly metadata: Metadata;
  readonly redirectUri: string;
}

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
    const { access, flow, metadata, redirectUri } = started;
    const isPushed = requestUri !== null;
    throw (await findRefusal(access.client, metadata, redirectUri, flow.createRequest, isPushed)) ?? error;
  }
  const isClosed = isClosedByBrowser(error);
  // The browser has not asked the provider.
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
 * Throws the problem behind a silent flow that failed. A provider that cannot be reached must not end a session, but Firefox
 * reports it just like one that shows a page, and Chromium like any page that fails.
 */
async function diagnoseSilence(started: StartedFlow, error: unknown): Promise<never> {
  if (!(error instanceof ProblemError) || !mayHaveFailedToLoad(error)) throw error;
  const cause = await findCause(started);
  throw cause !== null && isTransient(cause) ? cause : error;
}

function findCause({ access, flow, metadata, redirectUri }: StartedFlow): Promise<ProblemError | null> {
  const { client, keys } = access;
  const refresh = () => keys('fresh').then(() => access.metadata());
  return diagnose(client, metadata, redirectUri, refresh, flow.createRequest);
}

// No token is forgotten: the refresh token of a response that fails a check is queued for revocation.

/** Takes a token that was received and not used. Never rejects. */
export interface DropToken {
  drop(access: ProviderAccess, dropped: DroppedToken): Promise<void>;
}

/** Settles as `result` does. If that fails with a refresh token behind its error, the token is queued first. */
export async function revokeOnFailure<T>(
  revocations: DropToken,
  access: ProviderAccess,
  result: Promise<T>,
): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const dropped = findDroppedToken(error);
    if (dropped !== null) await revocations.drop(access, dropped);
    throw error;
  }
}
