// The user may withdraw the permission for the provider's host, and give it back.

import { expect, test, vi } from 'vitest';
import { deadlineMs } from '../../src/concurrency.ts';
import { adaIsSignedIn, hour, signedIn } from '../support/worker-setup.ts';

test('a renewal without the permission for the host names it, and goes on once the host is allowed', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.isForbidden = true;
  script.answers = { '/token': () => Promise.reject(new TypeError('NetworkError')) };
  await worker.open();
  await worker.expectSession({
    status: 'signed-in',
    problem: { code: 'host-permission-missing', detail: 'provider.example' },
  });
  delete script.isForbidden;
  delete script.answers;
  script.claims = { nonce: undefined };
  worker.allowHosts();
  // The notice goes first, so the session says nothing of the renewal.
  await expect.poll(() => worker.sent('refresh_token')).toHaveLength(2);
  await worker.expectSession(adaIsSignedIn);
});

test.each<[string, () => Promise<boolean>]>([
  ['never says', () => new Promise(() => undefined)],
  ['cannot say', () => Promise.reject(new Error('An unexpected error occurred'))],
])(
  'a provider counts as out of reach where the browser %s whether its host is allowed',
  async (_does, mayReach) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { worker, script, clock } = await signedIn({}, { world: { mayReach } });
    await worker.rest();
    clock.nowMs += hour;
    script.answers = { '/token': () => Promise.reject(new TypeError('NetworkError')) };
    await worker.open();
    // The renewal is tried once more.
    for (let tries = 0; tries < 2; tries += 1) {
      await worker.rest();
      await vi.advanceTimersByTimeAsync(deadlineMs);
    }
    await worker.rest();
    expect(worker.session()).toMatchObject({
      status: 'signed-in',
      problem: { code: 'provider-unreachable' },
    });
  },
);
