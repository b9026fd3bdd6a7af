// A sign-out meets a provider that fails, or a renewal.

import { expect, test } from 'vitest';
import { signedIn, signOut, status } from '../../support/fault-scene.ts';

test('F59: the provider is down at the sign-out', async () => {
  for (const answer of [
    () => status(503),
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Promise.race<Response>([]),
  ]) {
    const { worker, script } = await signedIn();
    script.answers = { '/revoke': answer };
    expect(await signOut(worker)).toEqual({ ok: true });
    expect(worker.readBoard()?.session).toEqual({
      status: 'signed-out',
      problem: null,
      lastAccount: null,
      providerSession: null,
    });
  }
});

// F60: the person signs out during a renewal: tests/background/sign-out.test.ts.
