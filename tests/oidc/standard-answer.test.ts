import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { createScriptedProvider, issuer, plainSettings, type Answer } from '../support/scripted-provider.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
const encoded = (text: string) => new Response(text, { headers: form });
const nested = (text: string) =>
  new Response(text.replace('DEEP', '['.repeat(50_000) + ']'.repeat(50_000)), { status: 400 });
const refused = (error: string) => Response.json({ error }, { status: 401 });

async function request(answer: Answer) {
  const { client } = createScriptedProvider({ provider: plainSettings, answers: { '/token': answer } });
  return client.options[oauth.customFetch](`${issuer}/token`, {});
}

const bearer = { access_token: 'a', token_type: 'Bearer' };

test.each<[string, Answer, object, status?: number]>([
  ['an error with status 200', { error: 'bad_refresh_token', b: 1 }, { error: 'invalid_grant', b: '1' }, 400],
  ['an error with status 401', refused('incorrect_client_credentials'), { error: 'invalid_client' }, 401],
  ['that of a suspended client', refused('application_suspended'), { error: 'unauthorized_client' }, 401],
  [
    'a code that has ended, as Twitch says it',
    () => Response.json({ message: 'invalid device code' }, { status: 400 }),
    { error: 'expired_token', error_description: 'invalid device code', message: 'invalid device code' },
    400,
  ],
  ['an error in form encoding', encoded('error=bad_verification_code'), { error: 'invalid_grant' }, 400],
  ['a token in form encoding', encoded('access_token=a&scope=b%2Cc'), { ...bearer, scope: 'b c' }],
  ['a form that is called text', new Response('access_token=a'), bearer],
  ['a scope that is a list', { scope: ['a', 'b'] }, { scope: 'a b' }],
  ['a scope with commas', { scope: 'a,b' }, { scope: 'a b' }],
  ['a scope with spaces', { scope: 'a b,c' }, { scope: 'a b,c' }],
  ['a scope that is a list of something else', { access_token: 'a', scope: ['a', 1] }, bearer],
  [
    'an answer with other members',
    { access_token: 'a', expires_in: 9, refresh_token: null, users: [{}], active: true },
    { ...bearer, expires_in: 9, active: 'true' },
  ],
  // No text can be made of it.
  ['too deep a member', nested('{"scope":"a","error_description":DEEP}'), { scope: 'a' }, 400],
  ['a lifetime with a "toString"', { expires_in: { toString: 1 }, interval: { valueOf: 1 } }, {}],
  ['an ID token', { access_token: 'a', id_token: 'x.y.z' }, bearer],
  ['an empty error', { error: '', access_token: 'a' }, bearer],
  ['an empty scope, which grants nothing', { scope: '' }, { scope: '' }],
])('%s becomes standard', async (_title, answer, body, status = 200) => {
  const response = await request(answer);
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(body);
});

test.each<[string, Response]>([
  ['a web page', new Response('<html>error=1', { headers: { 'content-type': 'text/html' } })],
  ['a list', Response.json(['error'])],
  ['a parameter twice', encoded('access_token=a&access_token=b')],
])('%s stays as it is', async (_title, answer) => {
  const text = await answer.clone().text();
  const response = await request(answer);
  expect([response.status, await response.text()]).toEqual([answer.status, text]);
});
