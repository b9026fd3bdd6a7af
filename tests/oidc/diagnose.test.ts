import { describe, expect, test, vi } from 'vitest';
import { readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { diagnose, withDiagnosis } from '../../src/oidc/why.ts';
import { discover } from '../support/discover.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { createProviderClient } from '../../src/oidc/http.ts';
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
  new Response(`<html><body>${text}</body></html>`, { status, headers: { 'content-type': 'text/html' } });
const onlyHidden = '<a href="?redirect_uri=x">Deutsch</a><script>let client_id;</script>Forbidden';
const status = (code: number) => new Response('', { status: code });
const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'));
const never = () => Promise.race<Response>([]);
const error = (name: string, description = '', code = 400) =>
  Response.json({ error: name, error_description: description }, { status: code });

/** Runs a diagnosis after discovery, with the provider changed by `change` in between. */
async function runDiagnosis(change: Script, script: Script = {}) {
  const provider = createScriptedProvider(Object.assign(script, { isOnline: change.isOnline }));
  const { client } = provider;
  const used = await discover(client);
  const before = provider.paths().length;
  Object.assign(script, change);
  const problem = await diagnose(client, used, redirectUri, () => discover(client));
  return { problem, requests: provider.requests.slice(before) };
}

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

const networkGuessed = unreachable('network', 'guess');
const pageDown = unreachable('page-down', 'known');
const pageMissing = misconfigured('page-missing', 'known');
const pageHidden = { ...misconfigured('page-hidden', 'guess'), detail: 'sign-in page: HTTP 401' };
const requestGuessed = misconfigured('request', 'guess');
const refusal = error('invalid_redirect_uri');
const terms = html('Accept our terms', 200);
const portal: Script = { answers: { [discovery]: terms, '/authorize': terms } };
const refusing: Script = { answers: { [discovery]: noAnswer, '/authorize': refusal } };
const failing: Script = { answers: { [discovery]: status(503), '/authorize': status(503) } };
const moved = { authorization_endpoint: `${issuer}/authorize/v2` };
const par = { pushed_authorization_request_endpoint: `${issuer}/par` };
const pushing: Script = { metadata: { ...par, require_pushed_authorization_requests: true } };
const notRegistered = error('invalid_request', 'redirect_uri is not registered');

/** A diagnosis after a change of the provider. */
const others: [string, Script, object | null, Script?][] = [
  ['an endpoint that redirects back', {}, null],
  ['an offline device', { isOnline: () => false }, { code: 'offline', diagnosis: null }],
  ['an unreachable provider', { answers: { [discovery]: noAnswer, '/authorize': noAnswer } }, networkGuessed],
  ['a provider whose discovery fails too', failing, networkGuessed],
  ['a captive portal', portal, networkGuessed],
  [
    'a document of another issuer',
    { metadata: { issuer: 'https://moved.example' } },
    { code: 'provider-misconfigured', diagnosis: null },
  ],
  ['a refusal while discovery fails', refusing, uriKnown],
  ['an endpoint that has moved', { metadata: moved, answers: { '/authorize': status(404) } }, null],
  ['a pushed request that is rejected', { answers: { '/par': notRegistered } }, uriKnown, pushing],
];

const errorUrl = (code: string) => `${issuer}/error?error=${code}&client_id=client`;

/** The answers of the authorization endpoint. */
const answers: [string, Answer, object | null][] = [
  ['an endpoint that shows its page', html('Sign in', 200), null],
  ['such a page with the words of an error', html('Unknown client? Check its redirect URI.', 200), null],
  ['an endpoint whose page is too large', new Response('x'.repeat(300_000)), null],
  ['an endpoint that does not respond', noAnswer, unreachable('page-down', 'guess')],
  ['an endpoint that responds with 500', status(500), pageDown],
  ['an endpoint that responds with 503 and a page', html('redirect_uri', 503), pageDown],
  ['an endpoint that responds with 429', status(429), pageDown],
  ['an endpoint that responds with 404', status(404), pageMissing],
  ['an endpoint that responds with 410', status(410), pageMissing],
  ['JSON with an error code for the redirect URI', error('invalid_redirect_uri'), uriKnown],
  ['JSON with a description of the redirect URI', error('invalid_request', 'redirect_uri'), uriKnown],
  ['JSON with an error code for the client', error('unauthorized_client'), clientKnown],
  ['JSON with an error code, whatever its status', error('invalid_redirect_uri', '', 500), uriKnown],
  ['JSON with a description of the client', error('invalid_request', "Invalid 'client_id'."), clientKnown],
  ['JSON with another error code', error('invalid_scope'), misconfigured('request', 'known')],
  ['JSON without an error code', Response.json({ message: 'no' }, { status: 400 }), uriGuessed],
  ['JSON with an error code that is not about the request', error('login_required', 'client_id'), null],
  ['a page with an error code for the redirect URI', html('400: redirect_uri_mismatch'), uriKnown],
  ['a page with an error code for the client', html('<p>invalid_client</p>'), clientKnown],
  ['a page with words about the redirect URI', html('<h1>Callback URL mismatch.</h1>', 403), uriGuessed],
  ['a page with words about the client', html('Sorry... <p>Client not found.</p>'), clientGuessed],
  ['a page with words about the request', html('The request is an invalid_request'), requestGuessed],
  ['JSON with the URL of an error page', Response.json({ url: errorUrl('invalid_redirect') }), uriKnown],
  ['an error page of Entra, its code in a script', html('<script>"AADSTS50011: x"</script>', 200), uriKnown],
  ['a page for signing in that comes with 401', html('Sign in', 401), pageHidden],
  ['JSON with 401 and an error of its own', error('not authenticated', '', 401), pageHidden],
  ['JSON with 401 and a message', Response.json({ error: 'x', message: 'y' }, { status: 401 }), pageHidden],
  ['an empty 400', status(400), uriGuessed],
  ['an empty 403', status(403), requestGuessed],
  ['a page that names parameters only in links and scripts', html(onlyHidden, 403), requestGuessed],
  ['an error page behind a redirect', redirecting(html('invalid_redirect_uri')), uriKnown],
];

describe('diagnose', () => {
  test.each(others)('diagnoses %s', async (_title, change, expected, script = {}) => {
    const { problem } = await runDiagnosis(change, { ...script });
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatchObject(expected);
  });

  test.each(answers)('diagnoses %s', async (_title, answer, expected) => {
    const { problem } = await runDiagnosis({ answers: { '/authorize': answer } });
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatchObject(expected);
  });

  test('reads the error code from the URL of the error page', async () => {
    const { client } = createScriptedProvider({ answers: { '/authorize': redirecting(html('Sorry')) } });
    const used = await discover(client);
    const fetch = async (url: string, init: RequestInit) => {
      const response = await client.world.fetch(url, init);
      if (init.redirect !== 'follow') return response;
      return Object.defineProperty(response, 'url', { value: errorUrl('redirect_mismatch') });
    };
    const redirected = createProviderClient({ ...client.world, fetch }, scripted);
    expect(await diagnose(redirected, used, redirectUri, async () => used)).toMatchObject(uriKnown);
  });

  test('sends a fresh request with prompt=none and without cookies', async () => {
    const { requests } = await runDiagnosis({});
    const probes = requests.filter(({ path }) => path === '/authorize');
    expect(probes.length).toBeGreaterThan(0);
    const sent = { prompt: 'none', client_id: 'client', redirect_uri: redirectUri };
    for (const { init, url } of probes) {
      expect(init.credentials).toBe('omit');
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject(sent);
    }
  });

  test('does not contact an endpoint on a host that is not configured', async () => {
    const metadata = { authorization_endpoint: 'https://elsewhere.example/authorize' };
    const { problem, requests } = await runDiagnosis({}, { metadata });
    expect(problem).toBeNull();
    expect(requests.map(({ path }) => path)).not.toContain('/authorize');
  });

  test('gives up after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = runDiagnosis({ answers: { [discovery]: never, '/authorize': never } });
    await vi.advanceTimersByTimeAsync(0);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2), { interval: 1 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await running).problem).toMatchObject(unreachable('network', 'guess'));
    expect(vi.getTimerCount()).toBe(0);
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
        const provider = { ...scripted, issuer: server.issuer, clientId };
        const client = createProviderClient({ ...world, fetch }, provider);
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

test('an unforeseen error of a probe is no diagnosis', async () => {
  const { client } = createScriptedProvider();
  const unforeseen = new RangeError('x');
  const refresh = () => Promise.reject(unforeseen);
  await expect(diagnose(client, await discover(client), redirectUri, refresh)).rejects.toBe(unforeseen);
});

test('an error at the redirect URI shows that the provider knows that and the client, whatever it says', async () => {
  const { client, authorize, decline } = createScriptedProvider();
  const { request } = await authorize();
  const url = decline(request.url, 'unauthorized_client');
  const metadata = await discover(client);
  const read = () => readAuthorizationResponse(client, metadata, request, url);
  const refused = withDiagnosis({ redirectUri, clientId: 'client' }, read);
  await expect(refused).rejects.toMatchObject(misconfigured('request', 'known'));
});
