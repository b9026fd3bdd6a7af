import { expect, test, vi } from 'vitest';
import { diagnose } from '../../src/oidc/diagnose.ts';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import {
  createScriptedProvider,
  issuer,
  provider as scripted,
  redirectUri,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const discovery = '/.well-known/openid-configuration';
const html = (text: string, status = 400) =>
  new Response(`<!doctype html><html><body>${text}</body></html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  });
const status = (code: number) => new Response('', { status: code });
const silence = () => Promise.reject(new TypeError('Failed to fetch'));
const never = () => Promise.race<Response>([]);
const error = (body: object) => Response.json(body, { status: 400 });

/** Looks around after the metadata has been read, with the provider as `change` makes it from then on. */
async function look(change: Script, script: Script = {}) {
  const provider = createScriptedProvider(Object.assign(script, { isOnline: change.isOnline }));
  const { client } = provider;
  const used = await discover(client);
  const before = provider.paths().length;
  Object.assign(script, change);
  const refresh = async () => {
    const metadata = await discover(client);
    await requestKeys(client, metadata);
    return metadata;
  };
  const found = await diagnose(client, used, redirectUri, refresh);
  return { found, asked: provider.requests.slice(before) };
}

const answering = (answer: Answer): Script => ({ answers: { '/authorize': answer } });
const misconfigured = (cause: string, certainty: string, register: string | null = null) => ({
  code: 'provider-misconfigured',
  diagnosis: { cause, certainty, register },
});
const unreachable = (cause: string, certainty: string) => ({
  code: 'provider-unreachable',
  diagnosis: { cause, certainty, register: null },
});
const uriKnown = misconfigured('redirect-uri', 'known', redirectUri);
const uriGuessed = misconfigured('redirect-uri', 'guess', redirectUri);
const clientKnown = misconfigured('client', 'known', 'client');
const clientGuessed = misconfigured('client', 'guess', 'client');

/** Goes to a page of the provider's own, as some do with an error. */
const redirecting =
  (page: Answer): Answer =>
  (init: RequestInit) =>
    init.redirect === 'follow' ? (page as Response) : new Response(null, { status: 302 });

const evidence: [string, Script, object | null][] = [
  ['nothing: the endpoint redirects to us', {}, null],
  ['nothing: the endpoint shows its page', answering(html('Sign in', 200)), null],
  ['nothing: its page is too large to be read', answering(new Response('x'.repeat(300_000))), null],
  ['this device is offline', { isOnline: () => false }, { code: 'offline', diagnosis: null }],
  [
    'the provider is silent',
    { answers: { [discovery]: silence, '/authorize': silence } },
    unreachable('network', 'guess'),
  ],
  [
    'discovery fails',
    { answers: { [discovery]: status(503), '/authorize': status(503) } },
    unreachable('network', 'guess'),
  ],
  [
    'a portal answers everything',
    {
      answers: {
        [discovery]: html('Accept our terms', 200),
        '/authorize': html('Accept our terms', 200),
        '/keys': html('', 200),
      },
    },
    unreachable('network', 'guess'),
  ],
  [
    'discovery is of another issuer',
    { metadata: { issuer: 'https://moved.example' } },
    { code: 'provider-misconfigured', diagnosis: null },
  ],
  ['the endpoint alone is silent', answering(silence), unreachable('page-down', 'guess')],
  ['the endpoint answers 500', answering(status(500)), unreachable('page-down', 'known')],
  [
    'the endpoint answers 503 with a page',
    answering(html('redirect_uri', 503)),
    unreachable('page-down', 'known'),
  ],
  ['the endpoint is asked too often', answering(status(429)), unreachable('page-down', 'known')],
  ['there is nothing at the endpoint', answering(status(404)), misconfigured('page-missing', 'known')],
  [
    'there is nothing at the endpoint any more',
    answering(status(410)),
    misconfigured('page-missing', 'known'),
  ],
  [
    'the endpoint has moved',
    { metadata: { authorization_endpoint: `${issuer}/authorize/v2` }, ...answering(status(404)) },
    null,
  ],
  ['a code for the redirect URI, as data', answering(error({ error: 'invalid_redirect_uri' })), uriKnown],
  [
    'a description of the redirect URI, as data',
    answering(error({ error: 'invalid_request', error_description: 'Invalid parameter: redirect_uri' })),
    uriKnown,
  ],
  ['a code for the client, as data', answering(error({ error: 'unauthorized_client' })), clientKnown],
  [
    'a description of the client, as data',
    answering(
      error({ error: 'invalid_request', error_description: "Invalid value for 'client_id' parameter." }),
    ),
    clientKnown,
  ],
  ['another code, as data', answering(error({ error: 'invalid_scope' })), misconfigured('request', 'known')],
  ['data that is no error', answering(error({ message: 'no' })), uriGuessed],
  ['a code for something else, as data', answering(error({ error: 'login_required' })), null],
  ['a code for the redirect URI, on a page', answering(html('Error 400: redirect_uri_mismatch')), uriKnown],
  ['a code for the client, on a page', answering(html('<p>invalid_client</p>')), clientKnown],
  ['words for the redirect URI', answering(html('<h1>Callback URL mismatch.</h1>', 403)), uriGuessed],
  ['words for the client', answering(html('We are sorry... <p>Client not found.</p>')), clientGuessed],
  [
    'words for the request',
    answering(html('The request is an invalid_request')),
    misconfigured('request', 'guess'),
  ],
  ['a 400 without a word on it', answering(status(400)), uriGuessed],
  ['a 403 without a word on it', answering(status(403)), misconfigured('request', 'guess')],
  [
    'a page that names parameters where nobody reads them',
    answering(html(`<a href="?redirect_uri=x">Deutsch</a><script>let client_id;</script>Forbidden`, 403)),
    misconfigured('request', 'guess'),
  ],
  ['an error page elsewhere at the provider', answering(redirecting(html('invalid_redirect_uri'))), uriKnown],
  [
    'a pushed request that is refused',
    {
      answers: {
        '/par': error({ error: 'invalid_request', error_description: 'redirect_uri is not registered' }),
      },
    },
    uriKnown,
  ],
];

const pushed: Script = {
  metadata: {
    pushed_authorization_request_endpoint: `${issuer}/par`,
    require_pushed_authorization_requests: true,
  },
};

test.each(evidence)('%s', async (_title, change, expected) => {
  const script = 'answers' in change && change.answers && '/par' in change.answers ? pushed : {};
  const { found } = await look(change, { ...script });
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test('an address with the error in it tells which', async () => {
  const page = html('Something went wrong');
  Object.defineProperty(page, 'url', { value: `${issuer}/error?error=redirect_mismatch&client_id=client` });
  const fetchedFrom = createScriptedProvider();
  const { client } = fetchedFrom;
  const used = await discover(client);
  const world = {
    ...client.world,
    fetch: (url: string, init: RequestInit) => {
      if (!url.includes('/authorize')) return client.world.fetch(url, init);
      return Promise.resolve(init.redirect === 'follow' ? page : new Response(null, { status: 302 }));
    },
  };
  const found = await diagnose(createProviderClient(world, scripted), used, redirectUri, () =>
    Promise.resolve(used),
  );
  expect(found).toMatchObject(uriKnown);
});

test('what is asked with is a fresh request that shows nothing, without cookies', async () => {
  const { asked } = await look({});
  const requests = asked.filter(({ path }) => path === '/authorize');
  expect(requests.length).toBeGreaterThan(0);
  for (const { init, url } of requests) {
    expect(init.credentials).toBe('omit');
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      prompt: 'none',
      client_id: 'client',
      redirect_uri: redirectUri,
    });
  }
});

test('a pushed request is pushed anew', async () => {
  const { asked } = await look({}, { ...pushed });
  expect(asked.map(({ path }) => path)).toContain('/par');
});

test('an endpoint on a host that is not ours is not asked', async () => {
  const metadata = { authorization_endpoint: 'https://elsewhere.example/authorize' };
  const { found, asked } = await look({}, { metadata });
  expect(found).toBeNull();
  expect(asked.map(({ path }) => path)).not.toContain('/authorize');
});

test('nobody waits longer than five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const looking = look({ answers: { [discovery]: never, '/authorize': never } });
    await vi.advanceTimersByTimeAsync(0);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2), { interval: 1 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await looking).found).toMatchObject(unreachable('network', 'guess'));
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['an unregistered redirect URI', 'https://other.chromiumapp.org/demo', 'latchkey-demo', 'redirect-uri'],
  ['an unknown client', redirectUri, 'nobody', 'client'],
])('%s at a real provider is known for what it is', async (_title, uri, clientId, cause) => {
  const demo = await startDemoProvider({ redirectUris: [redirectUri] });
  try {
    const { world } = createScriptedProvider().client;
    const client = createProviderClient({ ...world, fetch }, { ...scripted, issuer: demo.issuer, clientId });
    const used = await discover(client);
    const found = await diagnose(client, used, uri, () => discover(client));
    const register = cause === 'client' ? clientId : uri;
    expect(found).toMatchObject(misconfigured(cause, 'known', register));
  } finally {
    await demo.close();
  }
});
