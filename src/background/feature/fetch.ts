// The feature's fetch: a request to a configured API, sent by the worker with the signed-in user's token.

import type { AuthorizedFetch } from '../../bridge/fetch/serve-fetch.ts';
import { toApiOrigins } from '../../config/manifest.ts';
import type { Api, Provider } from '../../config/provider.ts';
import { toApiKey } from '../../oidc/authorize.ts';
import type { Environment } from '../../oidc/http.ts';
import { detail, safe, type Detail } from '../../session/detail.ts';
import { toProblem, type ProblemCode } from '../../session/problem.ts';
import { isSameUser, type Profile, type ProviderId } from '../../session/view.ts';
import type { CurrentUser } from './feature-worker.ts';
import { requestLine, type Journal } from '../journal.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import type { StoredSession } from '../record/record.ts';
import type { Records } from '../record/records.ts';
import { type Renewal } from '../session/renewal.ts';
import type { ReadSession, UsableSession } from '../session/usable.ts';
import { isTokenRefused } from '../../oidc/resource.ts';
import { FetchRefused } from '../../bridge/fetch/errors.ts';

export interface AuthorizedFetchParts {
  /** Resolves when the session is known. */
  readonly start: () => Promise<void>;
  readonly currentUser: Pick<CurrentUser, 'lease'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly readSession: ReadSession;
  readonly renewal: Renewal;
  readonly records: Pick<Records, 'dispatchOrHold'>;
  readonly journal: Journal;
}

/**
 * A fetch that attaches the token of the signed-in user. The token is renewed if it is about to expire, and once
 * more if the API refuses it with a 401; a second 401 is returned. The body of the response is streamed, without a timeout or
 * a maximum size. Of the request's settings `method`, `headers`, `body`, `signal`, `redirect`, `cache` and
 * `integrity` are used; cookies and the referrer are never sent.
 *
 * Rejects as the platform's fetch does, and with {@link FetchRefused}:
 * - `signed-out`: no one is signed in, or the session ended before the response was read to its end;
 * - `origin-not-allowed`: the URL is outside the provider's `apiOrigins` and `apis`; nothing was sent;
 * - `authorization-header`: the request can't be sent as it is; nothing was sent;
 * - `renewal-failed`: no token is available now; the session stays as it is;
 * - `api-token-refused`: the provider issues no token for this API, which has one of its own; the session stays as it is;
 * - `redirect-refused`: the response came from another origin, or the API redirects and the token is bound to a key. Without a
 *   content security policy that confines redirects, a request with a body or its own headers can't be redirected either.
 *
 * Notes each request that fails, unless the feature has aborted it.
 */
export function createAuthorizedFetch(parts: AuthorizedFetchParts): AuthorizedFetch {
  const { start, currentUser, providers, readSession, renewal, records, journal } = parts;

  /** The session with a fresh token for the API, or with one that still works if there's no fresh one. */
  const findSession = async (world: Environment, api: Api | null): Promise<UsableSession | null> => {
    try {
      return await renewal.getFresh(api);
    } catch (error) {
      const usable = (await readSession())?.for(api);
      if (usable && world.nowMs() < usable.session.tokens.expiresAtMs) return usable;
      throw error;
    }
  };

  const fetchAs = async (user: Profile, request: Request, signal: AbortSignal): Promise<Response> => {
    const asked = providers.get(user.providerId)?.client;
    if (asked === undefined) throw unsettled();
    const { world, provider } = asked;
    const { origin } = new URL(request.url);
    const api = findApi(provider, request);
    const body = await readBody(request);
    const sendAs = async (found: Promise<UsableSession | null>) => {
      const usable = await orRefuse(found, api);
      // The record switches users slightly before the session does.
      if (usable === null || !isSameUser(usable.session.profile, user)) throw signedOut();
      // A policy may have changed meanwhile.
      if (keyOf(findApi(usable.access.client.provider, request)) !== keyOf(api)) throw unsettled();
      return { usable, response: await send(usable, request, body, signal) };
    };

    const { usable, response } = await sendAs(findSession(world, api));
    if (!isRefusedAt(origin, response)) return response;
    if (isRenewalUseless(origin, usable.session, world.nowMs())) return response;
    discard(response);
    const second = await sendAs(renewal.replace(usable, api));
    if (isRefusedAt(origin, second.response))
      await records.dispatchOrHold({ type: 'token-refused', cause: second.usable.session, origin });
    return second.response;
  };

  return async (request) => {
    try {
      await orRefuse(start(), null);
      const { lease } = currentUser;
      if (lease === null) throw signedOut();
      const signal = AbortSignal.any([request.signal, lease.ended]);
      const response = await unlessAborted(signal, fetchAs(lease.user, request, signal));
      if (response.status >= 400)
        journal.note(toRequestLine(providers, request, detail`HTTP ${response.status}`));
      return response;
    } catch (error) {
      const reason = error instanceof FetchRefused ? safe(error.reason) : detail`network`;
      if (!request.signal.aborted) journal.note(toRequestLine(providers, request, reason));
      throw error;
    }
  };
}

/** A request that failed, without its path. A host that isn't in the configuration may name a person. */
function toRequestLine(
  providers: AuthorizedFetchParts['providers'],
  { url }: Request,
  reason: Detail,
): Detail {
  const { origin } = new URL(url);
  const isKnown = [...providers.values()].some(({ client }) =>
    toApiOrigins(client.provider).includes(origin),
  );
  return detail`${requestLine}: ${reason} at ${isKnown ? safe(origin) : detail`another origin`}`;
}

