import { expect, test, vi } from 'vitest';
import { maxBodyBytes, createExchange, type Environment, createProviderClock } from '../../src/oidc/http.ts';

const origin = 'https://provider.example';

const usual = {
  nowMs: Date.now,
  randomBytes: (length: number) => new Uint8Array(length),
  isOnline: () => true,
  mayReach: () => Promise.resolve(true),
};

const exchangeWith = (
  fetch: Environment['fetch'],
  world: Partial<Environment> = {},
  clock = createProviderClock(),
) => createExchange({ fetch, ...usual, ...world }, [origin], clock);

const answering = (response: Response, world?: Partial<Environment>) =>
  exchangeWith(() => Promise.resolve(response), world);

/** A fetch that never settles until its signal aborts it. */
const hanging: Environment['fetch'] = (_url, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

/** A response whose body stalls after one byte until its signal aborts it. */
const hangingBody: Environment['fetch'] = async (_url, { signal }) => {
  const start = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(new Uint8Array(1));
    signal?.addEventListener('abort', () => controller.error(signal.reason));
  };
  return new Response(new ReadableStream({ start }));
};

test('every request omits cookies, cache, referrer and redirects', async () => {
  const fetch = vi.fn<Environment['fetch']>(() => Promise.resolve(new Response('x')));
  await exchangeWith(fetch).fetch(`${origin}/`, {});
  const without = {
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  };
  expect(fetch.mock.lastCall?.[1]).toMatchObject({ method: 'GET', ...without });
});

const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
const withStatus = (status: number) => new Response(null, { status });

test.each<[string, Response, string, string]>([
  ['an opaque redirect', opaque, 'provider-misconfigured', 'redirects where it should answer.'],
  ['a 300', withStatus(300), 'provider-misconfigured', 'redirects where it should answer.'],
  ['a 399', withStatus(399), 'provider-misconfigured', 'redirects where it should answer.'],
  ['a 429', withStatus(429), 'provider-unreachable', 'answered with HTTP 429.'],
  ['a 500', withStatus(500), 'provider-unreachable', 'answered with HTTP 500.'],
])('%s is rejected', async (_title, response, code, said) => {
  const problem = { code, detail: `provider.example ${said}` };
  await expect(answering(response).fetch(`${origin}/`, {})).rejects.toMatchObject(problem);
});

test.each([
  ['is followed where the content security policy confines it', 'confined', ['manual', 'follow']],
  ['is left alone elsewhere, as in an extension with another policy', undefined, ['manual']],
] as const)('the redirect of a page %s', async (_what, redirects, asked) => {
  const fetch = vi.fn<Environment['fetch']>(() => Promise.resolve(withStatus(302)));
  expect(await exchangeWith(fetch, { redirects }).fetchPage(`${origin}/`)).toBeNull();
  expect(fetch.mock.calls.map(([, { redirect }]) => redirect)).toEqual(asked);
});

test('a page is asked for as JSON first, because a code is more certain than words', async () => {
  const fetch = vi.fn<Environment['fetch']>(() => Promise.resolve(new Response('x')));
  await exchangeWith(fetch).fetchPage(`${origin}/`);
  const accept = new Headers(fetch.mock.lastCall?.[1].headers).get('accept');
  expect(accept).toBe('application/json, text/html;q=0.9, */*;q=0.1');
});

test('a page beyond the configured hosts is none of the provider', async () => {
  const page = Object.defineProperty(new Response('x'), 'url', { value: 'https://elsewhere.example/' });
  expect(await answering(page).fetchPage(`${origin}/`)).toBeNull();
});

test('a response keeps its status and headers, and may have no body', async () => {
  const init = { status: 400, headers: { 'dpop-nonce': 'x' } };
  const response = await answering(new Response('no', init)).fetch(`${origin}/`, {});
  expect(response.status).toBe(400);
  expect(response.headers.get('dpop-nonce')).toBe('x');
  const without = answering(withStatus(204)).fetch(`${origin}/`, {});
  expect(await without).toMatchObject({ status: 204, body: null });
});

