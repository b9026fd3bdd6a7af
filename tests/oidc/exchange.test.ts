import { afterEach, expect, test, vi } from 'vitest';
import { maxBodyBytes } from '../../src/oidc/body.ts';
import { createExchange, timeoutMs, type World } from '../../src/oidc/exchange.ts';
import { createProviderClock } from '../../src/oidc/provider-clock.ts';

const origin = 'https://provider.example';

function exchangeWith(fetch: World['fetch'], world: Partial<World> = {}, clock = createProviderClock()) {
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
    clock,
  );
}

/** A fetch that never settles until its signal aborts it. */
const hanging: World['fetch'] = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** A response whose body stalls after one byte until its signal aborts it. */
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

/** Makes timeouts fire at once, and returns the calls that created them. */
function fireTimeoutsAtOnce() {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), 0);
    return controller.signal;
  });
  return () => timeout.mock.calls;
}

test('every request omits cookies, cache, referrer and redirects', async () => {
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

test('an opaque redirect is rejected as provider-misconfigured', async () => {
  const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
  const exchange = exchangeWith(() => Promise.resolve(opaque));
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test.each([
  ['is followed where the content security policy confines it', 'confined', ['manual', 'follow']],
  ['is left alone elsewhere, as in an extension with another policy', undefined, ['manual']],
] as const)('the redirect of a page %s', async (_what, redirects, asked) => {
  const seen: unknown[] = [];
  const exchange = exchangeWith(
    (_url, init) => {
      seen.push(init.redirect);
      return Promise.resolve(new Response(null, { status: 302 }));
    },
    { redirects },
  );
  expect(await exchange.fetchPage(`${origin}/`)).toBeNull();
  expect(seen).toEqual(asked);
});

test('a 204 response is returned without a body', async () => {
  const exchange = exchangeWith(() => Promise.resolve(new Response(null, { status: 204 })));
  expect(await exchange.fetch(`${origin}/`, {})).toMatchObject({ status: 204, body: null });
});

test('a response keeps its status and headers', async () => {
  const init = { status: 400, statusText: 'Bad Request', headers: { 'dpop-nonce': 'x' } };
  const exchange = exchangeWith(() => Promise.resolve(new Response('no', init)));
  const response = await exchange.fetch(`${origin}/`, {});
  expect(response).toMatchObject({ status: 400, statusText: 'Bad Request' });
  expect(response.headers.get('dpop-nonce')).toBe('x');
});

test.each([
  [4096, true],
  [4097, false],
])('a challenge of %i characters is kept: %s', async (length, isKept) => {
  const challenge = 'DPoP '.padEnd(length, 'x');
  const exchange = exchangeWith(() =>
    Promise.resolve(
      new Response('', { status: 401, headers: { 'www-authenticate': challenge, 'dpop-nonce': 'n' } }),
    ),
  );
  const { headers } = await exchange.fetch(`${origin}/`, {});
  expect(headers.get('www-authenticate')).toBe(isKept ? challenge : null);
  expect(headers.get('dpop-nonce')).toBe('n');
});

test('a host that is not configured is not contacted', async () => {
  const fetch = vi.fn<World['fetch']>();
  const refused = exchangeWith(fetch).fetch('https://elsewhere.example/', {});
  await expect(refused).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: 'a host that is not in the configuration',
  });
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  ['headers never arrive', hanging],
  ['body never ends', hangingBody],
])('a provider whose %s times out', async (_title, fetch) => {
  const timeoutCalls = fireTimeoutsAtOnce();
  await expect(exchangeWith(fetch).fetch(`${origin}/`, {})).rejects.toMatchObject({
    code: 'timed-out',
    detail: 'provider.example',
    cause: { name: 'TimeoutError' },
  });
  expect(timeoutCalls()).toEqual([[timeoutMs]]);
});

test('the timeout is shorter than the life of a waiting worker', () => {
  expect(timeoutMs).toBeLessThanOrEqual(25_000);
});

test('a body of the maximum size is read completely', async () => {
  const exchange = exchangeWith(() => Promise.resolve(new Response('x'.repeat(maxBodyBytes))));
  expect(await (await exchange.fetch(`${origin}/`, {})).text()).toHaveLength(maxBodyBytes);
});

test('a body over the maximum size is rejected without reading it to the end', async () => {
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
])('a request that fails while the browser is online (%s) is reported as %s', async (online, code) => {
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
])('a response dated %s, received at %s, shows a skew of %s s', async (date, now, skew) => {
  expect(await skewAfter([{ date }], now)).toBe(skew);
});

test('a response without a date does not change the skew', async () => {
  const date = 'Sat, 21 Nov 2026 13:00:00 GMT';
  expect(await skewAfter([{ date }, {}], '2026-11-21T12:00:00Z')).toBe(3600);
});

test.each(['3501', '1', '0, 30', 'old'])(
  'the date of a response from a cache, of age %s, does not change the skew',
  async (age) => {
    const cached = { date: 'Sat, 21 Nov 2026 11:01:39 GMT', age };
    expect(await skewAfter([cached], '2026-11-21T12:00:00Z')).toBeNull();
    const fresh = { date: 'Sat, 21 Nov 2026 12:01:00 GMT' };
    expect(await skewAfter([fresh, cached], '2026-11-21T12:00:00Z')).toBe(60);
  },
);

test('the date of a response that a cache has just fetched, of age 0, sets the skew', async () => {
  const fetched = { date: 'Sat, 21 Nov 2026 12:01:00 GMT', age: '0' };
  expect(await skewAfter([fetched], '2026-11-21T12:00:00Z')).toBe(60);
});

test('a response that took twenty seconds is dated by its provider at the middle of them', async () => {
  let nowMs = Date.parse('2026-11-21T12:00:00Z');
  const clock = createProviderClock();
  const exchange = exchangeWith(
    () => {
      nowMs += 20_000;
      return Promise.resolve(new Response('x', { headers: { date: 'Sat, 21 Nov 2026 12:00:10 GMT' } }));
    },
    { nowMs: () => nowMs },
    clock,
  );
  await exchange.fetch(`${origin}/`, {});
  expect(clock.skewSeconds()).toBe(0);
});

/** The skew after responses with these headers, all received at `now`. */
async function skewAfter(responses: readonly Record<string, string>[], now: string) {
  const clock = createProviderClock();
  let headers = {};
  const exchange = exchangeWith(
    () => Promise.resolve(new Response('x', { headers })),
    { nowMs: () => Date.parse(now) },
    clock,
  );
  for (headers of responses) await exchange.fetch(`${origin}/`, {});
  return clock.skewSeconds();
}

test.each([
  ['in a 429', 429, '60', 60_000],
  ['in a 503', 503, '60', 60_000],
  ['to a date', 429, 'Sat, 21 Nov 2026 12:02:00 GMT', 120_000],
  ['to a day (shortened to five minutes)', 429, '86400', 300_000],
])(
  'an endpoint that sets Retry-After %s is not contacted earlier',
  async (_title, status, retryAfter, waitMs) => {
    const clock = { nowMs: Date.parse('2026-11-21T12:00:00Z') };
    const headers = { 'retry-after': retryAfter, date: 'Sat, 21 Nov 2026 12:00:00 GMT' };
    const fetch = vi.fn<World['fetch']>(() => Promise.resolve(new Response('', { status, headers })));
    const exchange = exchangeWith(fetch, { nowMs: () => clock.nowMs });
    const ask = () => exchange.fetch(`${origin}/`, {}).catch((error: unknown) => error);
    await ask();
    const rejection = {
      code: 'provider-unreachable',
      detail: 'provider.example asked to be left alone for a while.',
    };
    expect(await ask()).toMatchObject(rejection);
    clock.nowMs += waitMs - 1;
    expect(await ask()).toMatchObject(rejection);
    expect(fetch).toHaveBeenCalledTimes(1);
    clock.nowMs += 1;
    await ask();
    expect(fetch).toHaveBeenCalledTimes(2);
  },
);

test('Retry-After delays only requests to the endpoint that sent it', async () => {
  const paths: string[] = [];
  const exchange = exchangeWith((url) => {
    paths.push(new URL(url).pathname);
    return Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '60' } }));
  });
  for (const path of ['/userinfo', '/token', '/userinfo?again', '/token']) {
    await exchange.fetch(`${origin}${path}`, {}).catch(() => undefined);
  }
  expect(paths).toEqual(['/userinfo', '/token']);
});

