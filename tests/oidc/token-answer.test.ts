import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { withStandardAnswers } from '../../src/oidc/token-answer.ts';
import { createScriptedProvider, issuer, plainSettings, type Answer } from '../support/scripted-provider.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

async function request(answer: Answer) {
  const { client } = createScriptedProvider({ provider: plainSettings, answers: { '/token': answer } });
  const response = await withStandardAnswers(client).options[oauth.customFetch](`${issuer}/token`, {});
  return { client, response };
}

test.each<[string, Answer, number, object]>([
  [
    'an error with status 200',
    { error: 'incorrect_client_credentials', error_description: 'no' },
    400,
    { error: 'invalid_client', error_description: 'no' },
  ],
  [
    'an error with status 401',
    Response.json({ error: 'invalid_client' }, { status: 401 }),
    401,
    { error: 'invalid_client' },
  ],
  [
    'an error beside a token',
    { error: 'bad_refresh_token', access_token: 'a' },
    400,
    { error: 'invalid_grant', access_token: 'a' },
  ],
  [
    'an error in the form encoding',
    new Response('error=bad_verification_code&error_description=gone', { headers: form }),
    400,
    { error: 'invalid_grant', error_description: 'gone' },
  ],
  [
    'a token in the form encoding',
    new Response('access_token=gho_16&scope=repo%2Cgist&token_type=bearer', { headers: form }),
    200,
    { access_token: 'gho_16', scope: 'repo gist', token_type: 'bearer' },
  ],
  ['a scope that is a list', { scope: ['a', 'b'] }, 200, { scope: 'a b' }],
  ['a scope with commas', { scope: 'a,b' }, 200, { scope: 'a b' }],
  ['a scope with spaces', { scope: 'a b,c' }, 200, { scope: 'a b,c' }],
  ['a scope that is a list of something else', { scope: [1] }, 200, { scope: [1] }],
  [
    'members that are null',
    { access_token: 'a', refresh_token: null, expires_in: null },
    200,
    { access_token: 'a' },
  ],
  ['an ID token', { access_token: 'a', id_token: 'x.y.z' }, 200, { access_token: 'a' }],
  ['an empty error', { error: '', access_token: 'a' }, 200, { error: '', access_token: 'a' }],
])('%s becomes standard', async (_title, answer, status, body) => {
  const { response } = await request(answer);
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(body);
});

test.each<[string, Response]>([
  ['a web page', new Response('<html>error=1', { headers: { 'content-type': 'text/html' } })],
  ['a list', Response.json(['error'])],
  ['nothing', new Response(null, { status: 204 })],
  ['a parameter twice', new Response('access_token=a&access_token=b', { headers: form })],
])('%s stays as it is', async (_title, answer) => {
  const text = await answer.clone().text();
  const { response } = await request(answer);
  expect([response.status, await response.text()]).toEqual([answer.status, text]);
});
