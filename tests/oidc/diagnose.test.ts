import { describe, expect, test, vi } from 'vitest';
import { diagnose } from '../../src/oidc/diagnose.ts';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import { startBetterAuthServer } from '../support/better-auth-server.ts';
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
const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'));
const never = () => Promise.race<Response>([]);
const error = (body: object) => Response.json(body, { status: 400 });

/** Runs a diagnosis after discovery, with the provider changed by `change` in between. */
async function runDiagnosis(change: Script, script: Script = {}) {
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
  const problem = await diagnose(client, used, redirectUri, refresh);
  return { problem, requests: provider.requests.slice(before) };
}

const responding = (answer: Answer): Script => ({ answers: { '/authorize': answer } });
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
/** With what a developer can do besides registering the client. */
const remedy = 'register this client ID, or correct "clientId" in the configuration; sign-in page: HTTP 400';
const clientKnown = { ...misconfigured('client', 'known', 'client'), detail: remedy };
const clientGuessed = { ...misconfigured('client', 'guess', 'client'), detail: remedy };

/** Redirects to a page of the provider, as some do with an error. */
const redirecting =
  (page: Answer): Answer =>
  (init: RequestInit) =>
    init.redirect === 'follow' ? (page as Response) : new Response(null, { status: 302 });

const evidence: [string, Script, object | null][] = [
  ['an endpoint that redirects back', {}, null],
  ['an endpoint that shows its page', responding(html('Sign in', 200)), null],
  ['an endpoint whose page is too large', responding(new Response('x'.repeat(300_000))), null],
  ['an offline device', { isOnline: () => false }, { code: 'offline', diagnosis: null }],
  [
    'an unreachable provider',
    { answers: { [discovery]: noAnswer, '/authorize': noAnswer } },
    unreachable('network', 'guess'),
  ],
  [
    'a provider whose discovery fails too',
    { answers: { [discovery]: status(503), '/authorize': status(503) } },
    unreachable('network', 'guess'),
  ],
  [
    'a captive portal',
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
    'a discovery document of another issuer',
    { metadata: { issuer: 'https://moved.example' } },
    { code: 'provider-misconfigured', diagnosis: null },
  ],
  ['an endpoint that does not respond', responding(noAnswer), unreachable('page-down', 'guess')],
  ['an endpoint that responds with 500', responding(status(500)), unreachable('page-down', 'known')],
  [
    'an endpoint that responds with 503 and a page',
    responding(html('redirect_uri', 503)),
    unreachable('page-down', 'known'),
  ],
  ['an endpoint that responds with 429', responding(status(429)), unreachable('page-down', 'known')],
  ['an endpoint that responds with 404', responding(status(404)), misconfigured('page-missing', 'known')],
  ['an endpoint that responds with 410', responding(status(410)), misconfigured('page-missing', 'known')],
  [
    'an endpoint that has moved',
    { metadata: { authorization_endpoint: `${issuer}/authorize/v2` }, ...responding(status(404)) },
    null,
  ],
  [
    'JSON with an error code for the redirect URI',
    responding(error({ error: 'invalid_redirect_uri' })),
    uriKnown,
  ],
  [
    'JSON with a description of the redirect URI',
    responding(error({ error: 'invalid_request', error_description: 'Invalid parameter: redirect_uri' })),
    uriKnown,
  ],
  [
    'JSON with an error code for the client',
    responding(error({ error: 'unauthorized_client' })),
    clientKnown,
  ],
  [
    'JSON with an error code for the redirect URI, whatever its status',
    responding(Response.json({ error: 'invalid_redirect_uri' }, { status: 500 })),
    uriKnown,
  ],
  [
    'JSON with a description of the client',
    responding(
      error({ error: 'invalid_request', error_description: "Invalid value for 'client_id' parameter." }),
    ),
    clientKnown,
  ],
  [
    'JSON with another error code',
    responding(error({ error: 'invalid_scope' })),
    misconfigured('request', 'known'),
  ],
  ['JSON without an error code', responding(error({ message: 'no' })), uriGuessed],
  [
    'JSON with an error code that is not about the request',
    responding(error({ error: 'login_required' })),
    null,
  ],
  [
    'a page with an error code for the redirect URI',
    responding(html('Error 400: redirect_uri_mismatch')),
    uriKnown,
  ],
  ['a page with an error code for the client', responding(html('<p>invalid_client</p>')), clientKnown],
  [
    'a page with words about the redirect URI',
    responding(html('<h1>Callback URL mismatch.</h1>', 403)),
    uriGuessed,
  ],
  [
    'a page with words about the client',
    responding(html('We are sorry... <p>Client not found.</p>')),
    clientGuessed,
  ],
  [
    'a page with words about the request',
    responding(html('The request is an invalid_request')),
    misconfigured('request', 'guess'),
  ],
  [
    'JSON that describes a redirect to an error page',
    responding(Response.json({ redirect: true, url: `${issuer}/error?error=invalid_redirect` })),
    uriKnown,
  ],
  [
    'an error page of Entra, which has the code in a script',
    responding(html('<script>{"message":"AADSTS50011: The redirect URI does not match"}</script>', 200)),
    uriKnown,
  ],
  ['a page for signing in that comes with 401', responding(html('Sign in', 401)), null],
  ['an empty 400', responding(status(400)), uriGuessed],
  ['an empty 403', responding(status(403)), misconfigured('request', 'guess')],
  [
    'a page that names parameters only in links and scripts',
    responding(html(`<a href="?redirect_uri=x">Deutsch</a><script>let client_id;</script>Forbidden`, 403)),
    misconfigured('request', 'guess'),
  ],
  ['an error page behind a redirect', responding(redirecting(html('invalid_redirect_uri'))), uriKnown],
  [
    'a rejected pushed request',
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

describe('diagnose', () => {
  test.each(evidence)('diagnoses %s', async (_title, change, expected) => {
    const script = 'answers' in change && change.answers && '/par' in change.answers ? pushed : {};
    const { problem } = await runDiagnosis(change, { ...script });
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatchObject(expected);
  });

  test('reads the error code from the URL of the error page', async () => {
    const page = html('Something went wrong');
    Object.defineProperty(page, 'url', { value: `${issuer}/error?error=redirect_mismatch&client_id=client` });
    const { client } = createScriptedProvider();
    const used = await discover(client);
    const world = {
      ...client.world,
      fetch: (url: string, init: RequestInit) => {
        if (!url.includes('/authorize')) return client.world.fetch(url, init);
        return Promise.resolve(init.redirect === 'follow' ? page : new Response(null, { status: 302 }));
      },
    };
    const problem = await diagnose(createProviderClient(world, scripted), used, redirectUri, () =>
      Promise.resolve(used),
    );
    expect(problem).toMatchObject(uriKnown);
  });

  test('sends a fresh request with prompt=none and without cookies', async () => {
    const { requests } = await runDiagnosis({});
    const probes = requests.filter(({ path }) => path === '/authorize');
    expect(probes.length).toBeGreaterThan(0);
    for (const { init, url } of probes) {
      expect(init.credentials).toBe('omit');
      const { searchParams } = new URL(url);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        prompt: 'none',
        client_id: 'client',
        redirect_uri: redirectUri,
      });
    }
  });

  test('pushes a new request if pushing is required', async () => {
    const { requests } = await runDiagnosis({}, { ...pushed });
    expect(requests.map(({ path }) => path)).toContain('/par');
  });

  test('does not contact an endpoint on a host that is not configured', async () => {
    const metadata = { authorization_endpoint: 'https://elsewhere.example/authorize' };
    const { problem, requests } = await runDiagnosis({}, { metadata });
    expect(problem).toBeNull();
    expect(requests.map(({ path }) => path)).not.toContain('/authorize');
  });

  test('gives up after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const running = runDiagnosis({ answers: { [discovery]: never, '/authorize': never } });
      await vi.advanceTimersByTimeAsync(0);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2), { interval: 1 });
      await vi.advanceTimersByTimeAsync(5_000);
      expect((await running).problem).toMatchObject(unreachable('network', 'guess'));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  describe.each([
    ['the demo provider', startDemoProvider, 'latchkey-demo'],
    // To a script, it describes its redirects as data.
    ['Better Auth', startBetterAuthServer, 'latchkey'],
  ])('at a real provider, %s,', (_name, start, ownId) => {
    test.each([
      ['an unregistered redirect URI', 'https://other.chromiumapp.org/demo', ownId, 'redirect-uri'],
      ['an unknown client', redirectUri, 'nobody', 'client'],
    ])('recognizes %s', async (_title, uri, clientId, cause) => {
      const server = await start({ redirectUris: [redirectUri] });
      try {
        const { world } = createScriptedProvider().client;
        const client = createProviderClient(
          { ...world, fetch },
          { ...scripted, issuer: server.issuer, clientId },
        );
        const used = await discover(client);
        const problem = await diagnose(client, used, uri, () => discover(client));
        const register = cause === 'client' ? clientId : uri;
        expect(problem).toMatchObject(misconfigured(cause, 'known', register));
      } finally {
        await server.close();
      }
    });
  });
});
