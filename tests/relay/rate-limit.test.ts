import { expect, test } from 'vitest';
import { createRateLimit } from '../../src/relay/rate-limit.ts';
import { acme, createRelayScene, renewal } from '../support/relay-scene.ts';

test('a minute’s requests may come at once, and then one each time the bucket has filled by one', () => {
  let now = 0;
  const { take } = createRateLimit(60, () => now);
  expect(Array.from({ length: 60 }, take)).toEqual(Array(60).fill(0));
  expect(take()).toBe(1);
  now += 999;
  expect(take()).toBe(1);
  now += 1;
  expect([take(), take()]).toEqual([0, 1]);
});

test('a bucket that fills slowly names the whole wait', () => {
  const { take } = createRateLimit(1, () => 0);
  expect([take(), take()]).toEqual([0, 60]);
});

test('a bucket never holds more than a minute’s requests, and a clock that is set back fills nothing', () => {
  let now = 0;
  const { take } = createRateLimit(2, () => now);
  now = 3_600_000;
  expect([take(), take(), take()]).toEqual([0, 0, 30]);
  now = 0;
  expect(take()).toBe(30);
  now = 30_000;
  expect(take()).toBe(0);
});

test('the relay answers 429 with a Retry-After, forwards nothing, and counts each provider apart', async () => {
  const other = { ...acme, id: 'other' };
  const scene = createRelayScene({ config: { providers: [acme, other], requestsPerMinute: 1 } });
  expect((await scene.post('/token/acme', renewal)).status).toBe(200);
  const refused = await scene.post('/token/acme', renewal);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect(scene.forwarded).toHaveLength(1);
  expect((await scene.post('/token/other', renewal)).status).toBe(200);
  scene.setNowMs(1_060_000);
  expect((await scene.post('/token/acme', renewal)).status).toBe(200);
});

test('a request that the relay refuses by itself takes nothing from the bucket', async () => {
  const { post } = createRelayScene({ config: { requestsPerMinute: 1 } });
  expect((await post('/token/acme', {})).status).toBe(400);
  expect((await post('/token/acme', renewal)).status).toBe(200);
});
