// A provider that has changed since its discovery document was cached, half an hour ago.

import { expect, test } from 'vitest';
import { adaIsSignedIn, status, setUpWorker } from '../support/worker-setup.ts';
import { createSigningKey, type Script } from '../support/scripted-provider.ts';

const other = await createSigningKey('key-2', 'RS256');
const moved = await createSigningKey('key-3');
const issuer = 'https://provider.example';

/** The change of the provider, and what it answers from then on. */
const changes: Readonly<Record<string, Script>> = {
  'it no longer names itself in its redirects': {
    metadata: { authorization_response_iss_parameter_supported: false },
    redirect: (url) => url.searchParams.delete('iss'),
  },
  'it signs with another algorithm': {
    metadata: { id_token_signing_alg_values_supported: ['RS256'] },
    signingKey: other,
  },
  'its token endpoint has moved': {
    metadata: { token_endpoint: `${issuer}/oauth2/token` },
    answers: { '/token': () => status(404) },
  },
  'its keys have moved': {
    metadata: { jwks_uri: `${issuer}/jwks` },
    signingKey: moved,
    answers: { '/keys': () => status(410) },
  },
};

/** A worker with a cached copy, and the provider after its change. */
async function setUp(change: Script, during: 'sign-in' | 'session') {
  const { worker, script, clock } = setUpWorker();
  await worker.open();
  if (during === 'session') await worker.signIn();
  await worker.rest();
  clock.nowMs += 30 * 60_000;
  Object.assign(script, change);
  script.answers = {
    ...change.answers,
    '/oauth2/token': async () => Response.json(await worker.provider.tokenAnswer()),
    '/jwks': { keys: [moved.jwk] },
  };
  return worker;
}

test.each(Object.entries(changes))('a user signs in although %s', async (_what, change) => {
  const worker = await setUp(change, 'sign-in');
  const window = await worker.begin();
  const redirect = new URL(worker.provider.approve(window.url));
  change.redirect?.(redirect);
  window.redirect(redirect.href);
  await worker.expectSession(adaIsSignedIn);
});

test.each(Object.entries(changes))('a session is renewed although %s', async (_what, change) => {
  const worker = await setUp({ ...change, claims: { nonce: undefined } }, 'session');
  const before = worker.provider.paths().length;
  await worker.openAfter(0);
  await expect.poll(() => worker.provider.paths().slice(before).join()).toMatch(/token/);
  await worker.rest();
  expect(worker.session()).toMatchObject(adaIsSignedIn);
});
