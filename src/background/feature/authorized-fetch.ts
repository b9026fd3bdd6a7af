// The feature's fetch: a request to a configured API, sent by the worker with the signed-in person's token.

import { FetchRefused } from '../../bridge/fetch/errors.ts';
import { maxRequestBytes } from '../../bridge/fetch/protocol.ts';
import type { AuthorizedFetch } from '../../bridge/fetch/serve-fetch.ts';
import type { Provider } from '../../config/provider.ts';
import type { ProviderClient } from '../../oidc/provider-client.ts';
import { requestResource } from '../../oidc/resource.ts';
import { toProblem } from '../../session/problem.ts';
import { isSamePerson, type Profile, type ProviderId } from '../../session/session.ts';
import type { CurrentUser } from '../session/current-user.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignedIn } from '../record/record.ts';
import type { ReadSession } from '../session/permission.ts';
import type { Renewal } from '../session/renewal.ts';

export interface AuthorizedFetchParts {
  /** Resolves when the session is known. */
  readonly start: () => Promise<void>;
  readonly currentUser: CurrentUser;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly readSession: ReadSession;
  readonly renewal: Renewal;
}

/**
 * A fetch that attaches the token of the signed-in person. The token is renewed if it is about to expire, and once
 * more if the API answers 401; a second 401 is returned. The body of the response is streamed, without a timeout or
 * a maximum size. Of the request's settings `method`, `headers`, `body`, `signal`, `redirect`, `cache` and
 * `integrity` are used; cookies and the referrer are never sent.
 *
 * Rejects as the platform's fetch does, and with {@link FetchRefused}:
 * - `signed-out`: no one is signed in, or the session ended before the response was read to its end;
 * - `origin-not-allowed`: the URL is outside the provider's `apiOrigins`; nothing was sent;
 * - `authorization-header`, `body-too-large`: the request cannot be sent as it is; nothing was sent;
 * - `renewal-failed`: no token can be had now; the session stays as it is;
 * - `redirect-refused`: the response came from another origin, or the API redirects and the token is bound to a key. Where no
 *   content security policy confines redirects, neither may the request have a body or headers of its own.
 */
export function createAuthorizedFetch(parts: AuthorizedFetchParts): AuthorizedFetch {
  const { start, currentUser, providers, readSession, renewal } = parts;
  /** Per origin: tokens refused right after a renewal. Renewing again is pointless, for them and for a while. */
  const refusedAfterRenewal = new Map<string, RefusedTokens>();
  const whenSignedOut = createSignedOutSignals();

  /** The session with fresh tokens, or with tokens that still work if they cannot be renewed. */
  const findSession = async (world: ProviderClient['world']) => {
    try {
      return await renewal.getFresh();
    } catch (error) {
      const stored = await readSession();
      if (stored !== null && world.nowMs() < stored.tokens.expiresAtMs) return stored;
      throw error;
    }
  };

  /** The provider of the person, with the settings of now, if its token may go with the request. */
  const clientFor = (person: Profile, request: Request): ProviderClient => {
    const client = providers.get(person.providerId)?.client;
    if (client === undefined) throw signedOut();
    expectAllowed(client.provider, request);
    return client;
  };

  const fetchAs = async (person: Profile, request: Request, signal: AbortSignal): Promise<Response> => {
    const { world } = clientFor(person, request);
    const { origin } = new URL(request.url);
    const body = await readBody(request);
    const sendAs = async (found: Promise<SignedIn | null>) => {
      const session = await orRefuse(found);
      // The record switches users slightly before the session does.
      if (session === null || !isSamePerson(session.profile, person)) throw signedOut();
      // A policy may have changed meanwhile.
      const client = clientFor(person, request);
      return { session, response: await send(client, session, request, body, signal) };
    };

    const { session, response } = await sendAs(findSession(world));
    if (!isTokenRefused(response, origin)) return response;
    if (isPaused(refusedAfterRenewal.get(origin), session, world.nowMs())) return response;
    discard(response);
    const second = await sendAs(renewal.replace(session));
    if (isTokenRefused(second.response, origin))
      refusedAfterRenewal.set(origin, toRefusedTokens(second.session, world.nowMs()));
    return second.response;
  };

  return async (request) => {
    await orRefuse(start());
    const lease = currentUser.current();
    if (lease === null) throw signedOut();
    const signal = AbortSignal.any([request.signal, whenSignedOut(lease.ended)]);
    return unlessAborted(signal, fetchAs(lease.person, request, signal));
  };
}

