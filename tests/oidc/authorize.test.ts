import { expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { createAuthorizationRequest, readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { discover } from '../support/discover.ts';
import { isInteractionRequired } from '../../src/oidc/problems.ts';
import { ProblemError } from '../../src/session/problem.ts';
import {
  createScriptedProvider,
  issuer,
  plainSettings,
  redirectUri,
  type Script,
} from '../support/scripted-provider.ts';

async function requestUrl(script: Script = {}, options = {}) {
  const { client } = createScriptedProvider(script);
  const request = await createAuthorizationRequest(client, await discover(client), redirectUri, options);
  return new URL(request.url);
}

test('an authorization request uses the code flow with PKCE S256, state and nonce', async () => {
  const url = await requestUrl();
  expect(url.origin + url.pathname).toBe(`${issuer}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
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

test('an authorization request contains the configured parameters, which cannot replace protocol parameters', async () => {
  const asIs = { resource: 'https://api.example', audience: 'api' };
  const authorizationParameters = { acr_values: 'high', state: 'mine' };
  const url = await requestUrl({ provider: { authorizationParameters, ...asIs } });
  const expected = { acr_values: 'high', ...asIs, state: expect.stringMatching(/^[\w-]{43}$/) as string };
  expect(Object.fromEntries(url.searchParams)).toMatchObject(expected);
});

const configured = { acrValues: 'pwd mfa', maxAgeSeconds: 3600 };
test.each<[string, Partial<Provider>, string | null, number | null, string, string]>([
  ['the contexts that it names too stay of those', configured, 'phr mfa', 300, 'mfa', '300'],
  ['the contexts stay where it names none', configured, null, 60, 'pwd mfa', '60'],
  ['the age stays where it names none', configured, 'mfa', null, 'mfa', '3600'],
  ['the age stays where it allows more', configured, null, 86_400, 'pwd mfa', '3600'],
  ['nothing adds to that', {}, 'mfa', 0, 'mfa', '0'],
])(
  'of the configured authentication, %s that an API wants',
  async (_title, provider, acrValues, maxAgeSeconds, acr, age) => {
    const url = await requestUrl({ provider }, { stepUp: { acrValues, maxAgeSeconds } });
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ acr_values: acr, max_age: age });
  },
);

test('an API that names none of the configured contexts asks for nothing, because it could lower the bar', async () => {
  const stepUp = { acrValues: 'pwd', maxAgeSeconds: 0 };
  const refused = requestUrl({ provider: { acrValues: 'phr' } }, { stepUp });
  await expect(refused).rejects.toMatchObject({ code: 'not-permitted' });
});

test('a parameter in the address of the sign-in page stays, and none takes the place of one of the request', async () => {
  const authorization_endpoint = `${issuer}/authorize?tenant=acme&state=theirs&state=again&client_id=other`;
  const { searchParams } = await requestUrl({ metadata: { authorization_endpoint } });
  expect(searchParams.get('tenant')).toBe('acme');
  expect(searchParams.getAll('client_id')).toEqual(['client']);
  expect(searchParams.getAll('state')).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
});

const long = 'i'.repeat(2_001);

test('only a hint of an ID token is left out for its length, however long the request', async () => {
  const { searchParams } = await requestUrl({}, { additional: { own: long }, idTokenHint: long.slice(1) });
  expect(searchParams.get('scope')).toContain(long);
  expect(searchParams.get('id_token_hint')).toBe(long.slice(1));
});

test.each<[string, number | null]>([
  ['is pushed', 201],
  ['is left out if it cannot be pushed', 500],
  ['is left out where nothing is pushed', null],
])('a long hint of an ID token %s', async (_title, status) => {
  const metadata = { pushed_authorization_request_endpoint: `${issuer}/par` };
  const answer = Response.json({ request_uri: 'urn:x', expires_in: 60 }, { status: status ?? 500 });
  const { client, requests } = createScriptedProvider({
    ...(status !== null && { provider: { par: 'always' }, metadata }),
    answers: { '/par': answer },
  });
  const hints = { idTokenHint: long, loginHint: 'ada@example.com' };
  const { url } = await createAuthorizationRequest(client, await discover(client), redirectUri, hints);
  const sent = status === 201 ? requests.at(-1)?.parameters : new URL(url).searchParams;
  expect(sent?.get('id_token_hint')).toBe(status === 201 ? long : null);
  expect(sent?.get('login_hint')).toBe('ada@example.com');
  expect(url).not.toContain('id_token_hint');
});

const another = { prompt: 'select_account' } as const;
const both = { signInPrompt: 'consent', otherAccountPrompt: 'login' };

test.each([
  ['the configured prompt', { signInPrompt: 'consent' }, { loginHint: 'ada' }, 'consent'],
  ['no prompt', { otherAccountPrompt: 'login' }, {}, null],
  ['none silently', both, { prompt: 'none' }, 'none'],
  ['no prompt at a provider of plain OAuth 2', plainSettings, { prompt: 'none' }, null],
  ['its own prompt for another account', {}, another, 'select_account'],
  ['the configured prompt for another account', both, another, 'login'],
  ['both for another account', { signInPrompt: 'consent select_account' }, another, 'select_account consent'],
] as const)('an authorization request has %s', async (_title, provider, options, prompt) => {
  const { searchParams } = await requestUrl({ provider }, options);
  expect(searchParams.get('prompt')).toBe(prompt);
  expect(searchParams.get('login_hint')).toBe('loginHint' in options ? options.loginHint : null);
});

type Change = NonNullable<Script['redirect']>;

async function read(change: Change, script: Script = {}) {
  const { client, authorize } = createScriptedProvider({ ...script, redirect: change });
  const { request, responseUrl } = await authorize();
  return readAuthorizationResponse(client, await discover(client), request, responseUrl);
}

test('a valid redirect is accepted, along with unknown parameters', async () => {
  const parameters = await read((url) => void url.searchParams.set('session_state', 'x'));
  expect(parameters.get('code')).toBe('code-1');
});

/** The redirects that are rejected, by what the problem says. */
const rejected: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  'redirect: not the redirect URI of this provider': {
    'another host': (url) => url.href.replace('extension.', 'another.'),
    'another host that begins like ours': (url) => url.href.replace('.org', '.org.evil.example'),
    http: (url) => url.href.replace('https:', 'http:'),
    'a port': (url) => url.href.replace('.org/', '.org:8443/'),
    'the default port spelled out': (url) => url.href.replace('.org/', '.org:443/'),
    'a user name': (url) => url.href.replace('https://', 'https://ada@'),
    'another path': (url) => url.href.replace('/scripted', '/another'),
    'a longer path': (url) => url.href.replace('/scripted', '/scripted/more'),
    'a trailing slash': (url) => url.href.replace('/scripted', '/scripted/'),
    'dot segments in the path': (url) => url.href.replace('/scripted', '/x/../scripted'),
    'an upper-case host': (url) => url.href.replace('extension.', 'EXTENSION.'),
    'no redirect': () => 'about:blank',
    'no URL': () => 'not a url',
  },
  'redirect: an answer in the fragment': {
    'a code in the fragment': (url) => `${url.href}#code=code-2`,
    'another answer in the fragment': (url) => `${url.href}#code=code-2&state=x`,
    'an access token in the fragment': (url) => `${url.href}#access_token=x&state=x`,
    'a signed response in the fragment': (url) => `${url.href}#response=x`,
    'an error in the fragment': (url) => `${url.href}#error=access_denied`,
    'an answer behind the mark of Facebook': (url) => `${url.href}#_=_&code=x`,
    'all parameters in the fragment': (url) => url.href.replace('?', '#'),
  },
  'redirect: a parameter is repeated': {
    'a repeated code': (url) => url.searchParams.append('code', 'code-2'),
    'a repeated state': (url) => url.searchParams.append('state', 'x'),
    'a repeated issuer': (url) => url.searchParams.append('iss', 'x'),
  },
  'redirect: a token in the URL': { 'an access token': (url) => url.searchParams.set('access_token', 'x') },
  'redirect: neither code nor error': {
    'no parameters': () => redirectUri,
    'no code': (url) => url.searchParams.delete('code'),
    'an empty code': (url) => url.searchParams.set('code', ''),
  },
  // oauth4webapi names the parameter.
  '"state"': {
    'no state': (url) => url.searchParams.delete('state'),
    'an empty state': (url) => url.searchParams.set('state', ''),
    'another state': (url) => url.searchParams.set('state', 'forged'),
    'an error with another state': (url) => url.href.replace('code=', 'error=').replace('state=', 'state=x'),
  },
  '"iss"': {
    'no issuer although the provider advertises it': (url) => url.searchParams.delete('iss'),
    'another issuer': (url) => url.searchParams.set('iss', 'https://evil.example'),
    'an issuer with a trailing slash': (url) => url.searchParams.set('iss', `${issuer}/`),
    'an error with another issuer': (url) => url.href.replace('code=', 'error=').replace('iss=', 'iss=x'),
  },
  'sign-in: ': {
    'an ID token': (url) => url.searchParams.set('id_token', 'x'),
    'a signed response': (url) => url.searchParams.set('response', 'x'),
  },
};

test.each(
  Object.entries(rejected).flatMap(([detail, changes]) =>
    Object.entries(changes).map(([title, change]) => [title, change, detail] as const),
  ),
)('a redirect with %s is rejected before the token endpoint is asked', async (_title, redirect, detail) => {
  const scripted = createScriptedProvider({ redirect });
  await expect(scripted.signIn()).rejects.toMatchObject({
    code: 'response-rejected',
    detail: expect.stringContaining(detail) as string,
  });
  expect(scripted.paths()).not.toContain('/token');
});

test('a redirect may leave out an issuer that the provider does not advertise, and name no other one', async () => {
  const metadata = { authorization_response_iss_parameter_supported: undefined };
  await expect(read((url) => url.searchParams.delete('iss'), { metadata })).resolves.toBeDefined();
  const named = read((url) => url.searchParams.set('iss', 'https://evil.example'), { metadata });
  await expect(named).rejects.toMatchObject({ code: 'response-rejected' });
});

const interaction = 'login_required interaction_required consent_required account_selection_required';
const errors = {
  denied: `access_denied ${interaction}`,
  'provider-unreachable': 'temporarily_unavailable server_error',
  'provider-misconfigured': `invalid_request unauthorized_client invalid_scope invalid_target unsupported_response_type
    unsupported_grant_type request_not_supported request_uri_not_supported`,
};
// In use, though no standard has them.
const customary = 'invalid_redirect_uri redirect_uri_mismatch redirect_mismatch invalid_redirect';

test.each(
  [...Object.entries(errors), ['provider-misconfigured', customary] as const].flatMap(([code, names]) =>
    names.split(/\s+/).map((name) => [name, code]),
  ),
)('the provider error %s becomes %s, and asks for the user if it says so', async (error, code) => {
  const withError = read((url) => url.href.replace('code=code-1', `error=${error}`));
  const refused = await withError.catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ name: 'ProblemError', code, detail: `sign-in: ${error}` });
  expect(isInteractionRequired(refused)).toBe(interaction.includes(error));
});

test('isInteractionRequired returns false for errors that are not from the provider', () => {
  for (const thrown of [null, 'login_required', new Error('login_required'), new ProblemError('offline')])
    expect(isInteractionRequired(thrown)).toBe(false);
});

test('an error in other words than those of the standards is not repeated', async () => {
  const refused = read((url) => `${url.href}&error=something_new&error_description=secret`);
  const detail = 'sign-in: an error code of its own';
  await expect(refused).rejects.toMatchObject({ code: 'denied', detail });
});
