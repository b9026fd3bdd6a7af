import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { discover } from '../support/discover.ts';
import { createEndSessionRequest, readEndSessionResponse, revokeToken } from '../../src/oidc/end.ts';
import {
  createScriptedProvider,
  issuer,
  plainSettings,
  provider,
  redirectUri,
  type Script,
} from '../support/scripted-provider.ts';

describe('revokeToken', () => {
  async function revoke(script: Script, ...issuedTo: [clientId?: string, hint?: 'access_token']) {
    const { client, requests } = createScriptedProvider(script);
    const outcome = await revokeToken(client, await discover(client), 'token-0', ...issuedTo);
    return [outcome, Object.fromEntries(requests.at(-1)?.parameters ?? [])];
  }

  const sent = { token: 'token-0', client_id: 'client' };

  test('sends the token and its type, as a public client', async () => {
    expect(await revoke({})).toEqual(['revoked', { ...sent, token_type_hint: 'refresh_token' }]);
    const former = { ...sent, token_type_hint: 'access_token', client_id: 'former' };
    expect(await revoke({}, 'former', 'access_token')).toEqual(['revoked', former]);
    // Either, at a provider of plain OAuth 2.
    expect(await revoke({ provider: plainSettings })).toEqual(['revoked', sent]);
  });

  test('sends nothing to a provider without a revocation endpoint', async () => {
    expect(await revoke({ metadata: { revocation_endpoint: undefined } })).toEqual(['unsupported', {}]);
  });

  test('throws for a revocation that is answered with an error', async () => {
    const answer = Response.json({ error: 'unsupported_token_type' }, { status: 400 });
    const problem = { code: 'response-rejected', detail: 'revocation: unsupported_token_type' };
    await expect(revoke({ answers: { '/revoke': answer } })).rejects.toMatchObject(problem);
  });
});

type Names = Partial<Provider['logoutParameters']>;

async function request(names: Names = {}, idToken: string | null = 'id-1', endpoint = `${issuer}/logout`) {
  const { client } = createScriptedProvider({
    metadata: { end_session_endpoint: endpoint },
    provider: { logoutParameters: { ...provider.logoutParameters, ...names } },
  });
  const created = createEndSessionRequest(client, await discover(client), { idToken, redirectUri });
  if (created === null) throw new Error('The provider has no end_session_endpoint.');
  return created;
}

test('there is no end session request if the provider has no endpoint for it', async () => {
  await expect(request({}, 'id-1', '')).rejects.toThrow('no end_session_endpoint');
});

test('every end session request has its own state', async () => {
  expect((await request()).state).not.toBe((await request()).state);
});

/** The names at Amazon Cognito, which neither takes a hint nor repeats a state. */
const cognito = { idToken: null, clientId: 'client_id', redirectUri: 'logout_uri', state: null };
const aState = expect.stringMatching(/^[\w-]{43}$/) as string;
const neverReturning = { id_token_hint: 'id-1', client_id: 'client' };
const standard = { ...neverReturning, post_logout_redirect_uri: redirectUri };

const withState = { ...standard, state: aState };
const withQuery = `${issuer}/logout?p=1`;

test.each<[string, Names, Record<string, unknown>, idToken?: string | null, endpoint?: string]>([
  ['at most providers', {}, withState],
  ['at an endpoint with a query', {}, { ...withState, p: '1' }, 'id-1', withQuery],
  ['without an ID token', {}, { ...withState, id_token_hint: undefined }, null],
  ['at Cognito', cognito, { client_id: 'client', logout_uri: redirectUri }],
  ['at a provider that never returns', { redirectUri: null, state: null }, neverReturning],
  ['with another name for the state', { state: 'RelayState' }, { ...standard, RelayState: aState }],
])('an end session request %s has the configured parameters', async (_title, names, expected, ...own) => {
  const { url } = await request(names, ...own);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual(expected);
});

const named = { state: 'RelayState' };

test.each<[string, string, 'confirmed' | 'unconfirmed', Names?]>([
  ['with the state', '?state=STATE&more=x', 'confirmed'],
  ['that ends in "#"', '?state=STATE#', 'confirmed'],
  ['that ends in "#_=_"', '?state=STATE#_=_', 'confirmed'],
  ['without a state', '', 'unconfirmed'],
  ['with an empty state', '?state=', 'unconfirmed'],
  ['with another state', '?state=x', 'unconfirmed'],
  ['with a repeated state', '?state=STATE&state=STATE', 'unconfirmed'],
  ['with an error in the fragment', '?state=STATE#error=x', 'unconfirmed'],
  ['with an error', '?state=STATE&error=x', 'unconfirmed'],
  ['with the state in the fragment', '#state=STATE', 'unconfirmed'],
  ['to another path', '/scripted/more?state=STATE', 'unconfirmed'],
  ['to another host', 'https://evil.example/scripted?state=STATE', 'unconfirmed'],
  ['without a state, where none is sent,', '', 'confirmed', cognito],
  ['with any state, where none is sent,', '?state=x', 'confirmed', cognito],
  ['with an error, where no state is sent,', '?error=invalid_request', 'unconfirmed', cognito],
  ['with a repeated state under its name', '?RelayState=STATE&RelayState=x', 'unconfirmed', named],
  ['to another path, where no state is sent,', '/scripted/more', 'unconfirmed', cognito],
  ['without the state under its name', '?state=STATE', 'unconfirmed', named],
  ['with the state under its name', '?RelayState=STATE', 'confirmed', named],
])('a redirect %s (%s) leaves the end of the session %s', async (_title, end, expected, names) => {
  const endSession = await request(names);
  const responseUrl = new URL(end.replaceAll('STATE', endSession.state), redirectUri);
  expect(readEndSessionResponse(endSession, redirectUri, responseUrl.href)).toBe(expected);
});
