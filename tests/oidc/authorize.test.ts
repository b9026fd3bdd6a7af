import { describe, expect, test } from 'vitest';
import { createAuthorizationRequest, readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { discover } from '../../src/oidc/discover.ts';
import { isInteractionRequired } from '../../src/oidc/rejection.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { createScriptedProvider, issuer, redirectUri, type Script } from '../support/scripted-provider.ts';

async function requestUrl(script: Script = {}, options = {}) {
  const { client } = createScriptedProvider(script);
  const request = await createAuthorizationRequest(client, await discover(client), redirectUri, options);
  return new URL(request.url);
}

test('an authorization request uses the code flow with PKCE S256, state and nonce', async () => {
  const url = await requestUrl();
  expect(url.origin + url.pathname).toBe(`${issuer}/authorize`);
  const parameters = Object.fromEntries(url.searchParams);
  expect(parameters).toEqual({
    client_id: 'client',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

test('the code challenge is the SHA-256 hash of the code verifier', async () => {
  const { client } = createScriptedProvider();
  const request = await createAuthorizationRequest(client, await discover(client), redirectUri);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(request.codeVerifier));
  expect(new URL(request.url).searchParams.get('code_challenge')).toBe(
    Buffer.from(digest).toString('base64url'),
  );
});

test('every authorization request has its own code verifier, state and nonce', async () => {
  const { client } = createScriptedProvider();
  const metadata = await discover(client);
  const secrets = new Set<string>();
  for (let count = 0; count < 1000; count += 1) {
    const { codeVerifier, state, nonce } = await createAuthorizationRequest(client, metadata, redirectUri);
    for (const secret of [codeVerifier, state, nonce]) secrets.add(secret);
  }
  expect(secrets.size).toBe(3000);
});

test('an authorization request has PKCE, state and nonce even if the provider does not advertise PKCE', async () => {
  const url = await requestUrl({ metadata: { code_challenge_methods_supported: undefined } });
  expect([...url.searchParams.keys()]).toEqual(expect.arrayContaining(['code_challenge', 'state', 'nonce']));
});

test('an authorization request contains the configured parameters, which cannot replace protocol parameters', async () => {
  const url = await requestUrl({
    provider: {
      authorizationParameters: { acr_values: 'high', state: 'mine' },
      resource: 'https://api.example',
      audience: 'api',
    },
  });
  expect(url.searchParams.get('acr_values')).toBe('high');
  expect(url.searchParams.get('resource')).toBe('https://api.example');
  expect(url.searchParams.get('audience')).toBe('api');
  expect(url.searchParams.getAll('state')).not.toContain('mine');
});

test('an additional scope is appended to the configured scope without duplicates', async () => {
  const url = await requestUrl({}, { additional: { own: 'notes.read email notes.write' } });
  expect(url.searchParams.get('scope')).toBe('openid profile email offline_access notes.read notes.write');
});

test('the prompt and the login hint are sent to the provider', async () => {
  const url = await requestUrl({}, { prompt: 'select_account', loginHint: 'ada@example.com' });
  expect(url.searchParams.get('prompt')).toBe('select_account');
  expect(url.searchParams.get('login_hint')).toBe('ada@example.com');
});

describe('the hint of an ID token', () => {
  const [short, long] = ['i'.repeat(2_000), 'i'.repeat(2_001)];
  const script: Script = {
    provider: { par: 'always' },
    metadata: { pushed_authorization_request_endpoint: `${issuer}/par` },
  };

  test('is in the URL, unless that would get too long', async () => {
    const hints = [short, long].map(async (idTokenHint) => {
      const url = await requestUrl({}, { prompt: 'none', idTokenHint });
      return url.searchParams.get('id_token_hint');
    });
    expect(await Promise.all(hints)).toEqual([short, null]);
  });

  test('of any length is pushed', async () => {
    const { client, requests } = createScriptedProvider(script);
    const request = await createAuthorizationRequest(client, await discover(client), redirectUri, {
      idTokenHint: long,
    });
    expect(requests.at(-1)?.parameters.get('id_token_hint')).toBe(long);
    expect(request.url).not.toContain('id_token_hint');
  });

  test('that is long is not in the URL either if it cannot be pushed', async () => {
    const url = await requestUrl(
      { ...script, answers: { '/par': new Response('', { status: 500 }) } },
      { idTokenHint: long, loginHint: 'ada@example.com' },
    );
    expect(url.searchParams.get('login_hint')).toBe('ada@example.com');
    expect(url.searchParams.has('id_token_hint')).toBe(false);
  });
});

test.each([
  ['the configured prompt', { signInPrompt: 'consent' }, {}, 'consent'],
  [
    'the configured prompt also for a known person',
    { signInPrompt: 'consent' },
    { loginHint: 'ada' },
    'consent',
  ],
  ['no prompt', {}, {}, null],
  ['none silently', { signInPrompt: 'consent', otherAccountPrompt: 'login' }, { prompt: 'none' }, 'none'],
  [
    'the configured prompt for another account',
    { otherAccountPrompt: 'login' },
    { prompt: 'select_account' },
    'login',
  ],
  [
    'both prompts for another account',
    { signInPrompt: 'consent select_account' },
    { prompt: 'select_account' },
    'select_account consent',
  ],
  ['no other prompt than the one for another account', { otherAccountPrompt: 'login' }, {}, null],
] as const)('an authorization request has %s', async (_title, provider, options, prompt) => {
  const url = await requestUrl({ provider }, options);
  expect(url.searchParams.get('prompt')).toBe(prompt);
});

async function read(change: NonNullable<Script['redirect']>, script: Script = {}) {
  const { client, authorize } = createScriptedProvider({ ...script, redirect: change });
  const { request, responseUrl } = await authorize();
  return readAuthorizationResponse(client, await discover(client), request, responseUrl);
}

test('a valid redirect is accepted, along with unknown parameters', async () => {
  const parameters = await read((url) => void url.searchParams.set('session_state', 'x'));
  expect(parameters.get('code')).toBe('code-1');
});

test.each<[string, NonNullable<Script['redirect']>]>([
  ['another host', (url) => url.href.replace('extension.', 'another.')],
  ['another host that begins like ours', (url) => url.href.replace('.org', '.org.evil.example')],
  ['http', (url) => url.href.replace('https:', 'http:')],
  ['a port', (url) => url.href.replace('.org/', '.org:8443/')],
  ['the default port spelled out', (url) => url.href.replace('.org/', '.org:443/')],
  ['a user name', (url) => url.href.replace('https://', 'https://ada@')],
  ['another path', (url) => url.href.replace('/scripted', '/another')],
  ['a longer path', (url) => url.href.replace('/scripted', '/scripted/more')],
  ['a trailing slash', (url) => url.href.replace('/scripted', '/scripted/')],
  ['dot segments in the path', (url) => url.href.replace('/scripted', '/x/../scripted')],
  ['an upper-case host', (url) => url.href.replace('extension.', 'EXTENSION.')],
  ['a code in the fragment', (url) => `${url.href}#code=code-2`],
  ['an error in the fragment', (url) => `${url.href}#error=access_denied`],
  ['a state in the fragment', (url) => `${url.href}#STATE=x`],
  ['a token in the fragment', (url) => `${url.href}#id_token=x`],
  ['a signed response in the fragment', (url) => `${url.href}#/?response=x`],
  ['an unknown parameter in the fragment', (url) => `${url.href}#x=`],
  ['a percent-encoded parameter in the fragment', (url) => `${url.href}#code%3Dx`],
  ['a parameter behind two marks', (url) => `${url.href}#_=_#code=x`],
  ['more than the mark of Facebook', (url) => `${url.href}#_=_x`],
  ['all parameters in the fragment', (url) => url.href.replace('?', '#')],
  ['no redirect', () => 'about:blank'],
  ['no URL', () => 'not a url'],
  ['no parameters', () => redirectUri],
  ['a repeated code', (url) => void url.searchParams.append('code', 'code-2')],
  ['a repeated state', (url) => void url.searchParams.append('state', 'x')],
  ['a repeated unknown parameter', (url) => `${url.href}&a=1&a=2`],
  ['no state', (url) => void url.searchParams.delete('state')],
  ['an empty state', (url) => void url.searchParams.set('state', '')],
  ['another state', (url) => void url.searchParams.set('state', 'forged')],
  ['no issuer although the provider advertises it', (url) => void url.searchParams.delete('iss')],
  ['another issuer', (url) => void url.searchParams.set('iss', 'https://evil.example')],
  ['an issuer with a trailing slash', (url) => void url.searchParams.set('iss', `${issuer}/`)],
  ['an access token', (url) => void url.searchParams.set('access_token', 'x')],
  ['an ID token', (url) => void url.searchParams.set('id_token', 'x')],
  ['a signed response', (url) => void url.searchParams.set('response', 'x')],
  [
    'an error with another state',
    (url) => void (url.searchParams.set('error', 'access_denied'), url.searchParams.set('state', 'x')),
  ],
  [
    'an error with another issuer',
    (url) =>
      void (url.searchParams.set('error', 'access_denied'),
      url.searchParams.set('iss', 'https://evil.example')),
  ],
])('a redirect with %s is rejected before the token endpoint is asked', async (_title, change) => {
  const scripted = createScriptedProvider({ redirect: change });
  await expect(scripted.signIn()).rejects.toMatchObject({ code: 'response-rejected' });
  expect(scripted.paths()).not.toContain('/token');
});

// Google's redirects end in "#", and Facebook appends "#_=_". A browser carries a fragment over from an earlier redirect.
test.each(['', '_=_', '_', '!', '/login', 'a?b&c'])(
  'a redirect that ends in "#%s" is read as if it ended before',
  async (fragment) => {
    const parameters = await read((url) => `${url.href}#${fragment}`);
    expect(parameters.get('code')).toBe('code-1');
    expect(parameters.get('iss')).toBe(issuer);
  },
);

test('a redirect without an issuer is accepted if the provider does not advertise it', async () => {
  const metadata = { authorization_response_iss_parameter_supported: undefined };
  await expect(read((url) => void url.searchParams.delete('iss'), { metadata })).resolves.toBeDefined();
});

test('a redirect with another issuer is rejected even if the provider does not advertise it', async () => {
  const metadata = { authorization_response_iss_parameter_supported: undefined };
  const named = read((url) => void url.searchParams.set('iss', 'https://evil.example'), { metadata });
  await expect(named).rejects.toMatchObject({ code: 'response-rejected' });
});

test('the redirect of an earlier attempt is rejected', async () => {
  const { client, authorize } = createScriptedProvider();
  const first = await authorize();
  const second = await authorize();
  const replayed = readAuthorizationResponse(
    client,
    await discover(client),
    second.request,
    first.responseUrl,
  );
  await expect(replayed).rejects.toMatchObject({ code: 'response-rejected' });
});

test.each([
  ['access_denied', 'denied'],
  ['temporarily_unavailable', 'provider-unreachable'],
  ['server_error', 'provider-unreachable'],
  ['invalid_request', 'provider-misconfigured'],
  ['unauthorized_client', 'provider-misconfigured'],
  ['invalid_scope', 'provider-misconfigured'],
  ['invalid_target', 'provider-misconfigured'],
  ['unsupported_response_type', 'provider-misconfigured'],
  ['unsupported_grant_type', 'provider-misconfigured'],
  ['request_not_supported', 'provider-misconfigured'],
  ['request_uri_not_supported', 'provider-misconfigured'],
  ['login_required', 'response-rejected'],
])('the provider error %s becomes %s and is named in the detail', async (error, code) => {
  const refused = read((url) => {
    url.searchParams.delete('code');
    url.searchParams.set('error', error);
  });
  await expect(refused).rejects.toMatchObject({ code, detail: expect.stringContaining(error) });
});

test.each([
  ['login_required', true],
  ['interaction_required', true],
  ['consent_required', true],
  ['account_selection_required', true],
  ['access_denied', false],
  ['temporarily_unavailable', false],
])('isInteractionRequired for the provider error %s returns %s', async (error, expected) => {
  const refused = await read((url) => void url.searchParams.set('error', error)).catch(
    (thrown: unknown) => thrown,
  );
  expect(refused).toBeInstanceOf(ProblemError);
  expect(isInteractionRequired(refused)).toBe(expected);
});

test('isInteractionRequired returns false for errors that are not from the provider', () => {
  for (const thrown of [null, 'login_required', new Error('login_required'), new ProblemError('offline')])
    expect(isInteractionRequired(thrown)).toBe(false);
});

test('an error in other words than those of the standards is not repeated', async () => {
  const refused = read((url) => {
    url.searchParams.set('error', 'something_new');
    url.searchParams.set('error_description', 'See https://a.example/?token=secret');
  });
  await expect(refused).rejects.toMatchObject({
    code: 'response-rejected',
    detail: 'sign-in: an error code of its own',
  });
});