/** Turns the end of a lease into `signed-out`: one signal for each lease, so that requests leave no listener behind. */
function createSignedOutSignals(): (ended: AbortSignal) => AbortSignal {
  const signals = new WeakMap<AbortSignal, AbortSignal>();
  return (ended) => {
    const known = signals.get(ended);
    if (known !== undefined) return known;
    const controller = new AbortController();
    const abort = () =>
      controller.abort(new FetchRefused('signed-out', 'The session ended before this request was answered.'));
    ended.addEventListener('abort', abort, { once: true });
    signals.set(ended, controller.signal);
    return controller.signal;
  };
}

/** Throws {@link FetchRefused} if the request may not carry the token. */
function expectAllowed({ id, apiOrigins }: Provider, { url, headers }: Request): void {
  const { origin } = new URL(url);
  if (!apiOrigins.includes(origin)) {
    throw new FetchRefused(
      'origin-not-allowed',
      `${origin} is not one of the "apiOrigins" of the provider "${id}". If it may receive the token, add it to the configuration and build again.`,
    );
  }
  const own = ['Authorization', 'DPoP'].find((name) => headers.has(name));
  if (own !== undefined) {
    throw new FetchRefused(
      'authorization-header',
      `The request has the header "${own}". Remove it: the worker attaches the token.`,
    );
  }
}

/** Reads the whole body, so that it can be sent twice; null if it is empty. Throws {@link FetchRefused} `body-too-large`. */
async function readBody(request: Request): Promise<ArrayBuffer | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const body = await request.arrayBuffer();
  if (body.byteLength > maxRequestBytes) {
    throw new FetchRefused(
      'body-too-large',
      `The body of the request is larger than ${maxRequestBytes} bytes. Send it in several requests.`,
    );
  }
  // An empty body would add a Content-Length header; no body does not.
  return body.byteLength === 0 ? null : body;
}

/** Sends the request once with the tokens of `session`. Throws {@link FetchRefused} `redirect-refused`. */
async function send(
  client: ProviderClient,
  { tokens, dpopKey }: SignedIn,
  request: Request,
  body: ArrayBuffer | null,
  signal: AbortSignal,
): Promise<Response> {
  const { world, provider } = client;
  const { url, method, redirect, cache, integrity } = request;
  // A DPoP proof names one URL. And the browser sends a body and headers to wherever a redirect leads.
  const isBound =
    tokens.type === 'DPoP' || (world.redirects !== 'confined' && (body !== null || hasOwnHeaders(request)));
  const stopsRedirect = isBound && redirect === 'follow';
  const response = await requestResource(client, tokens, dpopKey, request, (headers) =>
    world.fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: stopsRedirect ? 'manual' : redirect,
      // A response in the browser's cache may be another person's, so the API has to confirm it.
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
  if (response.redirected && !provider.apiOrigins.includes(new URL(response.url).origin)) {
    discard(response);
    throw new FetchRefused(
      'redirect-refused',
      `The API redirects to an origin that is not one of the "apiOrigins" of the provider "${provider.id}".`,
    );
  }
  return response;
}

/** Headers that say nothing but the form of the request and of its answer. */
const formHeaders: readonly string[] = ['accept', 'accept-language', 'content-language', 'content-type'];

function hasOwnHeaders({ headers }: Request): boolean {
  return [...headers.keys()].some((name) => !formHeaders.includes(name));
}

/** Whether the API refused the token. After a redirect to another origin the browser had not sent it. */
function isTokenRefused({ status, redirected, url }: Response, origin: string): boolean {
  return status === 401 && (!redirected || new URL(url).origin === origin);
}

/** Frees the connection of a response that no one will read. */
function discard({ body }: Response): void {
  // Rejects if the connection broke already, which is fine.
  body?.cancel().catch(() => undefined);
}

/** Names a token set that an API refused, and when. */
type RefusedTokens = Pick<SignedIn, 'id' | 'generation'> & { readonly atMs: number };

/** Two APIs that refuse every token would otherwise cause a renewal with each request, in turns. */
const refusalPauseMs = 5 * 60_000;

function toRefusedTokens({ id, generation }: SignedIn, atMs: number): RefusedTokens {
  return { id, generation, atMs };
}

/** Whether an API refused the tokens of `session`, or other new tokens of it within the pause. */
function isPaused(refused: RefusedTokens | undefined, session: SignedIn, nowMs: number): boolean {
  if (refused?.id !== session.id) return false;
  return refused.generation === session.generation || Math.abs(nowMs - refused.atMs) < refusalPauseMs;
}

function signedOut(): FetchRefused {
  return new FetchRefused('signed-out', 'No one is signed in, so the request was not sent.');
}

/** Resolves as `work` does, and rejects with `renewal-failed` if it rejects. */
async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, detail } = toProblem(error);
    throw new FetchRefused(
      'renewal-failed',
      `No access token is available for the request now. The session stays as it is; try again later. ${code}${detail === null ? '' : `: ${detail}`}`,
    );
  }
}

/** Settles as `work` does, or rejects with the signal's reason if it is aborted before. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
