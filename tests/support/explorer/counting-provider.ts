// A provider, and an API behind it, in memory. Each code and token that it issues is another one, and its ledger counts
// them. It rotates refresh tokens and ends a grant whose spent token comes again (RFC 9700 section 4.14.2).

import { createHash, KeyObject, sign } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { createSigningKey, issuer } from '../scripted-provider.ts';
import { createLedger, grantOf, revoke, type Grant, type Ledger, type Person } from './ledger.ts';
import { apiOrigins, otherProvider, plainProvider, provider } from './providers.ts';

const others = { ada: 'grace', grace: 'ada' } as const;
const names = { ada: 'Ada Lovelace', grace: 'Grace Hopper' };
const accessLifetimeSeconds = 300;
const codeLifetimeSeconds = 120;
const codeIntervalSeconds = 5;

const signingKey = await createSigningKey();
const privateKey = KeyObject.from(signingKey.privateKey);

/** The provider's behaviour at the next request to the token endpoint. */
type Mood =
  | 'answers'
  | 'repeats its input'
  | 'issues an ID token out of time'
  | 'renews with the tokens of another person';

/** Trouble that lasts. */
type Trouble =
  | 'metadata and keys cannot be had'
  | 'UserInfo asks to be left alone'
  | 'no refresh tokens are issued'
  | 'APIs refuse every token'
  | 'hidden pages fail'
  | 'hidden pages hang';

export interface CountingProvider {
  readonly ledger: Ledger;
  /** The person who is signed in at the provider in the browser's ordinary session; null for nobody. */
  person: Person | null;
  mood: Mood;
  readonly troubles: Set<Trouble>;
  /** When each grant was renewed with a refresh token. */
  readonly renewals: { readonly grant: string | null; readonly atMs: number }[];
  /** How often the tokens of a code were asked for before the pause was over. */
  hastyRequests: number;
  /** The APIs refuse the tokens that have been issued so far. */
  refuseTokens(): void;
  /** Answers a request of the worker. The refresh tokens that it carries are added to `issued`. */
  fetch(url: string, init: RequestInit, issued: string[]): Response;
  /** The person enters a user code, and agrees; null for somebody who does not. */
  enterCode(userCode: string, person: Person | null): void;
  /** Where the authorization page `url` leads after `person` has agreed. */
  approve(url: string, person: Person): string;
  /** Where `url` leads without a page; null if it needs one. */
  approveSilently(url: string): string | null;
}

