// A sign-in with the profiles of other flows, at servers that refuse what those providers refuse. The servers were written
// from what is documented or remembered: they show that the profile fits that, not that the provider behaves so.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/config.ts';
import { toSignInUri } from '../../src/parts/loopback.ts';
import { requestDeviceGrant, requestDeviceTokens } from '../../src/parts/device.ts';
import { discover } from '../support/discover.ts';
import { idTokenFlow } from '../../src/parts/id-token.ts';
import { byUserApi, oauthFlow } from '../../src/parts/oauth.ts';
import { createProviderClient } from '../../src/oidc/http.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { loadProfiles, profiles } from '../../tools/build/profiles.ts';
import { toFlow, usualFlow } from '../../tools/profile-outline.ts';
import { pagesFolder } from '../../tools/providers.ts';
import { noKeys } from '../support/keys.ts';
import { createSigningKey, readForm, signIdToken, toWorld } from '../support/scripted-provider.ts';
import { forTokens, signInBy } from '../support/sign-in.ts';
import { readConfig } from '../support/samples.ts';

const clientId = 'client-1';
const chrome = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/own';
const firefox = 'https://0123456789abcdef0123456789abcdef01234567.extensions.allizom.org/own';

function configure(profile: string): Provider {
  const own = { id: 'own', name: 'Own', clientId, profile };
  return readConfig({ providers: [own] }, profiles).providers[0]!;
}

type Answer = (form: URLSearchParams, headers: Headers) => Response | Promise<Response>;

/** A client of `provider` whose world knows the addresses of `answers` alone. */
function connect(provider: Provider, answers: Readonly<Record<string, Answer>>) {
  const world = toWorld(
    async (url, init) =>
      (await answers[url]?.(readForm(init), new Headers(init.headers))) ?? new Response('', { status: 404 }),
  );
  return createProviderClient(world, provider);
}

const signingKey = await createSigningKey('key-1', 'RS256');

const idTokenHosts = {
  google: {
    document: {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
      userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
      revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    },
    scopes: ['openid', 'profile', 'email'],
    claims: () => ({ azp: clientId, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }),
    profile: { name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true },
  },
  facebook: {
    document: {
      issuer: 'https://www.facebook.com',
      authorization_endpoint: 'https://facebook.com/dialog/oauth/',
      jwks_uri: 'https://www.facebook.com/.well-known/oauth/openid/jwks/',
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
    },
    scopes: ['openid'],
    claims: () => ({ name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace' }),
    profile: { name: 'Ada Lovelace', email: null, emailVerified: false },
  },
};

describe.each(Object.entries(idTokenHosts))('%s', (name, { document, scopes, claims, profile: expected }) => {
  test.each([chrome, firefox])('a user signs in with the ID token that returns to %s', async (own) => {
    const provider = configure(name);
    const redirectUri = toSignInUri(own, provider);
    // The host of Firefox's own redirect URI belongs to Mozilla.
    if (name === 'google') expect(redirectUri).not.toContain('allizom.org');
    const client = connect(provider, {
      [`${document.issuer}/.well-known/openid-configuration`]: () =>
        Response.json({ ...document, id_token_signing_alg_values_supported: ['RS256'] }),
      [document.jwks_uri]: () => Response.json({ keys: [signingKey.jwk] }),
    });
    const open = async (url: string) => {
      const sent = new URL(url).searchParams;
      expect(url).toMatch(document.authorization_endpoint);
      expect([sent.get('response_type'), sent.get('redirect_uri')]).toEqual(['id_token', redirectUri]);
      expect(sent.get('scope')?.split(' ')).toEqual(scopes);
      const iat = Math.floor(Date.now() / 1000);
      const usual = { iss: document.issuer, aud: clientId, sub: '1815', iat, exp: iat + 3600 };
      const nonce = sent.get('nonce') ?? undefined;
      const idToken = await signIdToken({ ...usual, ...claims(sent), nonce }, signingKey);
      return `${redirectUri}#${new URLSearchParams({ state: sent.get('state') ?? '', id_token: idToken })}`;
    };
    const { profile, tokens } = await signInBy(idTokenFlow, client, redirectUri, open);
    expect(profile).toMatchObject({ subject: '1815', ...expected });
    expect(tokens).toMatchObject({ type: 'id_token', refreshToken: null });
  });
});

const ada = { display_name: 'Ada Lovelace', email: 'ada@example.com' };
const users = {
  x: { data: { id: '1815', name: 'Ada Lovelace', username: 'ada', confirmed_email: 'ada@example.com' } },
  spotify: { id: 'ada', account_id: '1815', images: [], ...ada },
  airtable: { id: '1815', scopes: ['user.email:read'], email: 'ada@example.com' },
  zoom: { id: '1815', first_name: 'Ada', verified: 1, ...ada },
};

/** Of which no user API gives a name. */
const nameless = ['airtable'];

test.each(Object.entries(users))('%s: a user signs in, and the tokens are renewed', async (name, user) => {
  const provider = configure(name);
  let challenge = '';
  const token: Answer = (form) => {
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isRenewal = form.get('grant_type') === 'refresh_token';
    const isRight = isRenewal
      ? form.get('refresh_token') === 'refresh-1'
      : form.get('code') === 'code-1' && verifier.digest('base64url') === challenge;
    if (!isRight || form.get('client_id') !== clientId)
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const issued = { token_type: 'Bearer', access_token: 'access-1', expires_in: 3600 };
    return Response.json({ ...issued, refresh_token: isRenewal ? 'refresh-2' : 'refresh-1' });
  };
  const client = connect(provider, {
    [provider.metadata?.token_endpoint ?? '']: token,
    [provider.userApi?.url ?? '']: (_form, headers) =>
      headers.get('authorization') === 'Bearer access-1'
        ? Response.json(user)
        : new Response('', { status: 401 }),
  });
  const { profile, tokens } = await signInBy(oauthFlow, client, chrome, (url) => {
    const sent = new URL(url).searchParams;
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

  const current = { ...tokens, refreshToken: tokens.refreshToken };
  const authentication = { subject: '1815', claims: null };
  const renewal = await renewTokens(
    forTokens(client),
    await discover(client),
    noKeys,
    current,
    authentication,
  );
  expect(renewal).toMatchObject({ outcome: 'renewed', tokens: { refreshToken: 'refresh-2' } });
});

test('every profile of another flow that has a page is tried here', () => {
  const tried = ['github', ...Object.keys(idTokenHosts), ...Object.keys(users)];
  const names = loadProfiles()
    .filter(({ profile }) => profile.use === 'preset' && toFlow(profile.settings) !== usualFlow)
    .map(({ name }) => name)
    .filter((name) => existsSync(resolve(import.meta.dirname, `../../${pagesFolder}/${name}.md`)));
  expect(names).toEqual(tried.toSorted());
});

test('github: a user signs in by the device flow, whose errors have status 200', async () => {
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
  const ask = () => requestDeviceTokens(forTokens(client), metadata, noKeys, grant, byUserApi);
  expect(await ask()).toEqual({ outcome: 'pending' });
  isAllowed = true;
  expect(await ask()).toMatchObject({
    outcome: 'signed-in',
    result: { profile: { subject: '1815', name: 'Ada Lovelace' }, tokens: { refreshToken: null } },
  });
});
