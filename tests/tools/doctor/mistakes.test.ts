// The doctor's findings at a provider or in the settings, by the part that has the mistake.

import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import {
  answerWhen,
  broken,
  brokenInFirefox,
  examine,
  less,
  open,
  testMistakes,
  type Answer,
} from '../../support/doctor-scene.ts';
import {
  html,
  issuer,
  json,
  oauthError,
  publicKey,
  redirect,
  redirectBack,
  type Replaced,
  type SentRequest,
} from '../../support/healthy-provider.ts';

const other = 'https://login.other.example';
const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
const entra = 'https://login.microsoftonline.com';
const guid = '11111111-2222-3333-4444-555555555555';

const at = (path: string, answer: Answer): Replaced => ({ answers: { [`${issuer}${path}`]: answer } });
const document = (members: Readonly<Record<string, unknown>>): Replaced => ({ document: members });

/** A discovery document at another address than below the default issuer. */
const documentAt = (address: string, named: string): Replaced => ({
  document: { issuer: named },
  answers: {
    [`${address}/.well-known/openid-configuration`]: json({
      issuer: named,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }),
    [`${issuer}/authorize`]: redirectBack('login_required', { iss: named }),
  },
});

testMistakes('issuer', broken, [
  [
    'a slash that the provider does not write',
    { settings: { issuer: `${issuer}/` } },
    /^error issuer-mismatch .*: .* names the issuer "https:\/\/id\.acme\.example", and "https:\/\/id\.acme\.example\/" is configured.*write "issuer": "https:\/\/id\.acme\.example"\./,
  ],
  [
    'a slash that the configuration lacks',
    {
      document: { issuer: `${issuer}/` },
      ...at('/authorize', redirectBack('login_required', { iss: `${issuer}/` })),
    },
    /^error issuer-mismatch .*write "issuer": "https:\/\/id\.acme\.example\/"/,
  ],
  [
    'an authorization endpoint as the issuer',
    {
      settings: { issuer: `${issuer}/realms/acme/protocol/openid-connect/auth` },
      ...documentAt(`${issuer}/realms/acme`, `${issuer}/realms/acme`),
    },
    /^error discovery-missing .*HTTP 404.*openid-connect\/auth\/.*Write "issuer": "https:\/\/id\.acme\.example\/realms\/acme"/,
  ],
  [
    'the path of nothing as the issuer',
    { settings: { issuer: 'https://other.acme.example/nothing' } },
    /^error discovery-missing .*no discovery document.*Correct "issuer"/,
  ],
  [
    'Entra with "common"',
    {
      settings: { issuer: `${entra}/common/v2.0`, origins: [issuer] },
      ...documentAt(`${entra}/common/v2.0`, `${entra}/{tenantid}/v2.0`),
    },
    /^error issuer-template .*many tenants.*"issuerTemplate": "https:\/\/login\.microsoftonline\.com\/\{tenantid\}\/v2\.0"/,
  ],
  [
    'External ID with its subdomain',
    {
      settings: { issuer: `https://contoso.ciamlogin.com/${guid}/v2.0`, origins: [issuer] },
      ...documentAt(
        `https://contoso.ciamlogin.com/${guid}/v2.0`,
        `https://${guid}.ciamlogin.com/${guid}/v2.0`,
      ),
    },
    /^error issuer-mismatch .*"issuer": "https:\/\/1{8}.*v2\.0", "discoveryUrl": "https:\/\/contoso\..*openid-configuration", "origins": \["https:\/\/id\.acme\.example","https:\/\/contoso\.ciamlogin\.com"\]/,
  ],
]);

