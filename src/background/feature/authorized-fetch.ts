// The feature's fetch: a request to a configured API, sent by the worker with the signed-in user's token.

import { FetchRefused } from '../../bridge/fetch/errors.ts';
import type { AuthorizedFetch } from '../../bridge/fetch/serve-fetch.ts';
import { toApiOrigins } from '../../config/origins.ts';
import type { Api, Provider } from '../../config/provider.ts';
import { toApiKey } from '../../oidc/access.ts';
import type { Environment } from '../../oidc/exchange.ts';
import { toProblem, type ProblemCode } from '../../session/problem.ts';
import { isSameUser, type Profile, type ProviderId } from '../../session/session.ts';
import type { CurrentUser } from '../session/current-user.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { StoredSession } from '../record/record.ts';
import { discard, isRefusedAt, readBody, send } from './api-request.ts';
import { viewFor } from '../session/api-token.ts';
import type { ReadSession, UsableSession } from '../session/permission.ts';
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
 * A fetch that attaches the token of the signed-in user. The token is renewed if it is about to expire, and once
 * more if the API refuses it with a 401; a second 401 is returned. The body of the response is streamed, without a timeout or
 * a maximum size. Of the request's settings `method`, `headers`, `body`, `signal`, `redirect`, `cache` and
 * `integrity` are used; cookies and the referrer are never sent.
 *
 * Rejects as the platform's fetch does, and with {@link FetchRefused}:
 * - `signed-out`: no one is signed in, or the session ended before the response was read to its end;
 * - `origin-not-allowed`: the URL is outside the provider's `apiOrigins` and `apis`; nothing was sent;
 * - `authorization-header`: the request cannot be sent as it is; nothing was sent;
 * - `renewal-failed`: no token is available now; the session stays as it is;
 * - `api-token-refused`: the provider issues no token for this API, which has one of its own; the session stays as it is;
 * - `redirect-refused`: the response came from another origin, or the API redirects and the token is bound to a key. Without a
 *   content security policy that confines redirects, a request with a body or its own headers can't be redirected either.
 */
export function createAuthorizedFetch(parts: AuthorizedFetchParts): AuthorizedFetch {
  const { start, currentUser, providers, readSession, renewal } = parts;
  /** Per origin: the tokens refused right after a renewal. Renewing again is pointless, for them and for a while. */
  const refusedAfterRenewal = new Map<string, RefusedTokens>();

  /** The session with a fresh token for the API, or with one that still works if there's no fresh one. */
  const findSession = async (world: Environment, api: Api | null): Promise<UsableSession | null> => {
    try {
      return await renewal.getFresh(api);
    } catch (error) {
      const stored = await readSession();
      const view = stored && viewFor(stored.session, api);
      if (stored && view && world.nowMs() < view.tokens.expiresAtMs) return { ...stored, session: view };
      throw error;
    }
  };

  const fetchAs = async (user: Profile, request: Request, signal: AbortSignal): Promise<Response> => {
    const asked = providers.get(user.providerId)?.client;
    if (asked === undefined)
      throw new FetchRefused(
        'renewal-failed',
        'The policy that says which providers are offered has yet to arrive. Try again later.',
      );
    const { world, provider } = asked;
    expectAllowed(provider, request);
    const { origin } = new URL(request.url);
    const api = findApiAt(provider, origin);
    const body = await readBody(request);
    const sendAs = async (found: Promise<UsableSession | null>) => {
      const usable = await orRefuse(found, api);
      // The record switches users slightly before the session does.
      if (usable === null || !isSameUser(usable.session.profile, user)) throw signedOut();
      const { session, access } = usable;
      const { client } = access;
      // A policy may have changed meanwhile.
      expectAllowed(client.provider, request);
      if (keyOf(findApiAt(client.provider, origin)) !== keyOf(api))
        throw new FetchRefused(
          'renewal-failed',
          'The settings of this API have just changed. Send the request again.',
        );
      return { session, response: await send(client, session, request, body, signal) };
    };

    const { session, response } = await sendAs(findSession(world, api));
    if (!isRefusedAt(origin, response)) return response;
    if (isPaused(refusedAfterRenewal.get(origin), session, world.nowMs())) return response;
    discard(response);
    const second = await sendAs(renewal.replace(session, api));
    if (isRefusedAt(origin, second.response)) {
      const { id, generation } = second.session;
      refusedAfterRenewal.set(origin, { id, generation, atMs: world.nowMs() });
    }
    return second.response;
  };

  return async (request) => {
    await orRefuse(start(), null);
    const lease = currentUser.current();
    if (lease === null) throw signedOut();
    const signal = AbortSignal.any([request.signal, lease.ended]);
    return unlessAborted(signal, fetchAs(lease.user, request, signal));
  };
}

/** Throws {@link FetchRefused} if the request may not carry the token. */
function expectAllowed(provider: Provider, { url, headers }: Request): void {
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
}

/** Names a token set that an API refused, and when. */
type RefusedTokens = Pick<StoredSession, 'id' | 'generation'> & { readonly atMs: number };

/** Two APIs that refuse every token would otherwise cause a renewal with each request, in turns. */
const refusalPauseMs = 5 * 60_000;

/** Whether an API refused the tokens of `session`, or other new tokens of it within the pause. */
function isPaused(refused: RefusedTokens | undefined, session: StoredSession, nowMs: number): boolean {
  if (refused?.id !== session.id) return false;
  return refused.generation === session.generation || Math.abs(nowMs - refused.atMs) < refusalPauseMs;
}

function signedOut(): FetchRefused {
  return new FetchRefused('signed-out', 'No one is signed in, so the request was not sent.');
}

/** The problems of a provider that issues no token for an API: another try would bring the same. */
const refusals: readonly ProblemCode[] = [
  'denied',
  'not-supported',
  'provider-misconfigured',
  'response-rejected',
];

/** Resolves as `work` does. If it rejects, `renewal-failed`, or `api-token-refused` if another try would not help `api`. */
async function orRefuse<T>(work: Promise<T>, api: Api | null): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, detail } = toProblem(error);
    const because = `${code}${detail === null ? '' : `: ${detail}`}`;
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

/** The API whose own token goes to this origin; null if it gets that of the sign-in. */
function findApiAt({ apis }: Provider, origin: string): Api | null {
  return apis.find(({ origins }) => origins.includes(origin)) ?? null;
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