test.each([
  [4096, true],
  [4097, false],
])('a challenge of %i characters is kept: %s', async (length, isKept) => {
  const challenge = 'DPoP '.padEnd(length, 'x');
  const init = { status: 401, headers: { 'www-authenticate': challenge, 'dpop-nonce': 'n' } };
  const { headers } = await answering(new Response('', init)).fetch(`${origin}/`, {});
  expect(headers.get('www-authenticate')).toBe(isKept ? challenge : null);
  expect(headers.get('dpop-nonce')).toBe('n');
});

test('a host that is not configured is not contacted', async () => {
  const fetch = vi.fn<Environment['fetch']>();
  const refused = exchangeWith(fetch).fetch('https://elsewhere.example/', {});
  const problem = { code: 'host-permission-missing', detail: 'a host that is not in the configuration' };
  await expect(refused).rejects.toMatchObject(problem);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  ['headers never arrive', hanging],
  ['body never ends', hangingBody],
])('a provider whose %s times out', async (_title, fetch) => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), 0);
    return controller.signal;
  });
  const problem = { code: 'timed-out', detail: 'provider.example', cause: { name: 'TimeoutError' } };
  await expect(exchangeWith(fetch).fetch(`${origin}/`, {})).rejects.toMatchObject(problem);
  // A waiting worker lives for 30 s.
  expect(timeout.mock.calls).toEqual([[25_000]]);
});

test('a body of the maximum size is read completely', async () => {
  const response = await answering(new Response('x'.repeat(maxBodyBytes))).fetch(`${origin}/`, {});
  expect(await response.text()).toHaveLength(maxBodyBytes);
});

