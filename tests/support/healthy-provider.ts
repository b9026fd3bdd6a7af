// A provider that answers the doctor's requests as it should, unless a test replaces an answer. It is reachable only
// through its `fetch`.

import type { JWK } from 'jose';
import type { Fetch } from '../../tools/doctor/world.ts';
import { createSigningKey, toMetadata } from './scripted-provider.ts';

export const issuer = 'https://id.acme.example';

/** A request as the provider got it. */
export interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  /** `navigate` for a page that a user opens. */
  readonly mode: RequestMode | null;
  /** The members of the body, or else those of the query. */
  readonly parameters: URLSearchParams;
  /** The `Origin` header; null without one. */
  readonly origin: string | null;
}

/** A response, as often as it is asked for; or a function of the request. */
export type Answer = Response | ((request: SentRequest) => Response | Promise<Response>);

export interface Replaced {
  /** Members of the discovery document; undefined removes one. */
  readonly document?: Readonly<Record<string, unknown>>;
  /** Whole answers, by the address without its query. */
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly keys?: readonly JWK[];
  /** How far the provider's clock is ahead. */
  readonly aheadMs?: number;
}

/** The public key with which the provider signs. */
export const { jwk: publicKey } = await createSigningKey('key-1', 'RS256');

/** A provider with this answer at a path. */
export const at = (path: string, answer: Answer): Replaced => ({ answers: { [`${issuer}${path}`]: answer } });

/** The path of the discovery document. */
export const discovery = '/.well-known/openid-configuration';

/** An answer in JSON. */
export const json = (body: unknown, status = 200) => Response.json(body, { status });

export const html = (text: string, status = 200) =>
  new Response(`<!doctype html><title>Acme</title><p>${text}</p>`, {
    status,
    headers: { 'content-type': 'text/html' },
  });

export const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

/** An OAuth error, as RFC 6749 section 5.2 asks. */
export const oauthError = (error: string, description = '', status = 400) =>
  json({ error, ...(description !== '' && { error_description: description }) }, status);

/** Redirects to the redirect URI with an error, as a provider does that accepts the request. */
export const redirectBack =
  (error: string, further: Readonly<Record<string, string>> = {}) =>
  ({ parameters }: SentRequest) => {
    const url = new URL(parameters.get('redirect_uri') ?? '');
    const answer = { error, state: parameters.get('state') ?? '', iss: issuer, ...further };
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    return redirect(url.href);
  };

const toResponse = (answer: Answer, request: SentRequest) =>
  answer instanceof Response ? answer.clone() : answer(request);

export const answerWhen =
  (matches: (request: SentRequest) => boolean, one: Answer, other: Answer): Answer =>
  (request) =>
    toResponse(matches(request) ? one : other, request);

/** Serves discovery, keys, a token endpoint and an authorization endpoint below `base`. */
export function createHealthyProvider({ document, answers, keys = [publicKey], aheadMs = 0 }: Replaced = {}) {
  const requests: SentRequest[] = [];
  const described = {
    ...toMetadata(issuer),
    end_session_endpoint: `${issuer}/logout`,
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: ['sub', 'email', 'email_verified', 'name'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    ...document,
  };
  const routes: Readonly<Record<string, Answer>> = {
    [issuer + discovery]: json(described),
    [`${issuer}/keys`]: json({ keys }),
    [`${issuer}/token`]: oauthError('invalid_grant', 'The code is unknown.'),
    [`${issuer}/authorize`]: redirectBack('login_required'),
    ...answers,
  };
  const fetch: Fetch = async (address, init) => {
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const parameters = init.body instanceof URLSearchParams ? init.body : url.searchParams;
    const request = {
      url,
      method: init.method ?? 'GET',
      headers,
      mode: init.mode ?? null,
      parameters,
      origin: headers.get('origin'),
    };
    requests.push(request);
    const answer = routes[url.origin + url.pathname] ?? html('Not found', 404);
    const response = await toResponse(answer, request);
    const dated = new Headers(response.headers);
    dated.set('date', new Date(Date.now() + aheadMs).toUTCString());
    const answered = new Response(response.body, { status: response.status, headers: dated });
    return Object.defineProperty(answered, 'url', { value: url.href });
  };
  return { fetch, requests };
}
