// A cancel and the end of a sign-in at the same moment: one of them wins, and memory, board and vault agree on which.

import { expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { signedIn } from '../support/fault-scene.ts';

test('a cancel before the session is stored wins, and the new tokens are revoked', async () => {
  const { worker, script } = await signedIn();
  await worker.rest();
  script.claims = { sub: 'grace' };
  script.token = { access_token: 'access-2', refresh_token: 'refresh-2' };
  const [asked, cancelled] = [deferred<void>(), deferred<void>()];
  script.answers = {
    '/token': async () => {
      asked.resolve();
      await cancelled.promise;
      return Response.json(await worker.provider.tokenAnswer());
    },
  };
  worker.approve(await worker.begin({ type: 'use-another-account' }));
  await asked.promise;
  await worker.cancel();
  cancelled.resolve();
  await expect.poll(worker.revoked).toEqual(['refresh-2']);
  expect(worker.session()).toMatchObject({ profile: { subject: 'ada' }, problem: null });
  await worker.reopen();
  expect(worker.session()).toMatchObject({ profile: { subject: 'ada' } });
});
