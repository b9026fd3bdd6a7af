// The network is gone, or something else answers for the provider.

import { expect, test, vi } from 'vitest';
import {
  adaIsSignedIn,
  discovery,
  expectRenewalToFail,
  expectSignInToFail,
  hour,
  html,
  signedIn,
} from '../../support/fault-scene.ts';
import { deadlineMs } from '../../../src/concurrency.ts';

// F19: the device is offline at the start: tests/background/sign-in.test.ts.
// F20: the device is offline at a renewal: tests/background/renewal-pause.test.ts.

test('F21: a captive portal answers with its own page', async () => {
  await expectSignInToFail(discovery, html, 'provider-unreachable');
  await expectSignInToFail('/token', html, 'provider-unreachable');
  await expectRenewalToFail(html, 'provider-unreachable');
});

// F25: the provider hangs: tests/oidc/exchange.test.ts.
// F22: the TLS connection fails: tests/oidc/redeem.test.ts. There is no fallback to http: tests/oidc/discover.test.ts.

test('F57: the user has revoked the host permission', async () => {
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
