import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { findDroppedToken, readDroppedToken } from '../../src/oidc/code-flow.ts';
import { ProblemError, toProblem } from '../../src/session/problem.ts';
import { createScriptedProvider, issuer, type Script } from '../support/scripted-provider.ts';

const signInError = (script: Script) =>
  createScriptedProvider(script)
    .signIn()
    .catch((error: unknown) => error);

test.each<[string, Script]>([
  ['another nonce', { claims: { nonce: 'another' } }],
  ['a clock that is wrong', { claims: { exp: 1, iat: 1 }, sendsDate: false }],
  ['another token type', { token: { token_type: 'mac' } }],
])('an answer with %s fails with its refresh token in the error', async (_title, script) => {
  const dropped = { refreshToken: 'refresh-1', issuer, subject: 'ada' };
  expect(findDroppedToken(await signInError(script))).toEqual(dropped);
});

test.each<[string, Script]>([
  ['no refresh token', { claims: { nonce: 'another' }, token: { refresh_token: undefined } }],
  ['an empty refresh token', { claims: { nonce: 'another' }, token: { refresh_token: '' } }],
  ['an error', { answers: { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) } }],
  ['no JSON', { answers: { '/token': new Response('refresh_token') } }],
  ['no object', { answers: { '/token': Response.json(['refresh_token']) } }],
])('an answer with %s fails without one', async (_title, script) => {
  expect(findDroppedToken(await signInError(script))).toBeNull();
});

test.each([[undefined], ['x'], ['x.%.z'], ['x.bnVsbA.z'], [['x']], [{ toString: 1 }]])(
  'issuer and subject are unknown if the ID token is %j',
  async (id_token) => {
    const dropped = { refreshToken: 'refresh-1', issuer: null, subject: null };
    expect(findDroppedToken(await signInError({ token: { id_token } }))).toEqual(dropped);
  },
);

test('the refresh token is found behind another error, and shown by neither', async () => {
  const error = await signInError({ claims: { nonce: 'another' } });
  const outer = new ProblemError('interrupted', null, { cause: error });
  expect(findDroppedToken(outer)?.refreshToken).toBe('refresh-1');
  expect(JSON.stringify([error, outer, toProblem(error)])).not.toContain('refresh-1');
  expect(inspect(outer, { depth: 2, showHidden: true })).not.toContain('refresh-1');
  expect(String((error as Error).stack)).not.toContain('refresh-1');
});

test.each<[object | null, string | null]>([
  [{ access_token: 'a', refresh_token: 'r' }, 'r'],
  [null, null],
  [{ access_token: 'a', refresh_token: 7 }, 'a'],
  [{ access_token: 7 }, null],
])('of the grant %j of plain OAuth 2, the token to revoke is %j', async (answer, token) => {
  expect((await readDroppedToken(Response.json(answer), 'any-token'))?.refreshToken ?? null).toBe(token);
});
