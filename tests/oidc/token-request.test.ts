// A token is handed over before any check, so that no later step can lose it.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ProblemError, toProblem } from '../../src/session/problem.ts';
import { createScriptedProvider, issuer, plainSettings, type Script } from '../support/scripted-provider.ts';

/** The tokens that come with a sign-in, and the error that it ends with. */
async function signIn(script: Script) {
  const provider = createScriptedProvider(script);
  const error: unknown = await provider.signIn().catch((thrown: unknown) => thrown);
  return { error, arrivals: provider.arrivals };
}

const refresh = { token: 'refresh-1', replaces: null, lifetimeSeconds: null };
const unusable = { claims: { nonce: 'another' } };

test.each<[string, Script]>([
  ['that is right', {}],
  ['with another nonce', unusable],
  ['with a clock that is wrong', { claims: { exp: 1, iat: 1 }, sendsDate: false }],
  ['with another token type', { token: { token_type: 'mac' } }],
  ['without an access token', { token: { access_token: undefined } }],
])('an answer %s hands over its refresh token, and whose it says it is', async (_title, script) => {
  expect((await signIn(script)).arrivals).toEqual([{ ...refresh, issuer, subject: 'ada' }]);
});

test.each<[string, Record<string, unknown>, number | null]>([
  ['with a lifetime', { expires_in: '3600' }, 3600],
  ['without a lifetime', { expires_in: undefined }, null],
  ['with an empty refresh token', { refresh_token: '', expires_in: 3600 }, 3600],
])('an answer with an access token alone, %s, hands that over', async (_title, token, lifetimeSeconds) => {
  const { arrivals } = await signIn({ ...unusable, token: { refresh_token: undefined, ...token } });
  expect(arrivals).toEqual([{ token: 'access-1', replaces: null, lifetimeSeconds, issuer, subject: 'ada' }]);
});

test.each<[string, Script]>([
  ['an error', { answers: { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) } }],
  ['no JSON', { answers: { '/token': new Response('refresh_token') } }],
  ['no object', { answers: { '/token': Response.json(['refresh_token']) } }],
  ['numbers', { answers: { '/token': Response.json({ access_token: {}, refresh_token: 1.5 }) } }],
])('an answer with %s hands over nothing', async (_title, script) => {
  expect((await signIn(script)).arrivals).toEqual([]);
});

test.each([[undefined], ['x'], ['x.%.z'], ['x.bnVsbA.z'], [['x']], [{ toString: 1 }]])(
  'issuer and subject are unknown if the ID token is %j',
  async (id_token) => {
    const { arrivals } = await signIn({ token: { id_token } });
    expect(arrivals).toEqual([{ ...refresh, issuer: null, subject: null }]);
  },
);

test('an ID token of plain OAuth 2 has no say', async () => {
  const { arrivals } = await signIn({ provider: plainSettings });
  expect(arrivals).toEqual([{ ...refresh, issuer: null, subject: null }]);
});

test('the ID token flow, whose answer comes through the browser, hands over nothing', async () => {
  const provider = createScriptedProvider({ provider: { responseType: 'id_token' } });
  await provider.signInWithIdToken();
  expect(provider.arrivals).toEqual([]);
});

test('an error shows no token', async () => {
  const { error } = await signIn(unusable);
  const outer = new ProblemError('interrupted', null, { cause: error });
  expect(JSON.stringify([error, outer, toProblem(error)])).not.toContain('refresh-1');
  expect(inspect(outer, { depth: 2, showHidden: true })).not.toContain('refresh-1');
  expect(String((error as Error).stack)).not.toContain('refresh-1');
});
