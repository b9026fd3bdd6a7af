import { decodeJwt } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { unknownLifetimeSeconds } from '../../src/oidc/tokens.ts';
import { isInner } from '../support/extent.ts';
import { listRemains } from '../support/held.ts';
import { provider as scripted } from '../support/scripted-provider.ts';
import { adaIsSignedIn, hour, signedIn } from '../support/worker-setup.ts';
import { stopClock } from '../support/stop-clock.ts';

const minutes = 60_000;

test('a session on the device survives a restart of the browser', async () => {
  const { worker } = await signedIn();
  worker.restartBrowser();
  await worker.open();
  expect(worker.session()).toMatchObject({ status: 'signed-in', profile: { subject: 'ada' } });
});

test('for as long as no page is open, a signed-in worker sends nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const { worker } = await signedIn();
  await worker.rest();
  const before = worker.provider.requests.length;
  await vi.advanceTimersByTimeAsync(60 * minutes);
  expect(worker.provider.requests).toHaveLength(before);
  expect(vi.getTimerCount()).toBe(0);
});

test('stale tokens are renewed when a page opens, once for all pages', async () => {
  const { worker, script, clock } = await signedIn({ token: { expires_in: undefined } });
  clock.nowMs += unknownLifetimeSeconds * 1000;
  script.token = { refresh_token: 'refresh-2', id_token: undefined };
  await Promise.all([worker.open(), worker.open(), worker.open()]);
  await expect.poll(() => worker.sent('refresh_token')).toHaveLength(1);

  // The renewed tokens count from the time at which they are read, so the clock moves until they are stale too.
  await expect
    .poll(async () => {
      await worker.openAfter(10 * minutes);
      return worker.sent('refresh_token');
    })
    .toContain('refresh-2');
});

test('the first proof of each worker carries the time of the provider', async () => {
  stopClock();
  const provider = { ...scripted, dpop: 'required' } as const;
  const { worker, script, clock } = await signedIn({ deviceAheadMs: 2 * hour }, { providers: [provider] });
  clock.nowMs += hour;
  script.claims = { nonce: undefined };
  await worker.reopen();
  await worker.expectSession(adaIsSignedIn);
  await expect.poll(() => worker.sent('refresh_token')).toHaveLength(1);
  const proof = worker.provider.requests.findLast(({ path }) => path === '/token')?.headers.get('dpop') ?? '';
  expect(decodeJwt(proof).iat).toBe(clock.nowMs / 1000);
});

describe('a build with another persistence', () => {
  const onlyKeyIn = (place: 'device' | 'browser') => ({ keyPlaces: [place], remains: [] });

  test('browser instead of device leaves no session, key, board or journal on the device, and revokes the token', async () => {
    const { worker } = await signedIn({}, { providers: [{ ...scripted, dpop: 'required' }] });
    worker.restartWorkerWith('browser');
    await worker.open();
    await expect.poll(worker.revoked).toEqual(['refresh-1']);
    await expect.poll(() => listRemains(worker)).toEqual(onlyKeyIn('browser'));
    expect([...worker.local.items.keys()]).toEqual([]);
    expect(worker.memory.items.get('board')).toMatchObject({ session: { status: 'signed-out' } });
  });

  test('continues if the worker dies on the way', async () => {
    const { worker: complete } = await signedIn();
    complete.restartWorkerWith('browser');
    await complete.open();
    await expect.poll(complete.revoked).toEqual(['refresh-1']);
    for (let lastStep = 1; lastStep <= complete.steps(); lastStep += isInner ? 4 : 1) {
      const { worker } = await signedIn();
      worker.restartWorkerWith('browser', lastStep);
      await Promise.race([worker.open(), worker.death()]);
      worker.restartWorkerWith('browser');
      await worker.open();
      await expect.poll(() => new Set(worker.revoked())).toEqual(new Set(['refresh-1']));
      await expect.poll(() => listRemains(worker)).toEqual(onlyKeyIn('browser'));
      expect(worker.local.items.has('board')).toBe(false);
    }
  });
});
