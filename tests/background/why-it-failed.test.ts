// A window whose page failed, in the whole worker: what the board then says, and what is asked for it.

import { expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { issuer, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

const pageFailed = 'Authorization page could not be loaded.';
const redirectUri = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/scripted';
const refusal = () => Response.json({ error: 'invalid_redirect_uri' }, { status: 400 });
const refused = {
  code: 'provider-misconfigured',
  detail: 'sign-in page: HTTP 400',
  diagnosis: { cause: 'redirect-uri', certainty: 'known', register: redirectUri },
};

async function setUpWindow(script: Script = {}) {
  const worker = setUpWorker({ script });
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  const window = await worker.nextWindow();
  window.appear();
  return { worker, window };
}

test.each([pageFailed, 'Invalid request', 'Something new'])(
  'a window that ends with «%s» is told by what is behind it',
  async (text) => {
    const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } });
    window.fail(text);
    const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
    expect(session).toMatchObject({ problem: refused });
  },
);

test.each([
  ['closed', 'The user did not approve access.', 'cancelled'],
  ['not supported', "Couldn't create a browser window to display an authorization page.", 'not-supported'],
])('a window that is %s is not looked into', async (_title, text, code) => {
  const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } });
  window.fail(text);
  const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
  expect(session).toMatchObject({ problem: { code } });
  expect(worker.provider.paths()).not.toContain('/authorize');
});

test('who cancels meanwhile has cancelled', async () => {
  const answer = deferred<Response>();
  const { worker, window } = await setUpWindow({ answers: { '/authorize': () => answer.promise } });
  window.fail(pageFailed);
  await expect.poll(() => worker.provider.paths()).toContain('/authorize');
  await worker.send({ type: 'cancel' });
  answer.resolve(refusal());
  expect(worker.readBoard()?.session).toMatchObject({ problem: { code: 'cancelled' } });
});

test('a sign-in page that has moved is found by the next attempt', async () => {
  const script: Script = { answers: { '/authorize': new Response('', { status: 404 }) } };
  const { worker, window } = await setUpWindow(script);
  script.metadata = { authorization_endpoint: `${issuer}/moved` };
  window.fail(pageFailed);
  const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
  expect(session).toMatchObject({ problem: { code: 'sign-in-page-failed' } });
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  expect(new URL((await worker.nextWindow()).url).pathname).toBe('/moved');
});

test.each<[string, string, Script, object]>([
  [
    'pushed',
    '/par',
    {
      metadata: {
        pushed_authorization_request_endpoint: `${issuer}/par`,
        require_pushed_authorization_requests: true,
      },
    },
    { cause: 'redirect-uri', certainty: 'known', register: redirectUri },
  ],
  ['redeemed', '/token', {}, { cause: 'client', certainty: 'known', register: 'client' }],
])('a refusal of what is %s says itself what it blames', async (_title, path, script, diagnosis) => {
  const error = path === '/par' ? 'invalid_request' : 'invalid_client';
  const answer = { error, error_description: 'redirect_uri' };
  const worker = setUpWorker({
    script: { ...script, answers: { [path]: () => Response.json(answer, { status: 400 }) } },
  });
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  if (path !== '/par') worker.approve(await worker.nextWindow());
  const { session } = await worker.boardWhere(
    (board) => board.session.status === 'signed-out' && board.session.problem !== null,
  );
  expect(session).toMatchObject({ problem: { code: 'provider-misconfigured', diagnosis } });
  expect(worker.provider.paths()).not.toContain('/authorize');
});
