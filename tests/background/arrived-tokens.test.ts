// A token that came with a response that isn't used. That each such token is revoked in the end is what the explorer looks for.

import { expect, test } from 'vitest';
import { setUpWorker } from '../support/worker-setup.ts';
import type { Script } from '../support/scripted-provider.ts';

test('an access token that seems to last for ever is revoked too, by the next worker', async () => {
  const script: Script = {
    claims: { aud: 'another' },
    token: { access_token: 'access-1', refresh_token: undefined, expires_in: 1e306 },
    answers: { '/revoke': () => Promise.race<Response>([]) },
  };
  const worker = setUpWorker({ script });
  worker.approve(await worker.begin());
  await worker.rest();
  expect((await worker.held()).pendingRevocations).toMatchObject([{ token: 'access-1' }]);
  worker.restartBrowser();
  script.answers = {};
  // The pause after a request without an answer is over.
  await worker.openAfter(60_000);
  await worker.rest();
  expect(worker.revoked()).toEqual(['access-1', 'access-1']);
  expect((await worker.held()).pendingRevocations).toEqual([]);
});
