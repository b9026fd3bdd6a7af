import { afterEach, expect, test, vi } from 'vitest';
import { createExchange, timeoutMs, maxBodyBytes, type World } from '../../src/oidc/exchange.ts';

const origin = 'https://provider.example';

function exchangeWith(fetch: World['fetch'], world: Partial<World> = {}) {
  return createExchange(
    {
      fetch,
      nowMs: Date.now,
      randomBytes: (length) => new Uint8Array(length),
      isOnline: () => true,
      mayReach: () => Promise.resolve(true),
      ...world,
    },
    [origin],
  );
}

/** A fetch that waits until its signal ends it, as the platform's does. */
const hanging: World['fetch'] = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** A body that sends one byte and then nothing, until the request is ended. */
const hangingBody: World['fetch'] = (_url, { signal }) =>
  Promise.resolve(
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(1));
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
    ),
  );

afterEach(() => vi.restoreAllMocks());

/** Lets the deadline pass without waiting for it. */
function endDeadlinesAtOnce() {
  const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), 0);
    return controller.signal;
  });
  return () => asked.mock.calls;
}

test('every request goes without cookies, cache, referrer and redirects', async () => {
  const seen: RequestInit[] = [];
  const exchange = exchangeWith((_url, init) => {
    seen.push(init);
    return Promise.resolve(new Response('x'));
  });
  await exchange.fetch(`${origin}/`, {});
  expect(seen).toMatchObject([
    {
      method: 'GET',
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
    },
  ]);
});

test('a redirect that the browser keeps to itself is told as such', async () => {
  const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
  const exchange = exchangeWith(() => Promise.resolve(opaque));
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test('an answer that may have no body is handed on without one', async () => {
  const exchange = exchangeWith(() => Promise.resolve(new Response(null, { status: 204 })));
  expect(await exchange.fetch(`${origin}/`, {})).toMatchObject({ status: 204, body: null });
});

test('an answer keeps its status and its headers', async () => {
  const init = { status: 400, statusText: 'Bad Request', headers: { 'dpop-nonce': 'x' } };
  const exchange = exchangeWith(() => Promise.resolve(new Response('no', init)));
  const answer = await exchange.fetch(`${origin}/`, {});
  expect(answer).toMatchObject({ status: 400, statusText: 'Bad Request' });
  expect(answer.headers.get('dpop-nonce')).toBe('x');
});

test('another host is not asked', async () => {
  const fetch = vi.fn<World['fetch']>();
  const refused = exchangeWith(fetch).fetch('https://elsewhere.example/', {});
  await expect(refused).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: 'elsewhere.example',
  });
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  ['headers never come', hanging],
  ['body never ends', hangingBody],
])('a provider whose %s is timed out', async (_title, fetch) => {
  const asked = endDeadlinesAtOnce();
  await expect(exchangeWith(fetch).fetch(`${origin}/`, {})).rejects.toMatchObject({
    code: 'timed-out',
    detail: 'provider.example',
    cause: { name: 'TimeoutError' },
  });
  expect(asked()).toEqual([[timeoutMs]]);
});

test('the deadline is shorter than a waiting worker lives', () => {
  expect(timeoutMs).toBeLessThanOrEqual(25_000);
});

test('a body up to the cap is read whole', async () => {
  const exchange = exchangeWith(() => Promise.resolve(new Response('x'.repeat(maxBodyBytes))));
  expect(await (await exchange.fetch(`${origin}/`, {})).text()).toHaveLength(maxBodyBytes);
});

test('a body over the cap is rejected, and not read to its end', async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const exchange = exchangeWith(() => Promise.resolve(new Response(endless)));
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject({ code: 'response-rejected' });
  expect(sent).toBeLessThan(maxBodyBytes * 2);
});

test.each([
  [true, 'provider-unreachable'],
  [false, 'offline'],
])('a request that fails while the browser is online (%s) is told as %s', async (online, code) => {
  const exchange = exchangeWith(() => Promise.reject(new TypeError('Failed to fetch')), {
    isOnline: () => online,
  });
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject({ code });
});

