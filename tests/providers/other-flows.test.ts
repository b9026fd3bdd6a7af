// A sign-in with the profiles of other flows, at servers that refuse what those providers refuse. The servers were written
// from what is documented or remembered: they show that the profile fits that, not that the provider behaves so.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { readConfig, type Provider } from '../../src/config/config.ts';
import { toSignInUri } from '../../src/config/loopback.ts';
import { applyProfiles } from '../../src/config/profiles.ts';
import { requestDeviceGrant, requestDeviceTokens } from '../../src/oidc/device.ts';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { codeFlow, type Flow } from '../../src/oidc/flow.ts';
import { idTokenFlow } from '../../src/oidc/id-token-flow.ts';
import { byUserApi, oauthFlow } from '../../src/oidc/oauth-flow.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { withStandardAnswers } from '../../src/oidc/token-answer.ts';
import { loadProfiles, profiles } from '../../tools/build/profiles.ts';
import { toFlow, usualFlow } from '../../tools/profile-outline.ts';
import { pagesFolder } from '../../tools/providers.ts';

const clientId = 'client-1';
const chrome = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/own';
const firefox = 'https://0123456789abcdef0123456789abcdef01234567.extensions.allizom.org/own';

function configure(profile: string): Provider {
  const own = { id: 'own', name: 'Own', clientId, profile };
  const [provider] = readConfig({ providers: [own] }, (json) => applyProfiles(json, profiles)).providers;
  if (provider === undefined) throw new Error('There is no provider.');
  return provider;
}

type Answer = (form: URLSearchParams, headers: Headers) => Response | Promise<Response>;

/** A client of `provider` whose world knows the addresses of `answers` alone. */
function connect(provider: Provider, answers: Readonly<Record<string, Answer>>) {
  return createProviderClient(
    {
      nowMs: Date.now,
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      isOnline: () => true,
      mayReach: () => Promise.resolve(true),
      async fetch(url, { body, headers }) {
        const form = body instanceof URLSearchParams ? body : new URLSearchParams();
        return (await answers[url]?.(form, new Headers(headers))) ?? new Response('', { status: 404 });
      },
    },
    provider,
  );
}

/** Signs in by `flow`. `open` returns where the page ends. */
async function signIn(
  flow: Flow,
  client: ReturnType<typeof connect>,
  open: (url: URL) => string | Promise<string>,
  redirectUri = chrome,
) {
  const metadata = await discover(client);
  const request = await flow.createRequest(client, metadata, redirectUri, {}, null);
  const load = () => requestKeys(client, metadata);
  const keys = { current: load, refetch: load };
  return flow.complete(client, metadata, keys, request, await open(new URL(request.url)), null);
}