test('a request that cannot wait is sent in spite of Retry-After, and its good answer ends the wait', async () => {
  const statuses = [429, 200, 204];
  const exchange = exchangeWith(() =>
    Promise.resolve(
      new Response(null, { status: statuses.shift() ?? 500, headers: { 'retry-after': '60' } }),
    ),
  );
  await exchange.fetch(`${origin}/token`, {}).catch(() => undefined);
  await expect(exchange.fetchAtOnce(`${origin}/token`, {})).resolves.toMatchObject({ status: 200 });
  await expect(exchange.fetch(`${origin}/token`, {})).resolves.toMatchObject({ status: 204 });
});

test('Retry-After is ignored after the clock was set back', async () => {
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
])('a %i response with Retry-After %s does not delay the next request', async (status, retryAfter) => {
  const fetch = vi.fn<World['fetch']>(() =>
    Promise.resolve(new Response('', { status, headers: { 'retry-after': retryAfter } })),
  );
  const exchange = exchangeWith(fetch);
  for (let times = 0; times < 2; times += 1) await exchange.fetch(`${origin}/`, {}).catch(() => undefined);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a host without permission is named', async () => {
  const exchange = exchangeWith(() => Promise.reject(new TypeError('NetworkError')), {
    mayReach: (requested) => Promise.resolve(requested !== origin),
  });
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject({
    code: 'host-permission-missing',
    detail: 'provider.example',
  });
});
