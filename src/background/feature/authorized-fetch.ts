// The feature's fetch: a request to a configured API, made by the worker with the token of whoever is signed in.

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
import type { Renewal } from '../session/renewal.ts';
import type { Vault, VaultSession } from '../vault/vault.ts';

export interface AuthorizedFetchParts {
  /** Resolves when it is known who is signed in. */
  readonly start: () => Promise<void>;
  readonly currentUser: CurrentUser;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly vault: Pick<Vault, 'read'>;
  readonly renewal: Renewal;
}

/**
 * A fetch that attaches the token of the person who is signed in, renewed if it is about to end, and once more if
 * the API answers 401; a second 401 is the answer. The body of an answer is not read here: it is streamed, without
 * a deadline or a cap. Of the request's settings `method`, `headers`, `body`, `signal`, `redirect`, `cache` and
 * `integrity` hold; no cookie and no referrer is ever sent.
 *
 * Rejects as the platform's does, and with {@link FetchRefused}: before anything is sent with `signed-out`,
 * `origin-not-allowed` for a URL outside of the provider's `apiOrigins`, `authorization-header` and `body-too-large`;
 * then with `renewal-failed` when there is no token to be had now, which leaves the session as it is; with `redirect-refused`
 * for an answer that came from elsewhere, and for every redirect where the token is bound to a key; and with
 * `signed-out` again when the session ends before the answer has been read to its end.
 */
export function createAuthorizedFetch(parts: AuthorizedFetchParts): AuthorizedFetch {
  const { start, currentUser, providers, vault, renewal } = parts;
  /** By origin, the tokens that it refused although they had just been renewed: another renewal would not help. */
  const refusedAnyway = new Map<string, string>();

  /** The session with fresh tokens, or with such as are still good where they cannot be renewed. */
  const findSession = async ({ world }: ProviderClient) => {
    try {
      return await renewal.expectFresh();
    } catch (error) {
      const held = await vault.read();
      if (held !== null && world.nowMs() < held.tokens.expiresAtMs) return held;
      throw error;
    }
  };

  const fetchAs = async (person: Profile, request: Request, signal: AbortSignal): Promise<Response> => {
    const client = providers.get(person.providerId)?.client;
    if (client === undefined) throw signedOut();
    const origin = expectAllowed(client.provider, request);
    const body = await readBody(request);
    const expectSession = async (found: Promise<VaultSession | null>) => {
      const session = await orRefuse(found);
      // Somebody else's tokens are kept a moment before it is told that they are signed in.
      if (session === null || !isSamePerson(session.profile, person)) throw signedOut();
      return session;
    };

    const session = await expectSession(findSession(client));
    const answer = await send(client, session, request, body, signal);
    if (!isTokenRefused(answer, origin) || refusedAnyway.get(origin) === toName(session)) return answer;
    discard(answer);
    const renewed = await expectSession(renewal.replace(session));
    const second = await send(client, renewed, request, body, signal);
    if (isTokenRefused(second, origin)) refusedAnyway.set(origin, toName(renewed));
    return second;
  };

  return async (request) => {
    await orRefuse(start());
    const stay = currentUser.current();
    if (stay === null) throw signedOut();
    const signal = AbortSignal.any([request.signal, stay.ended]);
    return unlessAborted(signal, fetchAs(stay.person, request, signal));
  };
}

/** The origin of a request that may have the token. Throws {@link FetchRefused}. */
function expectAllowed({ id, apiOrigins }: Provider, { url, headers }: Request): string {
  const { origin } = new URL(url);
  if (!apiOrigins.includes(origin)) {
    throw new FetchRefused(
      'origin-not-allowed',
      `${origin} is none of the "apiOrigins" of the provider "${id}". If the token is meant for it, add it there, in src/config.json, and build again.`,
    );
  }
  const own = ['Authorization', 'DPoP'].find((name) => headers.has(name));
  if (own !== undefined) {
    throw new FetchRefused(
      'authorization-header',
      `The request has a header "${own}". Leave it out: the worker attaches the token.`,
    );
  }
  return origin;
}

/** Read whole, so that it can be sent twice; null for an empty one. Throws {@link FetchRefused} `body-too-large`. */
async function readBody(request: Request): Promise<ArrayBuffer | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const body = await request.arrayBuffer();
  if (body.byteLength > maxRequestBytes) {
    throw new FetchRefused(
      'body-too-large',
      `The body of the request is larger than ${maxRequestBytes} bytes. Send it in parts.`,
    );
  }
  // An empty one would announce its length where none at all would not.
  return body.byteLength === 0 ? null : body;
}

/** Sends the request once with the tokens of `session`. Throws {@link FetchRefused} `redirect-refused`. */
async function send(
  client: ProviderClient,
  { tokens, dpopKey }: VaultSession,
  request: Request,
  body: ArrayBuffer | null,
  signal: AbortSignal,
): Promise<Response> {
  const { world, provider } = client;
  const { url, method, redirect, cache, integrity } = request;
  // A proof speaks of one URL, and one browser takes it along to wherever a redirect leads.
  const isHeld = tokens.type === 'DPoP' && redirect === 'follow';
  const answer = await requestResource(client, tokens, dpopKey, request, (headers) =>
    world.fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: isHeld ? 'manual' : redirect,
      // An answer that the browser has kept may be another person's: the API is asked whether it still holds.
      cache: cache === 'default' ? 'no-cache' : cache,
      integrity,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    }),
  );
  if (isHeld && answer.type === 'opaqueredirect') {
    throw new FetchRefused(
      'redirect-refused',
      'The API redirects, and a token that is bound to a key is good for one address. Request the final one.',
    );
  }
  if (answer.redirected && !provider.apiOrigins.includes(new URL(answer.url).origin)) {
    discard(answer);
    throw new FetchRefused(
      'redirect-refused',
      `The API redirects to ${new URL(answer.url).origin}, which is none of the "apiOrigins" of the provider "${provider.id}".`,
    );
  }
  return answer;
}

/** Whether the API refuses the token. Where a redirect led to another origin, the browser had left it out. */
function isTokenRefused({ status, redirected, url }: Response, origin: string): boolean {
  return status === 401 && (!redirected || new URL(url).origin === origin);
}

/** Frees the connection of an answer that nobody will read. */
function discard({ body }: Response): void {
  // It may have broken off already, and then it is as it should be.
  body?.cancel().catch(() => undefined);
}

function toName({ id, generation }: VaultSession): string {
  return `${id} ${generation}`;
}

function signedOut(): FetchRefused {
  return new FetchRefused('signed-out', 'Nobody is signed in, so the request was not sent.');
}

/** What `work` brings. Where it fails, there is no token to be had now. */
async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, detail } = toProblem(error);
    throw new FetchRefused(
      'renewal-failed',
      `There is no token for the request now (${code}${detail === null ? '' : `: ${detail}`}). The session stays as it is; try again later.`,
    );
  }
}

/** What `work` brings, or the signal's reason if it is aborted before. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject);
  });
}
