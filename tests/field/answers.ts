// Answers that real providers give, as public reports tell them: what was answered, and what is right. Names, tokens and hosts are
// replaced. Further cases belong into the list of their request.

import { plainSettings, type Answer, type Script } from '../support/scripted-provider.ts';

/** One report. */
export interface FieldCase {
  /** Where it was reported. */
  readonly source: string;
  /** The unusual part of it. */
  readonly input: string;
  readonly script: Script;
  /** The status of a good answer; 200 if it's missing. */
  readonly status?: number;
  /** Members of the result, or of the thrown problem. */
  readonly right: object;
}

const json = (status: number, body: unknown, headers = {}) => Response.json(body, { status, headers });
const tokenAnswer = (answer: Answer): Script => ({ answers: { '/token': answer } });
const userInfo = (answer: Answer): Script => ({ answers: { '/userinfo': answer } });
const withType = (text: string, type: string) => new Response(text, { headers: { 'content-type': type } });

const text = (status: number, body: string) => new Response(body, { status });
const said = (status: number, error: string, error_description: string) =>
  tokenAnswer(json(status, { error, error_description }));
const ofPlain = (script: Script): Script => ({ ...script, provider: plainSettings });

const refused = { outcome: 'refused', problem: { code: 'expired' } };
const misconfigured = { code: 'provider-misconfigured' };
const passing = { code: 'provider-unreachable' };
/** The new tokens are used; the ID token stays that of the sign-in. */
const renewed = {
  outcome: 'renewed',
  tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', idToken: 'id-0' },
};
const renewedWhole = { outcome: 'renewed', tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' } };
const signedIn = { profile: { subject: 'ada' }, tokens: { type: 'Bearer', accessToken: 'access-1' } };

/** Answers to a refresh token. */
export const renewals: readonly FieldCase[] = [
  {
    source:
      'https://support.auth0.com/center/s/article/troubleshoot-refresh-token-unknown-or-invalid-before-expiry-403-unknown-or-invalid-refresh-token',
    input: 'a dead token is answered with 403',
    script: tokenAnswer(
      json(403, { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' }),
    ),
    right: refused,
  },
  {
    source: 'https://github.com/FlowFuse/flowfuse/pull/8547',
    input: 'a dead token is called a wrong request',
    script: tokenAnswer(json(400, { error: 'invalid_request' })),
    right: refused,
  },
  {
    source: 'https://github.com/lelylan/simple-oauth2/issues/459',
    input: 'a dead token is answered with 200, and GitHub has a code of its own for it',
    script: tokenAnswer(
      json(200, { error: 'bad_refresh_token', error_description: 'It is incorrect or expired.' }),
    ),
    right: refused,
  },
  {
    source: 'https://github.com/supabase/auth/issues/2829',
    input: 'a dead token is answered without "error", with "error_code" and a numeric code',
    script: tokenAnswer(json(400, { code: 400, error_code: 'refresh_token_not_found', msg: 'Not found' })),
    right: refused,
  },
  {
    source: 'https://github.com/keboola/cli/pull/535',
    input: 'a dead token is answered with 401 and prose',
    script: tokenAnswer(new Response('Invalid refresh token.', { status: 401 })),
    right: refused,
  },
  {
    source: 'https://github.com/vaadin/vaadin-connect/issues/335',
    input: 'a dead token is answered with 401 and a code that no standard has',
    script: tokenAnswer(json(401, { error: 'unauthorized' }, { 'www-authenticate': 'Bearer realm="x"' })),
    right: refused,
  },
  {
    source: 'https://github.com/panva/openid-client/issues/380',
    input: 'the client may not use refresh tokens, which is called an unknown client',
    script: tokenAnswer(json(401, { error: 'invalid_client', error_description: 'Unauthorized grant type' })),
    right: refused,
  },
  {
    source: 'https://github.com/huskarl-rs/huskarl/pull/198',
    input: 'the server fails with 500, and repeats an error code',
    script: tokenAnswer(json(500, { error: 'invalid_grant' })),
    right: passing,
  },
  {
    source: 'https://github.com/segmentio/action-destinations/pull/2300',
    input: 'Salesforce still answers an earlier request with this token',
    script: tokenAnswer(
      json(400, { error: 'invalid_grant', error_description: 'token request is already being processed' }),
    ),
    right: passing,
  },
  {
    source: 'https://github.com/amazon-connect/amazon-connect-salesforce-lambda/issues/43',
    input: 'Salesforce wants the request to be repeated',
    script: tokenAnswer(json(400, { error: 'unknown_error', error_description: 'retry your request' })),
    right: passing,
  },
  {
    source: 'https://github.com/googleapis/google-auth-library-python/pull/368',
    input: 'Google fails inside, with 400',
    script: tokenAnswer(json(400, { error: 'internal_failure' })),
    right: passing,
  },
  {
    source: 'https://github.com/apereo/cas/issues/2903',
    input: 'a dead token is answered with the code alone, as text',
    script: tokenAnswer(text(400, 'invalid_grant')),
    right: refused,
  },
  {
    source: 'https://github.com/micronaut-projects/micronaut-security/issues/235',
    input: 'a dead token is answered with 500',
    script: tokenAnswer(text(500, '')),
    right: passing,
  },
  {
    source: 'https://github.com/raycast/extensions/issues/11836',
    input: 'a dead token is called a client that may not do so, at Atlassian without OpenID Connect',
    script: ofPlain(said(403, 'unauthorized_client', 'refresh_token is invalid')),
    right: refused,
  },
  {
    source: 'https://github.com/better-auth/better-auth/pull/8103',
    input: 'the user of a token is gone, which is called a wrong request, without OpenID Connect',
    script: ofPlain(said(400, 'invalid_request', 'user not found')),
    right: refused,
  },
  {
    source: 'https://github.com/lelylan/simple-oauth2/issues/459',
    input: 'the client is unknown, without OpenID Connect',
    script: ofPlain(said(401, 'invalid_client', 'Client not found')),
    right: misconfigured,
  },
  {
    source: 'https://github.com/speakeasy-api/gram/pull/5638',
    input: 'a dead token is answered with a list of codes',
    script: tokenAnswer(json(400, { errors: ['invalid_grant'] })),
    right: refused,
  },
  {
    source: 'https://github.com/aws-amplify/amplify-js/issues/6767',
    input: 'Cognito limits requests with 400',
    script: tokenAnswer(json(400, { __type: 'TooManyRequestsException', message: 'Rate exceeded' })),
    right: passing,
  },
  {
    source: 'https://github.com/websmurf/laravel-exact-online/issues/31',
    input: 'Exact Online limits requests with 400 and "access_denied"',
    script: said(400, 'access_denied', 'Rate limit exceeded: access_token not expired'),
    right: passing,
  },
  {
    source: 'https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/547',
    input: 'Entra limits requests with 400',
    script: said(
      400,
      'invalid_grant',
      'AADSTS50196: The server terminated an operation because it encountered a client request loop.',
    ),
    right: passing,
  },
  {
    source: 'https://github.com/snarfed/bridgy/issues/450',
    input: 'Facebook fails for a while, with 401',
    script: tokenAnswer(
      json(401, { error: { message: 'x', type: 'OAuthException', is_transient: true, code: 2 } }),
    ),
    right: passing,
  },
  {
    source: 'https://docs.spring.io/spring-boot/reference/web/servlet.html',
    input: 'the address is wrong, and Spring Boot names the status where OAuth has its code',
    script: tokenAnswer(json(404, { timestamp: 1, status: 404, error: 'Not Found', path: '/token' })),
    right: misconfigured,
  },
  {
    source: 'https://docs.nestjs.com/exception-filters',
    input: 'a guard of NestJS forbids the request, and names the status where OAuth has its code',
    script: tokenAnswer(json(403, { statusCode: 403, message: 'Forbidden resource', error: 'Forbidden' })),
    right: misconfigured,
  },
  {
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9',
    input: 'a proxy has waited for the request for too long',
    script: tokenAnswer(text(408, '')),
    right: passing,
  },
  {
    source: 'https://github.com/jentic/jentic-one/pull/1339',
    input: 'a dead token is answered with 403 and a problem of RFC 9457',
    script: tokenAnswer(json(403, { type: 'invalid_grant', detail: 'consent grant has been revoked' })),
    right: refused,
  },
  {
    source: 'https://github.com/Menci/Floway/issues/340',
    input: 'OpenAI says that a token was used before',
    script: tokenAnswer(
      json(401, { error: { message: 'x', type: 'invalid_request_error', code: 'refresh_token_reused' } }),
    ),
    right: refused,
  },
  {
    source: 'https://github.com/ScaleOvenStove/crosswithfriends/pull/566',
    input: 'another request with this token is under way, which stands in place of a code',
    script: tokenAnswer(json(401, { error: 'Refresh in progress, please retry' })),
    right: passing,
  },
  {
    source: 'https://github.com/luikyv/go-oidc/pull/108',
    input: 'an unknown token is called a wrong request, without OpenID Connect',
    script: ofPlain(said(400, 'invalid_request', 'refresh token not found')),
    right: refused,
  },
  {
    source: 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2',
    input: 'a code that passes is in capital letters',
    script: tokenAnswer(json(400, { error: 'TEMPORARILY_UNAVAILABLE' })),
    right: passing,
  },
  {
    source: 'https://github.com/panva/openid-client/issues/666',
    input: 'tokens come with 201',
    script: { claims: { nonce: undefined } },
    status: 201,
    right: renewedWhole,
  },
  {
    source: 'https://github.com/panva/openid-client/pull/532',
    input: 'authentik wrote null for the claims that the ID token lacks',
    script: { claims: { nonce: null, at_hash: null, c_hash: null } },
    right: renewedWhole,
  },
  {
    source: 'https://github.com/damienbod/angular-auth-oidc-client/issues/491',
    input: 'the ID token has no nonce',
    script: { claims: { nonce: undefined } },
    right: renewedWhole,
  },
  {
    source: 'https://github.com/authts/oidc-client-ts/issues/2107',
    input: 'Cognito sends another auth_time with a rotated refresh token',
    script: { claims: { nonce: undefined, auth_time: 8 } },
    right: renewed,
  },
  {
    source: 'https://github.com/teiid/teiid/pull/779',
    input: 'the token type is missing',
    script: { token: { token_type: undefined, id_token: undefined } },
    right: renewed,
  },
  {
    source: 'https://github.com/MicrosoftDocs/azure-devops-docs/issues/810',
    input: 'the token type is "jwt-bearer", and the lifetime a text',
    script: { token: { token_type: 'jwt-bearer', expires_in: '3599', id_token: undefined } },
    right: renewed,
  },
  {
    source: 'https://github.com/decocms/studio/pull/6068',
    input: 'a success has no access token, only a new refresh token',
    script: { token: { access_token: undefined, id_token: undefined } },
    right: { outcome: 'refresh-token-only', tokens: { accessToken: 'access-0', refreshToken: 'refresh-1' } },
  },
];

/** Answers to a code. */
export const signIns: readonly FieldCase[] = [
  {
    source: 'https://github.com/modelcontextprotocol/python-sdk/issues/1502',
    input: 'tokens come with 201',
    script: {},
    status: 201,
    right: signedIn,
  },
  {
    source: 'https://github.com/panva/oauth4webapi/pull/47',
    input: 'Naver writes the lifetime as text',
    script: { token: { expires_in: '3600', token_type: 'bearer' } },
    right: signedIn,
  },
  {
    source: 'https://github.com/oauthlib/oauthlib/pull/675',
    input: 'the lifetime is null',
    script: { token: { expires_in: null } },
    right: signedIn,
  },
  {
    source: 'https://github.com/panva/oauth4webapi/issues/182',
    input: 'the lifetime is 0',
    script: { token: { expires_in: 0 } },
    right: signedIn,
  },
  {
    source: 'https://github.com/ramosbugs/oauth2-rs/issues/86',
    input: 'Twitch writes the scope as a list',
    script: { token: { scope: ['openid', 'user:read:email'] } },
    right: { ...signedIn, grantedScope: 'openid user:read:email' },
  },
  {
    source: 'https://github.com/authlib/authlib/issues/309',
    input: 'JetBrains Hub gives the time of the authentication a fraction',
    script: { claims: { auth_time: 1_610_238_400.717 } },
    right: signedIn,
  },
  {
    source: 'https://github.com/panva/jose/issues/73',
    input: 'AD FS writes the time of the authentication as a date',
    script: { claims: { auth_time: '2020-03-14T18:52:01.180Z' } },
    right: signedIn,
  },
  {
    source: 'https://github.com/openid/AppAuth-iOS/issues/713',
    input: 'the times of the ID token are texts',
    script: {
      nowMs: () => 1_656_649_888_000,
      claims: { nbf: '1656649887', exp: '1656650187', iat: '1656649887', auth_time: '1656641395' },
    },
    right: signedIn,
  },
  {
    source: 'https://github.com/IdentityPython/pyop/issues/20',
    input: 'the times of the ID token have fractions',
    script: {
      nowMs: () => 1_656_649_888_000,
      claims: { iat: 1_656_649_887.05, exp: 1_656_650_187.05 },
    },
    right: signedIn,
  },
  {
    source: 'https://github.com/casdoor/casdoor/issues/2964',
    input: 'Casdoor has an error in place of the access token, with 200',
    script: tokenAnswer(
      json(200, { access_token: 'error: invalid client_secret', id_token: '', expires_in: 0 }),
    ),
    right: { code: 'response-rejected' },
  },
  {
    source: 'https://github.com/nextauthjs/next-auth/pull/550',
    input: 'the time of the authentication is a text',
    script: { claims: { auth_time: '1596600000' } },
    right: signedIn,
  },
  {
    source: 'https://github.com/nicokaiser/passport-apple/pull/86',
    input: 'Apple calls the e-mail address verified with a text, and only that address may sign in',
    script: { claims: { email_verified: 'true' }, provider: { allowed: { email: ['ada@example.com'] } } },
    right: { profile: { emailVerified: true } },
  },
  {
    source: 'https://github.com/okta/okta-idx-java/issues/500',
    input: 'Okta names an unknown client as "errorCode"',
    script: tokenAnswer(
      json(401, { errorCode: 'invalid_client', errorSummary: 'Invalid value.', errorCauses: [] }),
    ),
    right: { code: 'provider-misconfigured', detail: 'token: invalid_client' },
  },
  {
    source: 'https://github.com/jentic/jentic-one/pull/1339',
    input: 'the client is unknown, in a problem of RFC 9457',
    script: tokenAnswer(json(400, { type: 'invalid_client', title: 'Bad Request', status: 400 })),
    right: { code: 'provider-misconfigured', detail: 'token: invalid_client' },
  },
  {
    source: 'https://github.com/auth0/auth0-spa-js/issues/539',
    input: 'Auth0 wants a secret',
    script: said(401, 'access_denied', 'Unauthorized'),
    right: { code: 'provider-misconfigured', detail: 'token: invalid_client' },
  },
  {
    source: 'https://developers.google.com/identity/protocols/oauth2/web-server',
    input: 'the client was deleted at Google',
    script: said(401, 'deleted_client', 'The OAuth client was deleted.'),
    right: { code: 'provider-misconfigured', detail: 'token: invalid_client' },
  },
  {
    source: 'https://github.com/vouch-sh/vouch/pull/1048',
    input: 'a challenge stands beside the error of the body',
    script: tokenAnswer(json(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="x"' })),
    right: { code: 'provider-misconfigured', detail: 'token: invalid_client' },
  },
];

/** Answers of a revocation endpoint to a token that it revokes. */
export const revocations: readonly (readonly [source: string, input: string, answer: () => Response])[] = [
  ['https://github.com/reddit-archive/reddit/wiki/OAuth2', '204', () => new Response(null, { status: 204 })],
  ['https://datatracker.ietf.org/doc/html/rfc7009', '202', () => new Response(null, { status: 202 })],
  [
    'https://github.com/navikt/mock-oauth2-server/pull/976',
    '200 and the text "ok"',
    () => new Response('ok'),
  ],
  [
    'https://github.com/apifest/apifest-oauth20/issues/64',
    '200 and JSON',
    () => json(200, { revoked: 'true' }),
  ],
];

/** Answers with a user code. */
export const devices: readonly (readonly [source: string, input: string, members: object])[] = [
  [
    'https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/984',
    'its address is called "verification_url"',
    { verification_uri: undefined, verification_url: 'https://provider.example/device' },
  ],
  [
    'https://developers.google.com/identity/protocols/oauth2/limited-input-device',
    'its code is a number',
    { user_code: 12_345_678 },
  ],
  [
    'https://github.com/panva/oauth4webapi/pull/47',
    'its times are texts',
    { interval: '5', expires_in: '1800' },
  ],
];

/** Values of `Retry-After` at 12:00:00, and what they say in seconds. */
export const retryAfters: readonly (readonly [source: string, value: string, seconds: number])[] = [
  ['https://github.com/getsentry/sentry/issues/7919', '292.052427053', 292.052427053],
  ['https://github.com/JustinBeckwith/linkinator/pull/556', '30s', 30],
  ['https://github.com/urllib3/urllib3/issues/1822', '1m30s', 90],
  ['https://pkg.go.dev/time#Duration.String', '1500ms', 1.5],
  ['https://www.rfc-editor.org/rfc/rfc9110#section-5.2', '30, 30', 30],
  ['https://www.rfc-editor.org/rfc/rfc9110#field.retry-after', '30 seconds', 30],
  ['https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api', '1795262490', 90],
  ['https://www.rfc-editor.org/rfc/rfc3339', '2026-11-21T12:01:30Z', 90],
];

/** Answers of UserInfo. */
export const userInfos: readonly FieldCase[] = [
  {
    source: 'https://github.com/zitadel/oidc/pull/139',
    input: 'Cognito calls the e-mail address verified with a text',
    script: {
      claims: { email: undefined, email_verified: undefined },
      ...userInfo({ sub: 'ada', email: 'ada@example.com', email_verified: 'true' }),
    },
    right: { email: 'ada@example.com', emailVerified: true },
  },
  {
    source: 'https://github.com/DuendeArchive/identity-model-oidc-client-js/issues/1315',
    input: 'JSON is called plain text',
    script: { claims: { name: null }, ...userInfo(withType('{"sub":"ada","name":"Ada L."}', 'text/plain')) },
    right: { name: 'Ada L.' },
  },
  {
    source: 'https://github.com/manfredsteyer/angular-oauth2-oidc/issues/548',
    input: 'the subject is a number in UserInfo and its text in the ID token',
    script: { claims: { sub: '123', name: null }, ...userInfo({ sub: 123, name: 'Ada L.' }) },
    right: { subject: '123', name: 'Ada L.' },
  },
];

/** Errors for a client that is registered as another kind, and the cause that the popup and the doctor find. */
export const registrations: readonly (readonly [
  source: string,
  cause: 'platform' | 'client',
  error: string,
  description: string,
])[] = [
  [
    'https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/5196',
    'platform',
    'invalid_request',
    "AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
  ],
  [
    'https://github.com/heymind/OneDrive-Index-Cloudflare-Worker/issues/51',
    'platform',
    'invalid_request',
    "AADSTS90023: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
  ],
  [
    'https://github.com/sidebase/nuxt-auth/issues/301',
    'platform',
    'invalid_request',
    "AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
  ],
  [
    'https://github.com/Azure-Samples/ms-identity-javascript-v2/issues/18',
    'platform',
    'invalid_client',
    "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  ],
  [
    'https://github.com/manfredsteyer/angular-oauth2-oidc/issues/812',
    'client',
    'invalid_request',
    'client_secret is missing.',
  ],
  [
    'https://github.com/keycloak/keycloak/issues/26623',
    'client',
    'unauthorized_client',
    'Client secret not provided in request',
  ],
  [
    'https://github.com/keycloak/keycloak/issues/16923',
    'client',
    'unauthorized_client',
    'Invalid client or Invalid client credentials',
  ],
  ['https://github.com/django-oauth/django-oauth-toolkit/issues/1426', 'client', 'invalid_client', ''],
];

/** Answers to a device code. */
export const polls: readonly (readonly [
  source: string,
  input: string,
  answer: () => Response,
  right: object,
])[] = [
  [
    'https://developers.google.com/identity/protocols/oauth2/limited-input-device',
    'Google answers 428',
    () => json(428, { error: 'authorization_pending', error_description: 'Precondition Required' }),
    { outcome: 'pending' },
  ],
  [
    'https://github.com/twitchdev/issues/issues/975',
    'Twitch has the code as "message"',
    () => json(400, { status: 400, message: 'authorization_pending' }),
    { outcome: 'pending' },
  ],
  [
    'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    'GitHub answers 200',
    () => json(200, { error: 'slow_down', interval: 10 }),
    { outcome: 'too-fast' },
  ],
  [
    'https://github.com/OpenIdentityPlatform/OpenAM/issues/627',
    'OpenAM has a code of its own for a refusal',
    () => json(403, { error: 'authorization_declined' }),
    { code: 'denied' },
  ],
  [
    'https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/984',
    'Entra had a code of its own for the end',
    () => json(400, { error: 'code_expired' }),
    { outcome: 'expired' },
  ],
  [
    'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9',
    'a proxy has waited for too long',
    () => text(408, ''),
    { outcome: 'unreachable' },
  ],
];
