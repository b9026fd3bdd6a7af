// A window whose page failed, through the whole worker: the diagnosis on the board, and the requests for it.

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
  const window = await worker.beginShown();
  return { worker, window };
}

test.each([pageFailed, 'Invalid request', 'Something new'])(
  'a window that fails with «%s» is diagnosed',
  async (text) => {
    const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } });
    window.fail(text);
    await worker.expectSession({ status: 'signed-out', problem: refused });
  },
);

test.each([
  ['closed', 'The user did not approve access.', 'cancelled'],
  ['not supported', "Couldn't create a browser window to display an authorization page.", 'not-supported'],
])('a window that is %s is not diagnosed', async (_title, text, code) => {
  const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } });
  window.fail(text);
  await worker.expectSession({ status: 'signed-out', problem: { code } });
  expect(worker.provider.paths()).not.toContain('/authorize');
});

test('a cancel during the diagnosis wins', async () => {
  const answer = deferred<Response>();
  const { worker, window } = await setUpWindow({ answers: { '/authorize': () => answer.promise } });
  window.fail(pageFailed);
  await expect.poll(() => worker.provider.paths()).toContain('/authorize');
  await worker.cancel();
  answer.resolve(refusal());
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
});

test('the next attempt finds a sign-in page that has moved', async () => {
  const script: Script = { answers: { '/authorize': new Response('', { status: 404 }) } };
  const { worker, window } = await setUpWindow(script);
  script.metadata = { authorization_endpoint: `${issuer}/moved` };
  window.fail(pageFailed);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'sign-in-page-failed' } });
  expect(new URL((await worker.begin()).url).pathname).toBe('/moved');
});

test('an error answer to the token request names its own cause and remedy', async () => {
  const answer = () => Response.json({ error: 'invalid_client' }, { status: 400 });
  const { worker, window } = await setUpWindow({ answers: { '/token': answer } });
  worker.approve(window);
  await worker.expectSession({
    status: 'signed-out',
    problem: {
      code: 'provider-misconfigured',
      detail: 'register this client ID, or correct "clientId" in the configuration; token: invalid_client',
      diagnosis: { cause: 'client', certainty: 'known', register: 'client' },
    },
  });
  expect(worker.provider.paths()).not.toContain('/authorize');
});

test('an error at the redirect URI is about the request, because the provider knows that URI and the client', async () => {
  const { worker, window } = await setUpWindow();
  const state = new URL(window.url).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ error: 'unauthorized_client', state, iss: issuer });
  window.redirect(`${redirectUri}?${query.toString()}`);
  const diagnosis = { cause: 'request', certainty: 'known', register: null };
  await worker.expectSession({
    status: 'signed-out',
    problem: { code: 'provider-misconfigured', diagnosis },
  });
});