export function createCountingProvider(nowMs: () => number, from: Ledger | null): CountingProvider {
  const ledger = createLedger(from);
  const { codes, deviceCodes, accessTokens, refreshTokens, secrets } = ledger;

  const secret = (name: string) => {
    secrets.add(name);
    return name;
  };

  const createIdToken = ({ person, clientId }: Grant, nonce: string | null) => {
    const isLate = self.mood === 'issues an ID token out of time';
    if (isLate) self.mood = 'answers';
    const iat = Math.floor(nowMs() / 1000) - (isLate ? 24 * 60 * 60 : 0);
    const claims = {
      iss: issuer,
      sub: person,
      aud: clientId,
      iat,
      exp: iat + accessLifetimeSeconds,
      ...(nonce !== null && { nonce }),
      name: names[person],
      email: `${person}@example.com`,
      email_verified: true,
    };
    return secret(signToken(claims));
  };

  const issue = (
    { person, clientId }: Grant,
    { nonce, scope, key }: { nonce: string | null; scope: string; key: string | null },
    issued: string[],
  ) => {
    const number = accessTokens.size + refreshTokens.size + 1;
    const revokes = clientId.startsWith(otherProvider.clientId) ? 'token' : 'grant';
    const hasRefreshToken = !self.troubles.has('no refresh tokens are issued');
    const refreshToken = secret(`refresh-${person}-${number}`);
    const accessToken = secret(`access-${person}-${number}`);
    accessTokens.set(accessToken, { key, isRefused: false });
    const isPlain = clientId.startsWith(plainProvider.clientId);
    // Without another token, that of plain OAuth 2 works until it is revoked.
    const lasting = hasRefreshToken ? refreshToken : isPlain ? accessToken : null;
    if (lasting !== null) {
      refreshTokens.set(lasting, { person, clientId, revokes, key, status: 'live', isReceived: false });
      issued.push(lasting);
    }
    return Response.json({
      access_token: accessToken,
      token_type: key === null ? 'Bearer' : 'DPoP',
      expires_in: accessLifetimeSeconds,
      scope,
      ...(hasRefreshToken && { refresh_token: refreshToken }),
      ...(!isPlain && { id_token: createIdToken({ person, clientId }, nonce) }),
    });
  };

  const redeemCode = (sent: URLSearchParams, key: string | null, issued: string[]) => {
    const code = codes.get(sent.get('code') ?? '');
    if (code === undefined || code.clientId !== sent.get('client_id')) return refuse('invalid_grant');
    code.uses += 1;
    return code.uses > 1 ? refuse('invalid_grant') : issue(code, { ...code, key }, issued);
  };

  const renew = (sent: URLSearchParams, key: string | null, issued: string[]) => {
    const name = sent.get('refresh_token') ?? '';
    const token = refreshTokens.get(name);
    const isTheirs = token?.clientId === sent.get('client_id') && token?.key === key;
    if (token === undefined || !isTheirs || token.status === 'revoked') return refuse('invalid_grant');
    if (token.status === 'spent') {
      ledger.reused.add(name);
      revoke(ledger, name);
      return refuse('invalid_grant', 'a spent token');
    }
    // Plain OAuth could not tell.
    const isPlain = token.clientId.startsWith(plainProvider.clientId);
    const isMistaken = self.mood === 'renews with the tokens of another person' && !isPlain;
    if (isMistaken) self.mood = 'answers';
    // Without another one, this one stays (RFC 6749 section 6).
    const isReplaced = !isMistaken && !self.troubles.has('no refresh tokens are issued');
    if (isReplaced) token.status = 'spent';
    self.renewals.push({ grant: grantOf(ledger, name), atMs: nowMs() });
    const person = isMistaken ? others[token.person] : token.person;
    return issue({ ...token, person }, { nonce: null, scope: provider.scope, key }, issued);
  };

  const issueDeviceCode = (sent: URLSearchParams) => {
    const number = deviceCodes.size + 1;
    const deviceCode = secret(`device-code-${number}`);
    const userCode = `CODE-${number}`;
    deviceCodes.set(deviceCode, {
      clientId: sent.get('client_id') ?? '',
      scope: sent.get('scope') ?? '',
      userCode,
      status: 'pending',
      askedAtMs: -Infinity,
      endsAtMs: nowMs() + codeLifetimeSeconds * 1000,
    });
    return Response.json({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${issuer}/device-page`,
      expires_in: codeLifetimeSeconds,
      interval: codeIntervalSeconds,
    });
  };

  const redeemDeviceCode = (sent: URLSearchParams, key: string | null, issued: string[]) => {
    const code = deviceCodes.get(sent.get('device_code') ?? '');
    if (code === undefined || code.clientId !== sent.get('client_id') || code.status === 'used')
      return refuse('invalid_grant');
    if (nowMs() - code.askedAtMs < codeIntervalSeconds * 1000) self.hastyRequests += 1;
    code.askedAtMs = nowMs();
    if (code.status === 'denied') return refuse('access_denied');
    if (nowMs() >= code.endsAtMs) return refuse('expired_token');
    if (code.status === 'pending') return refuse('authorization_pending');
    const { status: person, clientId, scope } = code;
    code.status = 'used';
    return issue({ person, clientId }, { nonce: null, scope, key }, issued);
  };

  const answerToken = (sent: URLSearchParams, key: string | null, issued: string[]) => {
    if (self.mood === 'repeats its input') {
      self.mood = 'answers';
      return refuse('server_error', [...sent.values()].join(' '));
    }
    switch (sent.get('grant_type')) {
      case 'refresh_token':
        return renew(sent, key, issued);
      case 'urn:ietf:params:oauth:grant-type:device_code':
        return redeemDeviceCode(sent, key, issued);
      default:
        return redeemCode(sent, key, issued);
    }
  };

  const answerApi = (init: RequestInit) => {
    const token = accessTokens.get(readAccessToken(init));
    const isRefused = token === undefined || token.isRefused || token.key !== readProofKey(init);
    return isRefused || self.troubles.has('APIs refuse every token')
      ? new Response(null, { status: 401 })
      : Response.json({ ok: true });
  };

  /** The picture, which the ID token lacks. */
  const answerUserInfo = (init: RequestInit) => {
    if (self.troubles.has('UserInfo asks to be left alone')) {
      return new Response(null, { status: 429, headers: { 'Retry-After': '300' } });
    }
    const person = readAccessToken(init).split('-')[1] ?? '';
    return Response.json({ sub: person, picture: `https://pictures.example/${person}.png` });
  };

  /** The user API of plain OAuth 2. */
  const answerUser = (init: RequestInit) => {
    const name = readAccessToken(init);
    const isRefused = accessTokens.get(name)?.isRefused !== false;
    if (isRefused || refreshTokens.get(name)?.status === 'revoked')
      return new Response(null, { status: 401 });
    const person = name.split('-')[1] as Person;
    return Response.json({ id: person, name: names[person], email: `${person}@example.com`, verified: true });
  };

  const answerRevocation = (sent: URLSearchParams) => {
    const name = sent.get('token') ?? '';
    // RFC 7009 section 2.1: another client's token is none of its business.
    if (refreshTokens.get(name)?.clientId !== sent.get('client_id')) return refuse('invalid_client');
    revoke(ledger, name);
    return new Response(null);
  };

  const answerDocument = (document: object) =>
    self.troubles.has('metadata and keys cannot be had')
      ? new Response('', { status: 503 })
      : Response.json(document);

  const agree = (url: string, person: Person) => {
    const sent = new URL(url).searchParams;
    const clientId = sent.get('client_id') ?? '';
    const redirect = new URL(sent.get('redirect_uri') ?? sent.get('post_logout_redirect_uri') ?? '');
    redirect.searchParams.set('state', sent.get('state') ?? '');
    if (!sent.has('redirect_uri')) return redirect.href;
    const grant = { person, clientId, nonce: sent.get('nonce') ?? '', scope: sent.get('scope') ?? '' };
    if (sent.get('response_type') === 'id_token') {
      const idToken = createIdToken(grant, grant.nonce);
      accessTokens.set(idToken, { key: null, isRefused: false });
      // It needs no code to be redeemed.
      codes.set(idToken, { ...grant, uses: 1 });
      redirect.searchParams.set('id_token', idToken);
      return redirect.href.replace('?', '#');
    }
    const code = secret(`code-${person}-${codes.size + 1}`);
    codes.set(code, { ...grant, uses: 0 });
    redirect.searchParams.set('code', code);
    redirect.searchParams.set('iss', issuer);
    return redirect.href;
  };

  const self: CountingProvider = {
    ledger,
    person: null,
    mood: 'answers',
    troubles: new Set(),
    renewals: [],
    hastyRequests: 0,
    refuseTokens() {
      for (const [name, token] of accessTokens) {
        token.isRefused = true;
        revoke(ledger, name);
      }
    },
    fetch(url, init, issued) {
      const { origin, pathname } = new URL(url);
      if (apiOrigins.includes(origin)) return answerApi(init);
      const sent = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
      switch (pathname) {
        case '/.well-known/openid-configuration':
          return answerDocument(metadata);
        case '/keys':
          return answerDocument({ keys: [signingKey.jwk] });
        case '/token':
          return answerToken(sent, readProofKey(init), issued);
        case '/device':
          return issueDeviceCode(sent);
        case '/user':
          return answerUser(init);
        case '/userinfo':
          return answerUserInfo(init);
        case '/revoke':
          return answerRevocation(sent);
        default:
          return new Response('not found', { status: 404 });
      }
    },
    enterCode(userCode, person) {
      const code = [...deviceCodes.values()].find((one) => one.userCode === userCode);
      if (code === undefined || code.status !== 'pending') return;
      code.status = person ?? 'denied';
      if (person !== null) self.person = person;
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

function refuse(error: string, description = 'refused'): Response {
  return Response.json({ error, error_description: description }, { status: 400 });
}

function readAccessToken({ headers }: RequestInit): string {
  return new Headers(headers).get('authorization')?.replace(/^\w+ /, '') ?? '';
}

/** The name of the key that a request proves to have; null if it carries no proof. */
function readProofKey({ headers }: RequestInit): string | null {
  const proof = new Headers(headers).get('dpop');
  return proof === null ? null : ((decodeProtectedHeader(proof).jwk as { x?: string }).x ?? null);
}

const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  device_authorization_endpoint: `${issuer}/device`,
  revocation_endpoint: `${issuer}/revoke`,
  end_session_endpoint: `${issuer}/end-session`,
  id_token_signing_alg_values_supported: ['ES256'],
  dpop_signing_alg_values_supported: ['ES256'],
  authorization_response_iss_parameter_supported: true,
};

/** Signs an ID token without another thread. */
function signToken(claims: object): string {
  const toText = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${toText({ alg: 'ES256', kid: signingKey.jwk.kid })}.${toText(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** A short name for a secret that is too long to print. */
export function toShortName(secret: string): string {
  return secret.length < 30 ? secret : `${createHash('sha256').update(secret).digest('hex').slice(0, 8)}…`;
}
