import { expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { discover } from '../../src/oidc/discover.ts';
import { createEndSessionRequest, readEndSessionResponse } from '../../src/oidc/end.ts';
import { createScriptedProvider, issuer, provider, redirectUri } from '../support/scripted-provider.ts';

async function request(
  idToken: string | null = 'id-1',
  endpoint: string | undefined = `${issuer}/logout`,
  names: Partial<Provider['logoutParameters']> = {},
) {
  const { client } = createScriptedProvider({
    metadata: { end_session_endpoint: endpoint },
    provider: { logoutParameters: { ...provider.logoutParameters, ...names } },
  });
  return createEndSessionRequest(client, await discover(client), { idToken, redirectUri });
}

async function expectRequest(names: Partial<Provider['logoutParameters']> = {}) {
  const endSession = await request('id-1', undefined, names);
  if (endSession === null) throw new Error('The provider has no end_session_endpoint.');
  return endSession;
}

test('an end session request names the ID token, the client and the redirect URI', async () => {
  const { url, state } = await expectRequest();
  expect(state).toMatch(/^[\w-]{43}$/);
  expect(url.startsWith(`${issuer}/logout?`)).toBe(true);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    id_token_hint: 'id-1',
    client_id: 'client',
    post_logout_redirect_uri: redirectUri,
    state,
  });
});

test('an end session request without an ID token has no id_token_hint', async () => {
  expect((await request(null))?.url).not.toContain('id_token_hint');
});

test('an end session request keeps the query of the endpoint', async () => {
  expect((await request('id-1', `${issuer}/logout?p=1`))?.url).toContain('?p=1&');
});

test('createEndSessionRequest returns null if the provider has no end_session_endpoint', async () => {
  const { client } = createScriptedProvider();
  const metadata = await discover(client);
  expect(createEndSessionRequest(client, metadata, { idToken: 'id-1', redirectUri })).toBeNull();
});

test('every end session request has its own state', async () => {
  expect((await expectRequest()).state).not.toBe((await expectRequest()).state);
});

test('a redirect with the state confirms the end of the session', async () => {
  const endSession = await expectRequest();
  const responseUrl = `${redirectUri}?state=${endSession.state}&more=x`;
  expect(readEndSessionResponse(endSession, redirectUri, responseUrl)).toBe('confirmed');
});

test.each(['', '_=_'])('a redirect that ends in "#%s" confirms the end of the session', async (fragment) => {
  const endSession = await expectRequest();
  const responseUrl = `${redirectUri}?state=${endSession.state}#${fragment}`;
  expect(readEndSessionResponse(endSession, redirectUri, responseUrl)).toBe('confirmed');
});

test.each<[string, (state: string) => string]>([
  ['without a state', () => redirectUri],
  ['with an empty state', () => `${redirectUri}?state=`],
  ['with another state', () => `${redirectUri}?state=x`],
  ['with a repeated state', (state) => `${redirectUri}?state=${state}&state=${state}`],
  ['with a parameter in the fragment', (state) => `${redirectUri}?state=${state}#error=x`],
  ['with the state in the fragment', (state) => `${redirectUri}#state=${state}`],
  ['to another path', (state) => `${redirectUri}/more?state=${state}`],
  ['to another host', (state) => `https://evil.example/scripted?state=${state}`],
  ['that is empty', () => ''],
])('a redirect %s confirms nothing', async (_title, toResponseUrl) => {
  const endSession = await expectRequest();
  expect(readEndSessionResponse(endSession, redirectUri, toResponseUrl(endSession.state))).toBe(
    'unconfirmed',
  );
});

/** The names at Amazon Cognito, which neither takes a hint nor repeats a state. */
const cognito = { idToken: null, clientId: 'client_id', redirectUri: 'logout_uri', state: null };

test.each<[string, Partial<Provider['logoutParameters']>, Record<string, unknown>]>([
  ['at Cognito', cognito, { client_id: 'client', logout_uri: redirectUri }],
  [
    'at an old tenant of Auth0',
    { idToken: null, redirectUri: 'returnTo', state: null },
    { client_id: 'client', returnTo: redirectUri },
  ],
  [
    'at a provider that never returns',
    { redirectUri: null, state: null },
    { id_token_hint: 'id-1', client_id: 'client' },
  ],
  [
    'with another name for the state',
    { state: 'RelayState' },
    {
      id_token_hint: 'id-1',
      client_id: 'client',
      post_logout_redirect_uri: redirectUri,
      RelayState: expect.stringMatching(/^[\w-]{43}$/),
    },
  ],
])('an end session request %s has the configured parameters', async (_title, names, expected) => {
  const { url } = await expectRequest(names);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual(expected);
});

test.each<[string, Partial<Provider['logoutParameters']>, string, 'confirmed' | 'unconfirmed']>([
  ['without a state, where none is sent,', cognito, '', 'confirmed'],
  ['with any state, where none is sent,', cognito, '?state=x', 'confirmed'],
  ['with an error, where no state is sent,', cognito, '?error=invalid_request', 'unconfirmed'],
  ['with a repeated parameter, where no state is sent,', cognito, '?a=1&a=2', 'unconfirmed'],
  ['to another path, where no state is sent,', cognito, '/more', 'unconfirmed'],
  ['without the state under its name', { state: 'RelayState' }, '?state=STATE', 'unconfirmed'],
  ['with the state under its name', { state: 'RelayState' }, '?RelayState=STATE', 'confirmed'],
])('a redirect %s counts by the configured parameters', async (_title, names, end, expected) => {
  const endSession = await expectRequest(names);
  const responseUrl = `${redirectUri}${end.replace('STATE', endSession.state)}`;
  expect(readEndSessionResponse(endSession, redirectUri, responseUrl)).toBe(expected);
});
