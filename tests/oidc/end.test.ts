import { expect, test } from 'vitest';
import { discover } from '../../src/oidc/discover.ts';
import { createEndSessionRequest, readEndSessionResponse } from '../../src/oidc/end.ts';
import { createScriptedProvider, issuer, redirectUri } from '../support/scripted-provider.ts';

async function request(idToken: string | null = 'id-1', endpoint: string | undefined = `${issuer}/logout`) {
  const { client } = createScriptedProvider({ metadata: { end_session_endpoint: endpoint } });
  return createEndSessionRequest(client, await discover(client), { idToken, redirectUri });
}

async function expectRequest() {
  const endSession = await request();
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
