// An in-memory provider that behaves correctly unless a test scripts one of its responses. It is reachable
// only through the `fetch` of the world that it creates.

import {
  decodeJwt,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import type { Provider } from '../../src/config/provider.ts';
import { createAuthorizationRequest } from '../../src/oidc/authorize.ts';
import type { Arrival } from '../../src/oidc/answer.ts';
import { createProviderClient, toTokenClient, type Environment } from '../../src/oidc/http.ts';
import { discover } from './discover.ts';
import { idTokenFlow } from '../../src/parts/id-token.ts';
import type { AccessTokenSet } from '../../src/oidc/tokens.ts';
import { signInBy, signInByCode } from './sign-in.ts';
import { readConfig } from './samples.ts';

export const issuer = 'https://provider.example';
export const redirectUri = 'https://extension.chromiumapp.org/scripted';

/** A provider with nothing but what every configuration has. */
export const provider: Provider = readConfig({
  providers: [{ id: 'scripted', name: 'Scripted provider', issuer, clientId: 'client' }],
}).providers[0]!;

/** The discovery document of a provider with this issuer. */
export const toMetadata = (ofIssuer: string) => ({
  issuer: ofIssuer,
  authorization_endpoint: `${ofIssuer}/authorize`,
  token_endpoint: `${ofIssuer}/token`,
  jwks_uri: `${ofIssuer}/keys`,
  userinfo_endpoint: `${ofIssuer}/userinfo`,
  revocation_endpoint: `${ofIssuer}/revoke`,
  id_token_signing_alg_values_supported: ['ES256'],
  authorization_response_iss_parameter_supported: true,
});

/** The settings of a provider of plain OAuth 2, which has no discovery, no keys and no ID tokens. */
export const plainSettings = {
  scope: 'read:user',
  userApi: {
    url: `${issuer}/user`,
    subject: 'id',
    name: 'name',
    email: 'email',
    emailVerified: 'verified',
    picture: 'avatar_url',
    headers: {},
  },
  metadata: {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
  },
} satisfies Partial<Provider>;

/** A token response without an ID token. */
export const plainToken = { id_token: undefined };

/** The tokens of a sign-in before the one that a scripted provider answers. */
export const firstTokens = {
  type: 'Bearer',
  accessToken: 'access-0',
  expiresAtMs: 0,
  refreshToken: 'refresh-0',
  idToken: 'id-0',
} as const satisfies AccessTokenSet;

/** The answer of the user API about Ada. */
export const plainUser = {
  id: 1815,
  login: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  verified: true,
  avatar_url: 'https://pictures.example/ada.png',
};

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function createSigningKey(kid: string | null = 'key-1', alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), alg, use: 'sig', ...(kid === null ? {} : { kid }) };
  return { privateKey, jwk };
}

const defaultKey = await createSigningKey();

/** A device that is online and may reach every host, by `fetch`. */
export function toWorld(fetch: Environment['fetch'], nowMs: () => number = Date.now): Environment {
  return {
    nowMs,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => true,
    redirects: 'confined',
    mayReach: () => Promise.resolve(true),
    fetch,
  };
}

/** The members of the body of a request. */
export function readForm({ body }: RequestInit): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** The response of an endpoint: a body sent as JSON with 200, or a whole response. */
export type Answer = Response | object | ((init: RequestInit) => Response | Promise<Response>);

export interface Script {
  /** Replaces metadata members; undefined removes one. */
  metadata?: Record<string, unknown>;
  /** Replaces ID token claims; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Replaces members of the token response; undefined removes one. */
  token?: Record<string, unknown>;
  /** Creates the ID token instead. */
  idToken?: (claims: Record<string, unknown>) => Promise<string> | string;
  /** Replaces whole responses, by path. */
  answers?: Record<string, Answer>;
  /** Changes the redirect URL. */
  redirect?: (url: URL) => string | void;
  /** Whether the extension lacks permission for the provider's host. */
  isForbidden?: boolean;
  signingKey?: SigningKey;
  publishedKeys?: () => readonly JWK[];
  provider?: Partial<Provider>;
  /** The issuer, if a test serves the provider over HTTP. */
  issuer?: string;
  /** The provider's clock. */
  nowMs?: () => number;
  /** How far this device's clock is ahead of the provider's. */
  deviceAheadMs?: number;
  /** Whether responses have a `Date` header. Default true. */
  sendsDate?: boolean;
  /** Whether this device is online. Default true. */
  isOnline?: () => boolean;
  /** The nonce currently demanded in DPoP proofs; null for none. */
  dpopNonce?: () => string | null;
}