/**
 * The API whose own token the request carries; null if it's that of the sign-in. Throws {@link FetchRefused} if the request may carry
 * none.
 */
function findApi(provider: Provider, { url, headers }: Request): Api | null {
  const { origin } = new URL(url);
  if (!toApiOrigins(provider).includes(origin)) {
    throw new FetchRefused(
      'origin-not-allowed',
      `${origin} is not one of the "apiOrigins" of the provider "${provider.id}", nor of its "apis". If it may receive the token, add it to the configuration and build again.`,
    );
  }
  const own = ['Authorization', 'DPoP'].find((name) => headers.has(name));
  if (own !== undefined) {
    throw new FetchRefused(
      'authorization-header',
      `The request has the header "${own}". Remove it: the worker attaches the token.`,
    );
  }
  return provider.apis.find(({ origins }) => origins.includes(origin)) ?? null;
}

/** Otherwise two APIs that refuse every token would cause a renewal with each request, one after the other. */
const refusalPauseMs = 5 * 60_000;

/** Whether the API refused the tokens of `session` right after a renewal, or other new tokens of it within the pause. */
function isRenewalUseless(origin: string, { refusals, generation }: StoredSession, nowMs: number): boolean {
  const refused = refusals.find((one) => one.origin === origin);
  return (
    refused !== undefined &&
    (refused.generation === generation || Math.abs(nowMs - refused.atMs) < refusalPauseMs)
  );
}

function unsettled(): FetchRefused {
  return new FetchRefused(
    'renewal-failed',
    'The policy has yet to arrive, or has just changed what this API gets. Send the request again.',
  );
}

function signedOut(): FetchRefused {
  return new FetchRefused('signed-out', 'No one is signed in, so the request was not sent.');
}

/** The problems of a provider that issues no token for an API: trying again would bring the same one. */
const refusals: readonly ProblemCode[] = [
  'denied',
  'not-supported',
  'provider-misconfigured',
  'response-rejected',
];

/** Resolves as `work` does. If it rejects, `renewal-failed`, or `api-token-refused` if another try wouldn't help `api`. */
async function orRefuse<T>(work: Promise<T>, api: Api | null): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, detail: reason } = toProblem(error);
    const because = `${code}${reason === null ? '' : `: ${reason}`}`;
    throw api === null || !refusals.includes(code)
      ? new FetchRefused(
          'renewal-failed',
          `No access token is available for the request now. The session stays as it is; try again later. ${because}`,
        )
      : new FetchRefused(
          'api-token-refused',
          `The provider issues no access token for this API. The user may have to allow it: call requestScope with the API's origin. ${because}`,
        );
  }
}

/** Names the token that the API gets; null for that of the sign-in. */
const keyOf = (api: Api | null) => api && toApiKey(api);

/** Settles as `work` does, or rejects with the signal's reason if it is aborted before. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

// One request to an API: what is sent with a session's token, and what the response says about that token.

/** Reads the whole body, so that it can be sent twice; null if it is empty. */
async function readBody(request: Request): Promise<ArrayBuffer | null> {
  const body = await request.arrayBuffer();
  // An empty body would add a Content-Length header; no body doesn't.
  return body.byteLength === 0 ? null : body;
}

/** Sends the request once with the token of the session. Throws {@link FetchRefused} `redirect-refused`. */
async function send(
  usable: UsableSession,
  request: Request,
  body: ArrayBuffer | null,
  signal: AbortSignal,
): Promise<Response> {
  const { world, provider } = usable.access.client;
  const { url, method, redirect, cache, integrity } = request;
  // A DPoP proof names one URL, and the browser would send the body and headers wherever a redirect leads.
  const isBound =
    usable.session.tokens.type === 'DPoP' ||
    (world.redirects !== 'confined' && (body !== null || hasOwnHeaders(request)));
  const stopsRedirect = isBound && redirect === 'follow';
  const response = await usable.authorize(request, (headers) =>
    world.fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: stopsRedirect ? 'manual' : redirect,
      // A response in the browser's cache may be another user's, so the API has to confirm it.
      cache: cache === 'default' || cache === 'force-cache' ? 'no-cache' : cache,
      integrity,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    }),
  );
  if (stopsRedirect && response.type === 'opaqueredirect') {
    throw new FetchRefused(
      'redirect-refused',
      'The API redirects, and the body, the headers or the DPoP proof of the request are for one URL only. Request the final URL.',
    );
  }
  if (response.redirected && !toApiOrigins(provider).includes(new URL(response.url).origin)) {
    discard(response);
    throw new FetchRefused(
      'redirect-refused',
      `The API redirects to an origin that is not that of an API of the provider "${provider.id}".`,
    );
  }
  return response;
}

/** Headers that only describe the form of the request and its response. */
const formHeaders: readonly string[] = ['accept', 'accept-language', 'content-language', 'content-type'];

function hasOwnHeaders({ headers }: Request): boolean {
  return [...headers.keys()].some((name) => !formHeaders.includes(name));
}

/** Whether the API refused the token. After a redirect to another origin, the browser hasn't sent the token. */
function isRefusedAt(origin: string, response: Response): boolean {
  return isTokenRefused(response) && !(response.redirected && new URL(response.url).origin !== origin);
}

/** Frees the connection of a response that no one will read. */
function discard({ body }: Response): void {
  // Rejects if the connection broke already, which is fine.
  body?.cancel().catch(() => undefined);
}
