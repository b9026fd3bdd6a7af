// The conversion of errors. The tests of each step say what its problems tell.

import * as oauth from 'oauth4webapi';
import { expect, test, vi } from 'vitest';
import { toProblemError } from '../../src/oidc/problems.ts';
import { detail } from '../../src/session/detail.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { createScriptedProvider, type Script } from '../support/scripted-provider.ts';

test.each([
  [new TypeError('https://a.example/?token=secret'), 'a step: TypeError'],
  ['a secret', 'a step: string'],
])('an unexpected error is reported by its type only', (thrown, reason) => {
  const problem = toProblemError(createScriptedProvider().client, detail`a step`, thrown);
  expect(problem).toMatchObject({ code: 'unexpected', detail: reason, cause: thrown });
});

const tokenAnswer = (response: Response): Script => ({ answers: { '/token': response } });
const challenge = new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
const refusal = Response.json({ error: 'invalid_grant' }, { status: 400 });

test.each<[string, Script, new (...parts: never[]) => Error]>([
  ['invalid JSON', { answers: { '/.well-known/openid-configuration': new Response('{') } }, SyntaxError],
  ['an error code', tokenAnswer(refusal), oauth.ResponseBodyError],
  ['a challenge', tokenAnswer(challenge), oauth.OperationProcessingError],
  ['a wrong clock', { deviceAheadMs: 3 * 3_600_000, sendsDate: false }, ProblemError],
])('the problem keeps the original error of %s as its cause', async (_title, script, kind) => {
  const cause = expect.any(kind) as Error;
  await expect(createScriptedProvider(script).signIn()).rejects.toMatchObject({ cause });
});

test.each([
  ['invalid_grant', 'a step: the provider answered HTTP 400, invalid_grant, … token … expired'],
  ['tenant_blocked_7f3a', 'a step: the provider answered HTTP 400, tenant blocked …, … token … expired'],
  ['login_required', null],
  ['authorization_pending', null],
])(
  'the console tells what a provider says about %s, in our words, unless that is ordinary',
  (error, line) => {
    const { client } = createScriptedProvider();
    const warn = vi.fn();
    const thrown = new oauth.ResponseBodyError('', {
      cause: { error, error_description: 'The token 7f3a has expired.' },
      response: new Response(null, { status: 400 }),
    });
    const problem = toProblemError({ ...client, world: { ...client.world, warn } }, detail`a step`, thrown);
    expect(problem).toMatchObject({ cause: thrown });
    expect(warn.mock.calls).toEqual(line === null ? [] : [[line]]);
  },
);