describe('google', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const authorize = 'https://accounts.google.com/o/oauth2/v2/auth';
  const certificates = 'https://www.googleapis.com/oauth2/v3/certs';
  const answers = {
    'https://accounts.google.com/.well-known/openid-configuration': () =>
      Response.json({
        issuer: 'https://accounts.google.com',
        authorization_endpoint: authorize,
        token_endpoint: 'https://oauth2.googleapis.com/token',
        userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
        revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
        jwks_uri: certificates,
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    [certificates]: async () => {
      const key = await exportJWK(publicKey);
      return Response.json({ keys: [{ ...key, kid: 'key-1', alg: 'RS256', use: 'sig' }] });
    },
    'https://oauth2.googleapis.com/token': () =>
      Response.json(
        { error: 'invalid_request', error_description: 'client_secret is missing.' },
        { status: 400 },
      ),
  };
  const open = async ({ origin, pathname, searchParams: sent }: URL) => {
    expect(origin + pathname).toBe(authorize);
    const redirectUri = sent.get('redirect_uri') ?? '';
    // The host of Firefox's own redirect URI belongs to Mozilla.
    if (redirectUri.startsWith('https://') && new URL(redirectUri).host.endsWith('allizom.org'))
      throw new Error('redirect_uri_mismatch');
    const state = sent.get('state') ?? '';
    if (sent.get('scope')?.includes('offline_access') === true)
      return `${redirectUri}#${new URLSearchParams({ state, error: 'invalid_scope' })}`;
    if (sent.get('response_type') === 'code') return `${redirectUri}?state=${state}&code=code-1#`;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const idToken = await new SignJWT({
      iss: 'https://accounts.google.com',
      azp: clientId,
      aud: clientId,
      sub: '1815',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      email_verified: true,
      nonce: sent.get('nonce') ?? undefined,
      iat: nowSeconds,
      exp: nowSeconds + 3600,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
      .sign(privateKey);
    return `${redirectUri}#${new URLSearchParams({ state, id_token: idToken, authuser: '0', prompt: 'none' })}`;
  };

  test.each([chrome, firefox])('a person signs in with the ID token that returns to %s', async (own) => {
    const provider = configure('google');
    const { profile, tokens } = await signIn(
      idTokenFlow,
      connect(provider, answers),
      open,
      toSignInUri(own, provider),
    );
    expect(profile).toMatchObject({ subject: '1815', email: 'ada@example.com', emailVerified: true });
    expect(tokens).toMatchObject({ type: 'id_token', refreshToken: null });
  });

  test('without "responseType" the code cannot be redeemed', async () => {
    const provider = { ...configure('google'), responseType: 'code' } as const;
    await expect(signIn(codeFlow, connect(provider, answers), open)).rejects.toMatchObject({
      code: 'provider-misconfigured',
    });
  });
});

const hosts = {
  facebook: {
    document: {
      issuer: 'https://www.facebook.com',
      authorization_endpoint: 'https://facebook.com/dialog/oauth/',
      jwks_uri: 'https://www.facebook.com/.well-known/oauth/openid/jwks/',
      id_token_signing_alg_values_supported: ['RS256'],
    },
    scopes: ['openid', 'email', 'public_profile'],
    claims: () => ({ name: 'Ada Lovelace', email: 'ada@example.com' }),
    profile: { name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: false },
  },
  twitch: {
    document: {
      issuer: 'https://id.twitch.tv/oauth2',
      authorization_endpoint: 'https://id.twitch.tv/oauth2/authorize',
      token_endpoint: 'https://id.twitch.tv/oauth2/token',
      userinfo_endpoint: 'https://id.twitch.tv/oauth2/userinfo',
      jwks_uri: 'https://id.twitch.tv/oauth2/keys',
      id_token_signing_alg_values_supported: ['RS256'],
    },
    scopes: ['openid', 'user:read:email'],
    // Only those that are asked for.
    claims(sent: URLSearchParams) {
      const { id_token: asked } = JSON.parse(sent.get('claims') ?? '{}') as { id_token?: object };
      const known = { preferred_username: 'ada', email: 'ada@example.com', email_verified: true };
      return Object.fromEntries(Object.entries(known).filter(([claim]) => claim in (asked ?? {})));
    },
    profile: { name: 'ada', email: 'ada@example.com', emailVerified: true },
  },
  orcid: {
    document: {
      issuer: 'https://orcid.org',
      authorization_endpoint: 'https://orcid.org/oauth/authorize',
      token_endpoint: 'https://orcid.org/oauth/token',
      userinfo_endpoint: 'https://orcid.org/oauth/userinfo',
      jwks_uri: 'https://orcid.org/oauth/jwks',
      response_types_supported: ['code', 'id_token', 'id_token token'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    scopes: ['openid'],
    claims: () => ({ name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace' }),
    profile: { name: 'Ada Lovelace', email: null, emailVerified: false },
  },
};

test.each(Object.entries(hosts))(
  '%s: a person signs in with an ID token, without a secret',
  async (name, { document, scopes, claims, profile: expected }) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
    const client = connect(configure(name), {
      [`${document.issuer}/.well-known/openid-configuration`]: () => Response.json(document),
      [document.jwks_uri]: () => Response.json({ keys: [jwk] }),
    });
    const { profile, tokens } = await signIn(idTokenFlow, client, async ({ href, searchParams: sent }) => {
      expect(href).toMatch(document.authorization_endpoint);
      expect(sent.get('response_type')).toBe('id_token');
      expect(sent.get('scope')?.split(' ')).toEqual(scopes);
      const idToken = await new SignJWT({ ...claims(sent), nonce: sent.get('nonce') ?? undefined })
        .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
        .setIssuer(document.issuer)
        .setAudience(clientId)
        .setSubject('1815')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
      return `${chrome}#${new URLSearchParams({ state: sent.get('state') ?? '', id_token: idToken })}`;
    });
    expect(profile).toMatchObject({ subject: '1815', ...expected });
    expect(tokens).toMatchObject({ type: 'id_token', refreshToken: null });
  },
);

const users = {
  x: { data: { id: '1815', name: 'Ada Lovelace', username: 'ada', confirmed_email: 'ada@example.com' } },
  spotify: {
    id: 'ada',
    account_id: '1815',
    display_name: 'Ada Lovelace',
    email: 'ada@example.com',
    images: [],
  },
  airtable: { id: '1815', scopes: ['user.email:read'], email: 'ada@example.com' },
  zoom: {
    id: '1815',
    first_name: 'Ada',
    display_name: 'Ada Lovelace',
    email: 'ada@example.com',
    verified: 1,
  },
};

/** Of which no user API gives a name. */
const nameless = ['airtable'];

test.each(Object.entries(users))('%s: a person signs in, and the tokens are renewed', async (name, user) => {
  const provider = configure(name);
  let challenge = '';
  let spent = '';
  const token: Answer = (form) => {
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isRight =
      form.get('grant_type') === 'refresh_token'
        ? form.get('refresh_token') === 'refresh-1'
        : form.get('code') === 'code-1' && verifier.digest('base64url') === challenge;
    if (!isRight || form.get('client_id') !== clientId)
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    spent = form.get('refresh_token') ?? '';
    return Response.json({
      token_type: 'Bearer',
      access_token: 'access-1',
      expires_in: 3600,
      refresh_token: spent === '' ? 'refresh-1' : 'refresh-2',
    });
  };
  const client = connect(provider, {
    [provider.metadata?.token_endpoint ?? '']: token,
    [provider.userApi?.url ?? '']: (_form, headers) =>
      headers.get('authorization') === 'Bearer access-1'
        ? Response.json(user)
        : new Response('', { status: 401 }),
  });
  const { profile, tokens } = await signIn(oauthFlow, client, ({ searchParams: sent }) => {
    challenge = sent.get('code_challenge') ?? '';
    if (sent.has('nonce') || sent.get('scope')?.includes('openid') === true) throw new Error('invalid_scope');
    return `${chrome}?state=${sent.get('state')}&code=code-1`;
  });
  expect(profile).toMatchObject({
    subject: '1815',
    name: nameless.includes(name) ? null : 'Ada Lovelace',
    email: 'ada@example.com',
    emailVerified: false,
  });
  if (tokens.type === 'id_token' || tokens.refreshToken === null)
    throw new Error('There is no refresh token.');

  const metadata = await discover(client);
  const none = () => Promise.reject(new Error('Keys were asked for.'));
  const renewal = await renewTokens(
    withStandardAnswers(client),
    metadata,
    { current: none, refetch: none },
    { ...tokens, refreshToken: tokens.refreshToken },
    { subject: '1815', claims: null },
  );
  expect(renewal).toMatchObject({ outcome: 'renewed', tokens: { refreshToken: 'refresh-2' } });
});

test('every profile of another flow that has a page is tried here', () => {
  const tried = ['google', 'github', ...Object.keys(hosts), ...Object.keys(users)];
  const names = loadProfiles()
    .filter(({ profile }) => profile.use === 'preset' && toFlow(profile.settings) !== usualFlow)
    .map(({ name }) => name)
    .filter((name) => existsSync(resolve(import.meta.dirname, `../../${pagesFolder}/${name}.md`)));
  expect(names).toEqual(tried.toSorted());
});

test('github: a person signs in by the device flow, whose errors have status 200', async () => {
  const provider = configure('github');
  let isAllowed = false;
  const { metadata: endpoints, userApi } = provider;
  const client = connect(provider, {
    [endpoints?.device_authorization_endpoint ?? '']: (form, headers) => {
      expect(headers.get('accept')).toBe('application/json');
      expect(Object.fromEntries(form)).toEqual({ client_id: clientId, scope: 'read:user user:email' });
      return Response.json({
        device_code: 'device-1',
        user_code: 'WDJB-MJHT',
        verification_uri: 'https://github.com/login/device',
        expires_in: 900,
        interval: 5,
      });
    },
    [endpoints?.token_endpoint ?? '']: (form) => {
      if (form.get('device_code') !== 'device-1') return Response.json({ error: 'incorrect_device_code' });
      return isAllowed
        ? Response.json({ access_token: 'access-1', token_type: 'bearer', scope: 'read:user,user:email' })
        : Response.json({ error: 'authorization_pending', interval: 5 });
    },
    [userApi?.url ?? '']: (_form, headers) =>
      headers.get('authorization') === 'Bearer access-1'
        ? Response.json({ id: 1815, login: 'ada', name: 'Ada Lovelace', email: null, avatar_url: '' })
        : new Response('', { status: 401 }),
  });
  const metadata = await discover(client);
  const grant = await requestDeviceGrant(client, metadata);
  expect(grant.shown).toMatchObject({ userCode: 'WDJB-MJHT' });
  const none = () => Promise.reject(new Error('Keys were asked for.'));
  const ask = () => requestDeviceTokens(client, metadata, { current: none, refetch: none }, grant, byUserApi);
  expect(await ask()).toEqual({ outcome: 'pending' });
  isAllowed = true;
  expect(await ask()).toMatchObject({
    outcome: 'signed-in',
    result: { profile: { subject: '1815', name: 'Ada Lovelace' }, tokens: { refreshToken: null } },
  });
});
