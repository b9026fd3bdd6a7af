// A provider, and an API behind it, in memory. Each code and token that it issues is another one, and its ledger counts
// them. It rotates refresh tokens and ends a grant whose spent token comes again (RFC 9700 section 4.14.2).

import { createHash, KeyObject, sign } from 'node:crypto';
import { createSigningKey, issuer, provider as scripted } from '../scripted-provider.ts';
import { apiOrigin } from '../scripted-api.ts';
import type { Provider } from '../../../src/config/provider.ts';
import { createLedger, revoke, type Ledger, type Person } from './ledger.ts';

export const provider: Provider = { ...scripted, apiOrigins: [apiOrigin] };

const names = { ada: 'Ada Lovelace', grace: 'Grace Hopper' };
const accessLifetimeSeconds = 300;

const key = await createSigningKey();
const privateKey = KeyObject.from(key.privateKey);

/** The provider's behaviour at the next request to the token endpoint. */
type Mood = 'answers' | 'repeats its input' | 'issues an ID token out of time';

export interface CountingProvider {
  readonly ledger: Ledger;
  /** The person who is signed in at the provider in the browser's ordinary session; null for nobody. */
  person: Person | null;
  mood: Mood;
  /** Whether its answers carry refresh tokens. */
  issuesRefreshTokens: boolean;
  /** Whether the API refuses the tokens that have been issued so far. */
  refuseTokens(): void;
  /** Answers a request of the worker. The refresh tokens that it carries are added to `issued`. */
  fetch(url: string, init: RequestInit, issued: string[]): Response;
  /** Where the authorization page `url` leads after `person` has agreed. */
  approve(url: string, person: Person): string;
  /** Where `url` leads without a page; null if it needs one. */
  approveSilently(url: string): string | null;
}

export function createCountingProvider(nowMs: () => number, from: Ledger | null): CountingProvider {
  const ledger = createLedger(from);
  const { codes, refreshTokens, secrets } = ledger;
  const refusedTokens = new Set<string>();
  const accessTokens: string[] = [];

  const secret = (name: string) => {
    secrets.add(name);
    return name;
  };

  const issue = (person: Person, nonce: string | null, scope: string, issued: string[]) => {
    const isLate = self.mood === 'issues an ID token out of time';
    if (isLate) self.mood = 'answers';
    const iat = Math.floor(nowMs() / 1000) - (isLate ? 24 * 60 * 60 : 0);
    const claims = {
      iss: issuer,
      sub: person,
      aud: provider.clientId,
      iat,
      exp: iat + accessLifetimeSeconds,
      ...(nonce !== null && { nonce }),
      name: names[person],
      email: `${person}@example.com`,
      email_verified: true,
    };
    const number = accessTokens.length + refreshTokens.size + 1;
    const refreshToken = secret(`refresh-${person}-${number}`);
    if (self.issuesRefreshTokens) {
      refreshTokens.set(refreshToken, { person, status: 'live', isReceived: false });
      issued.push(refreshToken);
    }
    const accessToken = secret(`access-${person}-${number}`);
    accessTokens.push(accessToken);
    return Response.json({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: accessLifetimeSeconds,
      scope,
      ...(self.issuesRefreshTokens && { refresh_token: refreshToken }),
      id_token: secret(signToken(claims)),
    });
  };

  const refuse = (error: string, description = 'refused') =>
    Response.json({ error, error_description: description }, { status: 400 });

  const redeemCode = (sent: URLSearchParams, issued: string[]) => {
    const code = codes.get(sent.get('code') ?? '');
    if (code === undefined) return refuse('invalid_grant');
    code.uses += 1;
    return code.uses > 1 ? refuse('invalid_grant') : issue(code.person, code.nonce, code.scope, issued);
  };

  const renew = (sent: URLSearchParams, issued: string[]) => {
    const name = sent.get('refresh_token') ?? '';
    const token = refreshTokens.get(name);
    if (token === undefined || token.status === 'revoked') return refuse('invalid_grant');
    if (token.status === 'spent') {
      ledger.reused.add(name);
      revoke(ledger, name);
      return refuse('invalid_grant', 'a spent token');
    }
    token.status = 'spent';
    return issue(token.person, null, provider.scope, issued);
  };

  const answerToken = (sent: URLSearchParams, issued: string[]) => {
    if (self.mood === 'repeats its input') {
      self.mood = 'answers';
      return refuse('server_error', [...sent.values()].join(' '));
    }
    return sent.get('grant_type') === 'refresh_token' ? renew(sent, issued) : redeemCode(sent, issued);
  };

  const answerApi = (init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization')?.slice('Bearer '.length) ?? '';
    return refusedTokens.has(token) ? new Response(null, { status: 401 }) : Response.json({ ok: true });
  };

  /** The picture, which the ID token lacks. */
  const answerUserInfo = (init: RequestInit) => {
    const person = new Headers(init.headers).get('authorization')?.split('-')[1] ?? '';
    return Response.json({ sub: person, picture: `https://pictures.example/${person}.png` });
  };

  const agree = (url: string, person: Person) => {
    const sent = new URL(url).searchParams;
    const redirect = new URL(sent.get('redirect_uri') ?? sent.get('post_logout_redirect_uri') ?? '');
    redirect.searchParams.set('state', sent.get('state') ?? '');
    if (!sent.has('redirect_uri')) return redirect.href;
    const code = secret(`code-${person}-${codes.size + 1}`);
    codes.set(code, { person, nonce: sent.get('nonce') ?? '', scope: sent.get('scope') ?? '', uses: 0 });
    redirect.searchParams.set('code', code);
    redirect.searchParams.set('iss', issuer);
    return redirect.href;
  };

  const self: CountingProvider = {
    ledger,
    person: null,
    mood: 'answers',
    issuesRefreshTokens: true,
    refuseTokens() {
      for (const token of accessTokens) refusedTokens.add(token);
    },
    fetch(url, init, issued) {
      if (url.startsWith(`${apiOrigin}/`)) return answerApi(init);
      const sent = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
      switch (new URL(url).pathname) {
        case '/.well-known/openid-configuration':
          return Response.json(metadata);
        case '/keys':
          return Response.json({ keys: [key.jwk] });
        case '/token':
          return answerToken(sent, issued);
        case '/userinfo':
          return answerUserInfo(init);
        case '/revoke':
          revoke(ledger, sent.get('token') ?? '');
          return new Response(null);
        default:
          return new Response('not found', { status: 404 });
      }
    },
    approve(url, person) {
      // The page for ending the session.
      self.person = new URL(url).searchParams.has('post_logout_redirect_uri') ? null : person;
      return agree(url, person);
    },
    approveSilently: (url) => (self.person === null ? null : agree(url, self.person)),
  };
  return self;
}

const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  revocation_endpoint: `${issuer}/revoke`,
  end_session_endpoint: `${issuer}/end-session`,
  id_token_signing_alg_values_supported: ['ES256'],
  authorization_response_iss_parameter_supported: true,
};

/** Signs an ID token without another thread. */
function signToken(claims: object): string {
  const toText = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${toText({ alg: 'ES256', kid: key.jwk.kid })}.${toText(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** A short name for a secret that is too long to print. */
export function toShortName(secret: string): string {
  return secret.length < 30 ? secret : `${createHash('sha256').update(secret).digest('hex').slice(0, 8)}…`;
}