test.each([
  ['Sat, 21 Nov 2026 12:00:00 GMT', '2026-11-21T12:00:00Z', 0],
  ['Sat, 21 Nov 2026 12:00:03 GMT', '2026-11-21T12:00:00Z', 0],
  ['Sat, 21 Nov 2026 12:00:05 GMT', '2026-11-21T12:00:00Z', 5],
  ['Sat, 21 Nov 2026 13:00:00 GMT', '2026-11-21T12:00:00Z', 3600],
  ['Sat, 21 Nov 2026 12:00:00 GMT', '2026-11-21T15:00:00Z', -10800],
  ['yesterday', '2026-11-21T12:00:00Z', null],
])('an answer dated %s at %s shows a skew of %s s', async (date, now, skew) => {
  const answer = () => Promise.resolve(new Response('x', { headers: { date } }));
  const exchange = exchangeWith(answer, { nowMs: () => Date.parse(now) });
  await exchange.fetch(`${origin}/`, {});
  expect(exchange.clockSkewSeconds()).toBe(skew);
});

test('an answer without a date leaves the skew as it was', async () => {
  const dates = ['Sat, 21 Nov 2026 13:00:00 GMT', null];
  const exchange = exchangeWith(
    () => {
      const date = dates.shift();
      return Promise.resolve(new Response('x', date ? { headers: { date } } : {}));
    },
    { nowMs: () => Date.parse('2026-11-21T12:00:00Z') },
  );
  await exchange.fetch(`${origin}/`, {});
  await exchange.fetch(`${origin}/`, {});
  expect(exchange.clockSkewSeconds()).toBe(3600);
});

test.each([
  ['its answer', 429, '60', 60_000],
  ['its outage', 503, '60', 60_000],
  ['a date', 429, 'Sat, 21 Nov 2026 12:02:00 GMT', 120_000],
  ['a day', 429, '86400', 300_000],
])(
  'a host that asks in %s to be left alone is not asked before',
  async (_title, status, retryAfter, waitMs) => {
    const clock = { nowMs: Date.parse('2026-11-21T12:00:00Z') };
    const headers = { 'retry-after': retryAfter, date: 'Sat, 21 Nov 2026 12:00:00 GMT' };
    const fetch = vi.fn<World['fetch']>(() => Promise.resolve(new Response('', { status, headers })));
    const exchange = exchangeWith(fetch, { nowMs: () => clock.nowMs });
    const ask = () => exchange.fetch(`${origin}/`, {}).catch((error: unknown) => error);
    await ask();
    const told = {
      code: 'provider-unreachable',
      detail: 'provider.example asked to be left alone for a while.',
    };
    expect(await ask()).toMatchObject(told);
    clock.nowMs += waitMs - 1;
    expect(await ask()).toMatchObject(told);
    expect(fetch).toHaveBeenCalledTimes(1);
    clock.nowMs += 1;
    await ask();
    expect(fetch).toHaveBeenCalledTimes(2);
  },
);

test('a host is asked again when the clock of the device was set back', async () => {
  const clock = { nowMs: Date.parse('2026-11-21T12:00:00Z') };
  const fetch = vi.fn<World['fetch']>(() =>
    Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '60' } })),
  );
  const exchange = exchangeWith(fetch, { nowMs: () => clock.nowMs });
  await exchange.fetch(`${origin}/`, {}).catch(() => undefined);
  clock.nowMs -= 3_600_000;
  await exchange.fetch(`${origin}/`, {}).catch(() => undefined);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test.each([
  [200, '60'],
  [429, 'soon'],
  [429, '-5'],
  [429, 'Sat, 21 Nov 2026 12:00:00 GMT'],
])('an answer of %i with Retry-After %s asks for nothing', async (status, retryAfter) => {
  const fetch = vi.fn<World['fetch']>(() =>
    Promise.resolve(new Response('', { status, headers: { 'retry-after': retryAfter } })),
  );
  const exchange = exchangeWith(fetch);
  for (let times = 0; times < 2; times += 1) await exchange.fetch(`${origin}/`, {}).catch(() => undefined);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a host that the browser keeps from us is named', async () => {
  const exchange = exchangeWith(() => Promise.reject(new TypeError('NetworkError')), {
    mayReach: (asked) => Promise.resolve(asked !== origin),
  });
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: 'provider.example',
  });
});