interface RecordedRequest {
  readonly url: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Headers;
  readonly init: RequestInit;
}

export type ScriptedProvider = ReturnType<typeof createScriptedProvider>;

export async function signIdToken(
  claims: Record<string, unknown>,
  { privateKey, jwk }: SigningKey = defaultKey,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const alg = jwk.alg ?? 'ES256';
  return new SignJWT(claims)
    .setProtectedHeader({ alg, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }), ...header })
    .sign(privateKey);
}

export function createScriptedProvider(script: Script = {}) {
  const requests: RecordedRequest[] = [];
  const pushed = new Map<string, URLSearchParams>();
  const nowMs = script.nowMs ?? Date.now;
  const ownIssuer = script.issuer ?? issuer;
  let nonce = '';

  const metadata = toMetadata(ownIssuer);

  const answerToken = async () => {
    const iat = Math.floor(nowMs() / 1000);
    const claims = {
      iss: ownIssuer,
      sub: 'ada',
      aud: 'client',
      iat,
      exp: iat + 300,
      nonce,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      email_verified: true,
      ...script.claims,
    };
    const idToken = script.idToken?.(claims) ?? signIdToken(claims, script.signingKey);
    return {
      access_token: 'access-1',
      token_type: requests.at(-1)?.headers.has('dpop') ? 'DPoP' : 'Bearer',
      expires_in: 300,
      refresh_token: 'refresh-1',
      id_token: await idToken,
      ...script.token,
    };
  };

  const routes: Record<string, () => Answer | Promise<Answer>> = {
    '/.well-known/openid-configuration': () => ({ ...metadata, ...script.metadata }),
    '/keys': () => ({ keys: script.publishedKeys?.() ?? [(script.signingKey ?? defaultKey).jwk] }),
    // Without a session, redirects with an error to a host outside the extension's permissions.
    '/authorize': () => (init) => {
      if (init.redirect === 'follow') throw new TypeError('Failed to fetch');
      return new Response(null, {
        status: 302,
        headers: { location: `${redirectUri}?error=login_required` },
      });
    },
    '/token': answerToken,
    '/userinfo': () => ({ sub: 'ada', picture: 'https://pictures.example/ada.png' }),
    '/user': () => plainUser,
    '/revoke': () => new Response(null),
    '/par': () => {
      const request_uri = `urn:ietf:params:oauth:request_uri:${pushed.size + 1}`;
      pushed.set(request_uri, requests.at(-1)?.parameters ?? new URLSearchParams());
      return Response.json({ request_uri, expires_in: 60 }, { status: 201 });
    },
  };

  /** Returns the demand for a nonce if the proof lacks it (RFC 9449 sections 8 and 9). */
  const demandNonce = ({ path, headers }: RecordedRequest) => {
    const [proof, dpopNonce] = [headers.get('dpop'), script.dpopNonce?.() ?? null];
    if (proof === null || dpopNonce === null || decodeJwt(proof)['nonce'] === dpopNonce) return undefined;
    return path === '/userinfo'
      ? new Response(null, { status: 401, headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"' } })
      : Response.json({ error: 'use_dpop_nonce' }, { status: 400 });
  };

  const toResponse = async (answer: Answer, init: RequestInit): Promise<Response> => {
    if (typeof answer === 'function') return (answer as (init: RequestInit) => Promise<Response>)(init);
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  };

  /** Adds the headers that the provider sends with every response. */
  const complete = ({ body, status, statusText, headers: own }: Response) => {
    const headers = new Headers(own);
    if (script.sendsDate !== false && !headers.has('date'))
      headers.set('date', new Date(nowMs()).toUTCString());
    const dpopNonce = script.dpopNonce?.() ?? null;
    if (dpopNonce !== null) headers.set('dpop-nonce', dpopNonce);
    return new Response(body, { status, statusText, headers });
  };

  const fetch: Environment['fetch'] = async (url, init) => {
    const { pathname } = new URL(url);
    const request = {
      url,
      path: pathname,
      parameters: readForm(init),
      headers: new Headers(init.headers),
      init,
    };
    requests.push(request);
    const answer = script.answers?.[pathname] ?? demandNonce(request) ?? (await routes[pathname]?.());
    return complete(await toResponse(answer ?? new Response('not found', { status: 404 }), init));
  };
  const world: Environment = {
    ...toWorld(fetch, () => nowMs() + (script.deviceAheadMs ?? 0)),
    ...(script.isOnline && { isOnline: script.isOnline }),
    mayReach: () => Promise.resolve(script.isForbidden !== true),
  };
  const arrivals: (Omit<Arrival, 'readOwner'> & ReturnType<Arrival['readOwner']>)[] = [];
  const client = toTokenClient(
    createProviderClient(world, { ...provider, ...script.provider }),
    ({ readOwner, ...arrival }) => void arrivals.push({ ...arrival, ...readOwner() }),
  );

  const approve = (authorizationUrl: string) => {
    const sent = new URL(authorizationUrl).searchParams;
    const requested = pushed.get(sent.get('request_uri') ?? '') ?? sent;
    nonce = requested.get('nonce') ?? '';
    const url = new URL(requested.get('redirect_uri') ?? '');
    url.searchParams.set('code', 'code-1');
    url.searchParams.set('state', requested.get('state') ?? '');
    url.searchParams.set('iss', ownIssuer);
    return url;
  };

  /** That after the user approves, if the request asks for an ID token instead of a code. */
  const approveWithIdToken = async (authorizationUrl: string) => {
    const url = approve(authorizationUrl);
    const { id_token = '' } = await answerToken();
    const parameters = new URLSearchParams({ id_token, state: url.searchParams.get('state') ?? '' });
    return `${url.origin}${url.pathname}#${parameters}`;
  };

  const redirectOf = (authorizationUrl: string) => {
    const url = approve(authorizationUrl);
    return script.redirect?.(url) ?? url.href;
  };

  /** The request and redirect of a sign-in, for tests of the steps in between. */
  const authorize = async (dpopKey: CryptoKeyPair | null = null) => {
    const discovered = await discover(client);
    const request = await createAuthorizationRequest(client, discovered, redirectUri, {}, dpopKey);
    return { request, responseUrl: redirectOf(request.url) };
  };

  return {
    client,
    /** The tokens that have come, before any check. */
    arrivals: arrivals as Readonly<typeof arrivals>,
    requests: requests as readonly RecordedRequest[],
    /** The requested paths, in order. */
    paths: () => requests.map(({ path }) => path),
    /** The current response of the token endpoint. */
    tokenAnswer: answerToken,
    /** The redirect after the user approves an authorization request. */
    approve: (authorizationUrl: string) => approve(authorizationUrl).href,
    /** The redirect of a provider that refuses, or of a user who does. */
    decline(authorizationUrl: string, error: string): string {
      const url = approve(authorizationUrl);
      url.searchParams.delete('code');
      url.searchParams.set('error', error);
      return url.href;
    },
    approveWithIdToken,
    authorize,
    /** Runs a complete sign-in without a window. */
    signIn: (dpopKey: CryptoKeyPair | null = null) =>
      signInByCode(client, redirectUri, redirectOf, {}, dpopKey),
    /** The same in the flow whose answer is the ID token. `change` changes the redirect URL. */
    signInWithIdToken: (change = (url: string) => url) =>
      signInBy(idTokenFlow, client, redirectUri, async (url) => change(await approveWithIdToken(url))),
  };
}