testMistakes('discovery document', broken, [
  [
    'a token endpoint on a host that is not configured',
    document({ token_endpoint: `${other}/token` }),
    /^error host-missing .*at https:\/\/login\.other\.example, and.*"origins": \["https:\/\/login\.other\.example"\]/,
  ],
  [
    'no token endpoint',
    document({ token_endpoint: undefined }),
    /^error discovery-unusable .*token_endpoint is missing.*"metadata"/,
  ],
  [
    'a redirect',
    { answers: { [discoveryUrl]: redirect(`${other}/configuration`) } },
    /^error discovery-redirects .*redirects to "https:\/\/login\.other\.example\/configuration"/,
  ],
  [
    'a document over the cap',
    { answers: { [discoveryUrl]: () => new Response('x'.repeat(300_000)) } },
    /^error discovery-unusable .*larger than 262144 bytes/,
  ],
  [
    'a web page in place of the document',
    { answers: { [discoveryUrl]: html('Sign in to the network') } },
    /^error provider-unreachable .*is not JSON/,
  ],
  [
    'a provider that forbids its document',
    { answers: { [discoveryUrl]: html('Forbidden', 403) } },
    /^error discovery-unusable .*HTTP 403/,
  ],
  [
    'a server of plain OAuth 2',
    {
      answers: {
        [discoveryUrl]: html('Not found', 404),
        [`${issuer}/.well-known/oauth-authorization-server`]: json({
          issuer,
          token_endpoint: `${issuer}/token`,
        }),
      },
    },
    /^error no-id-token .*OAuth 2\.0 without OpenID Connect.*broker/,
  ],
  [
    'only HS256',
    document({ id_token_signing_alg_values_supported: ['HS256', 'none'] }),
    /^error algorithms .*"HS256", "none" only.*RS256/,
  ],
  [
    'DPoP with other algorithms',
    { settings: { dpop: 'required' }, ...document({ dpop_signing_alg_values_supported: ['RS256'] }) },
    /^error dpop .*takes no ES256 proofs/,
  ],
]);

testMistakes('discovery document', open, [
  [
    'a sign-in page on a host that is not configured',
    document({ authorization_endpoint: `${other}/authorize` }),
    /^warning not-checked .*Only the discovery document names https:\/\/login\.other\.example, so.*"origins", or the endpoint in "metadata"/,
  ],
  [
    'no scope "openid"',
    document({ scopes_supported: ['email'] }),
    /^warning no-id-token .*may issue no ID token/,
  ],
  [
    'no authorization code flow, where the sign-in page does not say',
    {
      ...document({ response_types_supported: ['id_token', 'token'] }),
      ...at('/authorize', html('Sign in')),
    },
    /^warning code-flow-missing .*"id_token", "token", and not "code"/,
  ],
]);

testMistakes('discovery document', less, [
  [
    'a UserInfo endpoint on a host that is not configured',
    document({ userinfo_endpoint: `${other}/userinfo` }),
    /^warning endpoint-left-out .*userinfo_endpoint is not used.*name, e-mail or picture.*"origins": \["https:\/\/login\.other\.example"\].*\{ "userinfo_endpoint": null \}/,
  ],
  [
    'a revocation endpoint without https',
    document({ revocation_endpoint: 'http://id.acme.example/revoke' }),
    /^warning endpoint-left-out .*revocation_endpoint is not used, because it is no https URL/,
  ],
  [
    'PKCE without S256',
    document({ code_challenge_methods_supported: ['plain'] }),
    /^warning pkce .*PKCE with "plain"/,
  ],
  [
    'a scope that the provider does not list',
    { settings: { scope: 'openid offline_access notes' } },
    /^warning scope .*does not list the scope "notes"/,
  ],
  [
    'a grant for refresh tokens that is neither listed nor known',
    {
      ...document({ grant_types_supported: ['authorization_code'] }),
      ...at('/token', ({ parameters }) =>
        oauthError(parameters.has('code') ? 'invalid_grant' : 'unsupported_grant_type')({} as SentRequest),
      ),
    },
    /^warning no-refresh-token .*lists the grants "authorization_code" only/,
  ],
  [
    'no scope "offline_access" at the provider',
    document({ scopes_supported: ['openid', 'profile', 'email'] }),
    /^warning no-refresh-token .*does not list the scope "offline_access"/,
  ],
  [
    'no scope "offline_access" in the configuration',
    { settings: { scope: 'openid' } },
    /^warning no-refresh-token .*does not ask for.*Add "offline_access"/,
  ],
  [
    'no verified e-mail for "allowed"',
    { settings: { allowed: { email: ['ada@acme.example'] } }, ...document({ claims_supported: ['email'] }) },
    /^warning email-unverified .*"email_verified"/,
  ],
  [
    'DPoP that the provider does not mention',
    { settings: { dpop: 'required' } },
    /^warning dpop .*does not say that it supports it/,
  ],
  ['no revocation', document({ revocation_endpoint: null }), /^note no-revocation .*on this device alone/],
  ['no logout page', document({ end_session_endpoint: undefined }), /^note no-logout .*not offered/],
  ['a clock that is ahead', { aheadMs: 20 * 60_000 }, /^warning clock .*20 minutes ahead of that of this/],
]);