test('a body over the maximum size is rejected without reading it to the end', async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream({
    cancel: () => void (isCancelled = true),
    pull(controller) {
      sent += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  await expect(answering(new Response(endless)).fetch(`${origin}/`, {})).rejects.toMatchObject({
    code: 'response-rejected',
    detail: 'The answer of provider.example is larger than 262144 bytes.',
  });
  expect(sent).toBeLessThan(maxBodyBytes * 2);
  await expect.poll(() => isCancelled).toBe(true);
});

const mayReach = (requested: string) => Promise.resolve(requested !== origin);

test.each<[string, Partial<Environment>, string, string | null]>([
  ['is online', {}, 'provider-unreachable', 'provider.example did not answer.'],
  ['is offline', { isOnline: () => false }, 'offline', null],
  ['withholds the permission for the host', { mayReach }, 'host-permission-missing', 'provider.example'],
])('a request that fails while the browser %s says so', async (_title, world, code, detail) => {
  const failure = new TypeError('Failed to fetch');
  const exchange = exchangeWith(() => Promise.reject(failure), world);
  const problem = { code, detail, cause: failure };
  await expect(exchange.fetch(`${origin}/`, {})).rejects.toMatchObject(problem);
});

const noon = '2026-11-21T12:00:00Z';

test.each<[string, string | null, string, number | null]>([
  ['12:00:00', null, noon, 0],
  ['12:00:03', null, noon, 0],
  ['12:00:05', null, noon, 5],
  ['13:00:00', '0', noon, 3600],
  ['12:00:00', null, '2026-11-21T15:00:00Z', -10800],
  ['at noon', null, noon, null],
  // From a cache, from two of them, and from one that does not know the age.
  ['11:01:39', '3501', noon, null],
  ['11:01:39', '1', noon, null],
  ['11:01:39', '0, 30', noon, null],
  ['11:01:39', 'old', noon, null],
])(
  'a response dated %s, of the age %s, received at %s, shows a skew of %s s',
  async (time, age, now, skew) => {
    const headers = { date: `Sat, 21 Nov 2026 ${time} GMT`, ...(age !== null && { age }) };
    expect(await skewAfter([headers], now)).toBe(skew);
  },
);

test('a response without a date does not change the skew', async () => {
  const fetched = { date: 'Sat, 21 Nov 2026 12:01:00 GMT', age: '0' };
  expect(await skewAfter([fetched, {}])).toBe(60);
});

test('a response that took twenty seconds is dated by its provider at the middle of them', async () => {
  let nowMs = Date.parse('2026-11-21T12:00:00Z');
  const clock = createProviderClock();
  const fetch = async () => {
    nowMs += 20_000;
    return new Response('x', { headers: { date: 'Sat, 21 Nov 2026 12:00:10 GMT' } });
  };
  await exchangeWith(fetch, { nowMs: () => nowMs }, clock).fetch(`${origin}/`, {});
  expect(clock.skewSeconds()).toBe(0);
});

/** The skew after responses with these headers, all received at `now`. */
async function skewAfter(responses: readonly Record<string, string>[], now = noon) {
  const clock = createProviderClock();
  for (const headers of responses) {
    const world = { nowMs: () => Date.parse(now) };
    await exchangeWith(async () => new Response('x', { headers }), world, clock).fetch(`${origin}/`, {});
  }
  return clock.skewSeconds();
}

/** An endpoint that asks to be left alone, and a request to it. */
function busy(status: number, retryAfter: string, clock: { nowMs: number }) {
  const headers = { 'retry-after': retryAfter, date: 'Sat, 21 Nov 2026 12:00:00 GMT' };
  const fetch = vi.fn<Environment['fetch']>(() => Promise.resolve(new Response('', { status, headers })));
  const exchange = exchangeWith(fetch, { nowMs: () => clock.nowMs });
  return { fetch, ask: () => exchange.fetch(`${origin}/`, {}).catch((error: unknown) => error) };
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
    const { fetch, ask } = busy(status, retryAfter, clock);
    const detail = 'provider.example asked to be left alone for a while.';
    await ask();
    for (const passedMs of [0, waitMs - 1]) {
      clock.nowMs += passedMs;
      expect(await ask()).toMatchObject({ code: 'provider-unreachable', detail });
    }
    expect(fetch).toHaveBeenCalledTimes(1);
    clock.nowMs += 1;
    await ask();
    expect(fetch).toHaveBeenCalledTimes(2);
  },
);

const wait = { 'retry-after': '60' };

test('Retry-After delays only requests to the endpoint that sent it', async () => {
  const fetch = vi.fn<Environment['fetch']>(async () => new Response('', { status: 429, headers: wait }));
  const exchange = exchangeWith(fetch);
  for (const path of ['/userinfo', '/token', '/userinfo?again', '/token']) {
    await exchange.fetch(`${origin}${path}`, {}).catch(() => undefined);
  }
  expect(fetch.mock.calls.map(([url]) => new URL(url).pathname)).toEqual(['/userinfo', '/token']);
});

test('a request that cannot wait is sent in spite of Retry-After, and its good answer ends the wait', async () => {
  const statuses = [429, 200, 204];
  const exchange = exchangeWith(async () => new Response(null, { status: statuses.shift()!, headers: wait }));
  await exchange.fetch(`${origin}/token`, {}).catch(() => undefined);
  await expect(exchange.fetchAtOnce(`${origin}/token`, {})).resolves.toMatchObject({ status: 200 });
  await expect(exchange.fetch(`${origin}/token`, {})).resolves.toMatchObject({ status: 204 });
});

test.each([
  [200, '60', 0],
  [429, 'soon', 0],
  [429, '-5', 0],
  [429, 'Sat, 21 Nov 2026 12:00:00 GMT', 0],
  // The clock was set back in between.
  [429, '60', -3_600_000],
])('a %i response with Retry-After %s does not delay the next request %i ms later', async (...given) => {
  const [status, retryAfter, laterMs] = given;
  const clock = { nowMs: Date.now() };
  const { fetch, ask } = busy(status, retryAfter, clock);
  await ask();
  clock.nowMs += laterMs;
  await ask();
  expect(fetch).toHaveBeenCalledTimes(2);
});