test('the doctor names every host that is missing, in one run', async () => {
  const [tokens, keys] = ['https://tokens.other.example', 'https://keys.other.example'];
  const { report } = await examine(document({ token_endpoint: `${tokens}/token`, jwks_uri: `${keys}/keys` }));
  const remedies = report.findings.filter(({ code }) => code === 'host-missing').map(({ remedy }) => remedy);
  expect(remedies).toHaveLength(2);
  expect(remedies[1]).toContain(JSON.stringify([tokens, keys]));
});

test('a provider that lists no claims may verify e-mail addresses', async () => {
  const settings = { allowed: { email: ['ada@acme.example'] } };
  const { report } = await examine(document({ claims_supported: undefined }), settings);
  expect(report.findings.map(({ code }) => code)).not.toContain('email-unverified');
});

const algorithm = { name: 'RSASSA-PKCS1-v1_5', publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
const smallPair = await crypto.subtle.generateKey({ ...algorithm, modulusLength: 1024 }, true, ['sign']);
const smallKey = { ...(await exportJWK(smallPair.publicKey)), alg: 'RS256' };
const ellipticKey = await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey);
const privateKey = await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey);

testMistakes('keys', broken, [
  ['no keys', { keys: [] }, /^error keys-unusable .*None of the provider's 0 keys/],
  [
    'keys of another kind',
    { keys: [ellipticKey, { kty: 'oct', k: 'c2VjcmV0' }] },
    /^error keys-unusable .*None of the provider's 2 keys .* signed with "RS256"/,
  ],
  [
    'keys for encryption alone',
    { keys: [{ ...publicKey, use: 'enc' }] },
    /^error keys-unusable .*None of the provider's 1 keys/,
  ],
  ['a private key', { keys: [privateKey] }, /^error keys-unusable .*None of the provider's 1 keys/],
  [
    'a key of too few bits',
    { keys: [smallKey] },
    /^error keys-unusable .*None of the provider's 1 keys.*2048 bits/,
  ],
  ['no key set', at('/keys', json({ keys: 'none' })), /^error keys-unusable .*the answer is not a key set/],
  [
    'keys over the cap',
    at('/keys', () => new Response(' '.repeat(300_000))),
    /^error keys-unusable .*larger than 262144 bytes/,
  ],
  [
    'keys that redirect',
    at('/keys', redirect('/jwks.json')),
    /^error keys-unusable .*redirects to "https:\/\/id\.acme\.example\/jwks\.json"/,
  ],
]);

const forbidden = () => new Response('', { status: 403 });
const isFirefox = ({ origin }: SentRequest) => origin?.startsWith('moz-extension://') === true;
const isExtension = ({ origin }: SentRequest) => origin?.includes('-extension://') === true;

testMistakes('token endpoint', broken, [
  [
    'an Origin that is not on the list, in each browser',
    at('/token', answerWhen(isExtension, forbidden, oauthError('invalid_grant'))),
    /^error origin-refused \(chrome\): .*chrome-extension:\/\/[a-p]{32}: HTTP 403.*Allow the origin chrome-extension:/,
  ],
  [
    'an Origin that an error names',
    at('/token', oauthError('invalid_request', 'origin chrome-extension://x not allowed for client: acme')),
    /^error origin-refused \(chrome\): .*origin chrome-extension:\/\/x not allowed/,
  ],
  [
    'a firewall that refuses everything',
    at('/token', forbidden),
    /^error token-endpoint-broken .*refuses every request: HTTP 403/,
  ],
  [
    'a client that the provider knows, and a secret that it wants',
    at('/token', oauthError('invalid_client', '', 401)),
    /^error secret-wanted .*knows the client and wants a secret.*public client/,
  ],
  [
    'a secret that is asked for in words',
    at('/token', oauthError('invalid_request', 'client_secret is missing.')),
    /^error secret-wanted .*client_secret is missing/,
  ],
  [
    'a client that neither endpoint explains',
    {
      answers: {
        [`${issuer}/token`]: () => new Response('', { status: 401 }),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    /^error secret-wanted .*wants a secret, or it does not know the client ID/,
  ],
  [
    'a web client at Entra',
    at('/token', oauthError('invalid_request', 'AADSTS9002326: Cross-origin token redemption is permitted.')),
    /^error client-type .*AADSTS9002326.*Single-page application/,
  ],
  [
    'a proxy that takes the Origin away from Entra',
    at('/token', oauthError('invalid_request', 'AADSTS9002327: Only via cross-origin requests.')),
    /^error client-type .*AADSTS9002327.*proxy/,
  ],
  [
    'a confidential client at Entra',
    at('/token', oauthError('invalid_client', 'AADSTS7000218: The body must contain client_secret.', 401)),
    /^error secret-wanted .*AADSTS7000218.*single-page application/,
  ],
  [
    'a client that may not redeem codes',
    at('/token', oauthError('unauthorized_client')),
    /^error client-type .*may not redeem codes/,
  ],
  [
    'a client that neither endpoint knows to redeem codes',
    {
      answers: {
        [`${issuer}/token`]: oauthError('unauthorized_client', '', 403),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    /^error client-type .*does not know the client ID or the redirect URI, or the client may/,
  ],
  [
    'a secret wanted with status 200, in a form',
    at('/token', () => new Response('error=incorrect_client_credentials&error_description=x')),
    /^error secret-wanted .*incorrect_client_credentials/,
  ],
  [
    'tokens for any code',
    at('/token', json({ access_token: 'token-1', token_type: 'Bearer' })),
    /^error code-unchecked .*tokens for a made-up code/,
  ],
  [
    'no grant for codes',
    at('/token', oauthError('unsupported_grant_type')),
    /^error code-flow-missing .*redeems no codes/,
  ],
  [
    'nothing at the token endpoint',
    at('/token', html('Not found', 404)),
    /^error token-endpoint-broken .*Nothing answers at the token endpoint: HTTP 404/,
  ],
  [
    'a token endpoint that redirects',
    at('/token', redirect('https://www.acme.example/')),
    /^error token-endpoint-broken .*redirects to "https:\/\/www\.acme\.example\/"/,
  ],
  [
    'a provider that wants DPoP',
    at('/token', oauthError('invalid_dpop_proof', 'A proof is required.')),
    /^error dpop .*wants DPoP.*"dpop" to "auto"/,
  ],
]);

testMistakes('token endpoint', brokenInFirefox, [
  [
    'an Origin that is not on the list, in Firefox alone',
    at('/token', answerWhen(isFirefox, forbidden, oauthError('invalid_grant'))),
    /^error origin-refused \(firefox\): .*moz-extension:\/\/<random>: HTTP 403.*any origin \("\*"\)/,
  ],
]);

testMistakes('token endpoint', open, [
  [
    'a secret that the discovery document asks for, where the endpoint does not say',
    {
      ...document({ token_endpoint_auth_methods_supported: ['client_secret_post'] }),
      ...at('/token', oauthError('invalid_request', 'malformed')),
    },
    /^warning secret-wanted .*lists only ways to sign in with a client secret/,
  ],
  [
    'an error of OAuth that says nothing, whatever its status',
    at('/token', oauthError('try_again', '', 403)),
    /^warning token-answer-unclear .*HTTP 403, "try_again"/,
  ],
  [
    'a success without a token',
    at('/token', json({})),
    /^warning token-answer-unclear .*says nothing: HTTP 200/,
  ],
  [
    'a token endpoint that fails',
    at('/token', html('Oops', 503)),
    /^warning token-endpoint-broken .*HTTP 503/,
  ],
]);

testMistakes('token endpoint', less, [
  [
    'errors with status 200',
    at('/token', json({ error: 'bad_verification_code', error_description: 'The code is incorrect.' })),
    /^warning errors-with-200 .*as a success: HTTP 200, "bad_verification_code/,
  ],
]);

const page = (answer: Answer) => at('/authorize', answer);
const isFirefoxUri = ({ parameters }: SentRequest) =>
  /extensions\.allizom\.org/.test(parameters.get('redirect_uri') ?? '');

testMistakes('sign-in page', brokenInFirefox, [
  [
    'a redirect URI that is not registered, in Firefox alone',
    page(answerWhen(isFirefoxUri, oauthError('invalid_redirect_uri'), redirectBack('login_required'))),
    /^error redirect-uri-unknown \(firefox\): The redirect URI is not registered.*Register exactly https:\/\/[\da-f]{40}\.extensions\.allizom\.org\/acme$/,
  ],
]);

testMistakes('sign-in page', broken, [
  [
    'a redirect URI that a page refuses in words',
    page(html('The callback URL is not allowed', 400)),
    /^error redirect-uri-unknown .*probably not registered/,
  ],
  [
    'a redirect URI that Entra refuses on a page with status 200',
    page(html('<script>{"message":"AADSTS50011: The redirect URI does not match"}</script>')),
    /^error redirect-uri-unknown .*is not registered: HTTP 200, "AADSTS50011"/,
  ],
  [
    'a redirect URI that is refused on another page of the provider',
    {
      answers: {
        [`${issuer}/authorize`]: redirect('/error?error=redirect_uri_mismatch'),
        [`${issuer}/error`]: html('Something went wrong'),
      },
    },
    /^error redirect-uri-unknown .*is not registered/,
  ],
  [
    'a redirect URI that is refused in a redirect, described as data',
    page(json({ redirect: true, url: `${issuer}/error?error=invalid_redirect` })),
    /^error redirect-uri-unknown .*is not registered: HTTP 200, "invalid_redirect"/,
  ],
  [
    'a client ID that is not registered',
    page(oauthError('invalid_client', 'client is invalid')),
    /^error client-unknown .*does not know this client ID: HTTP 400, "invalid_client: client is invalid".*"clientId"/,
  ],
  [
    'a tenant of Entra that has another client',
    page(html('<script>{"message":"AADSTS50194: Not configured as a multi-tenant application"}</script>')),
    /^error request-refused .*refuses the authorization request: HTTP 200, "AADSTS50194"/,
  ],
  [
    'a scope that the provider refuses',
    page(redirectBack('invalid_scope', { error_description: 'offline_access is unknown' })),
    /^error scope .*refuses the scope.*offline_access is unknown/,
  ],
  [
    'a client without the code flow',
    page(redirectBack('unauthorized_client')),
    /^error code-flow-missing .*may not use the authorization code flow/,
  ],
  [
    'a request that the provider refuses',
    page(redirectBack('invalid_request', { error_description: 'display is unsupported' })),
    /^error request-refused .*display is unsupported/,
  ],
  ['no sign-in page', page(html('Not found', 404)), /^error page-broken .*no sign-in page/],
  [
    'a page that does not answer',
    page(() => Promise.reject(new TypeError('failed'))),
    /^error page-broken .*cannot be opened: id\.acme\.example did not answer\. Try again/,
  ],
  [
    'a request that cannot be pushed',
    { settings: { par: 'always' } },
    /^error request-refused .*cannot be pushed.*names no endpoint/,
  ],
]);

testMistakes('sign-in page', open, [
  [
    'a provider that ignores prompt=none',
    page(html('Sign in')),
    /^warning redirect-uri-unclear .*can't be seen from outside: it shows everyone the same page first\./,
  ],
  [
    'a provider that shows its page with an error status to everyone',
    page(html('Sign in', 401)),
    /^warning redirect-uri-unclear .*can't be seen from outside: it shows everyone the same page first\./,
  ],
  [
    'a provider that sends everyone to another host',
    page(redirect('https://login.other.example/?next=1')),
    /^warning redirect-uri-unclear .*can't be seen from outside: it sends everyone on to "login\.other\.example"\./,
  ],
  [
    'a provider that redirects in circles',
    page(redirect('/authorize')),
    /^warning redirect-uri-unclear .*in circles/,
  ],
  [
    'a page that forbids the request without saying why',
    page(html('Forbidden', 403)),
    /^warning request-refused .*probably refuses the authorization request: HTTP 403/,
  ],
  [
    'an answer without the state',
    page(redirectBack('login_required', { state: 'another' })),
    /^warning response-rejected .*rejects the answer/,
  ],
  [
    'an error of the server at the redirect URI',
    page(redirectBack('server_error')),
    /^warning redirect-uri-unclear .*does not say whether it accepts the redirect URI: "server_error"/,
  ],
  ['a sign-in page that fails', page(html('Oops', 500)), /^warning page-broken .*HTTP 500/],
]);
