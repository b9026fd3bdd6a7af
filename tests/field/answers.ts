// Answers that real providers give, as public reports tell them: what was answered, and what is right. Names, tokens and hosts are
// replaced. Further cases belong into the list of their request. A source such as "owner/name#1" is an issue or a pull request at GitHub.

import { plainSettings, type Answer, type Script } from '../support/scripted-provider.ts';

/** One report: where it is, the unusual part of it, members of the right result or problem, and the status of a good answer. */
export type FieldCase = [source: string, input: string, script: Script, right: object, status?: number];

const json = (status: number, members: unknown, headers = {}) => Response.json(members, { status, headers });
const text = (status: number, words: string) => new Response(words, { status });
const tokenAnswer = (answer: Answer): Script => ({ answers: { '/token': answer } });
const body = (...answer: Parameters<typeof json>) => tokenAnswer(json(...answer));
const prose = (...answer: Parameters<typeof text>) => tokenAnswer(text(...answer));
const userInfo = (answer: Answer): Script => ({ answers: { '/userinfo': answer } });
const withType = (words: string, type: string) => new Response(words, { headers: { 'content-type': type } });

const said = (status: number, error: string, error_description?: string) =>
  body(status, { error, error_description });
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

/** Cases of which one result is right. */
const where = (
  right: object,
  cases: readonly (readonly [source: string, input: string, script: Script, status?: number])[],
): readonly FieldCase[] =>
  cases.map(([source, input, script, ...status]) => [source, input, script, right, ...status]);

const slack = 'https://docs.slack.dev/reference/methods/oauth.v2.access';

/** Answers to a refresh token. */
export const renewals: readonly FieldCase[] = [
  ...where(refused, [
    [
      'https://support.auth0.com/center/s/article/troubleshoot-refresh-token-unknown-or-invalid-before-expiry-403-unknown-or-invalid-refresh-token',
      'a dead token is answered with 403',
      said(403, 'invalid_grant', 'Unknown or invalid refresh token.'),
    ],
    ['FlowFuse/flowfuse#8547', 'a dead token is called a wrong request', said(400, 'invalid_request')],
    [
      'lelylan/simple-oauth2#459',
      'a dead token is answered with 200, and GitHub has a code of its own for it',
      said(200, 'bad_refresh_token', 'It is incorrect or expired.'),
    ],
    [
      'supabase/auth#2829',
      'a dead token is answered without "error", with "error_code" and a numeric code',
      body(400, { code: 400, error_code: 'refresh_token_not_found', msg: 'Not found' }),
    ],
    ['keboola/cli#535', 'a dead token is answered with 401 and prose', prose(401, 'Invalid refresh token.')],
    [
      'vaadin/vaadin-connect#335',
      'a dead token is answered with 401 and a code that no standard has',
      body(401, { error: 'unauthorized' }, { 'www-authenticate': 'Bearer realm="x"' }),
    ],
    [
      'panva/openid-client#380',
      'the client may not use refresh tokens, which is called an unknown client',
      said(401, 'invalid_client', 'Unauthorized grant type'),
    ],
    [
      'keycloak/keycloak#4510',
      'Keycloak has a limit for how often a token is used',
      said(400, 'invalid_grant', 'Maximum allowed refresh token reuse exceeded'),
    ],
    ['apereo/cas#2903', 'a dead token is answered with the code alone, as text', prose(400, 'invalid_grant')],
    [
      'raycast/extensions#11836',
      'a dead token is called a client that may not do so, at Atlassian without OpenID Connect',
      ofPlain(said(403, 'unauthorized_client', 'refresh_token is invalid')),
    ],
    [
      'better-auth/better-auth#8103',
      'the user of a token is gone, which is called a wrong request, without OpenID Connect',
      ofPlain(said(400, 'invalid_request', 'user not found')),
    ],
    [
      'luikyv/go-oidc#108',
      'an unknown token is called a wrong request, without OpenID Connect',
      ofPlain(said(400, 'invalid_request', 'refresh token not found')),
    ],
    [
      'speakeasy-api/gram#5638',
      'a dead token is answered with a list of codes',
      body(400, { errors: ['invalid_grant'] }),
    ],
    [
      'jentic/jentic-one#1339',
      'a dead token is answered with 403 and a problem of RFC 9457',
      body(403, { type: 'invalid_grant', detail: 'consent grant has been revoked' }),
    ],
    [
      'Menci/Floway#340',
      'OpenAI says that a token was used before',
      body(401, { error: { message: 'x', type: 'invalid_request_error', code: 'refresh_token_reused' } }),
    ],
  ]),
  ...where(passing, [
    [
      'huskarl-rs/huskarl#198',
      'the server fails with 500, and repeats an error code',
      said(500, 'invalid_grant'),
    ],
    ['micronaut-projects/micronaut-security#235', 'a dead token is answered with 500', prose(500, '')],
    [
      'segmentio/action-destinations#2300',
      'Salesforce still answers an earlier request with this token',
      said(400, 'invalid_grant', 'token request is already being processed'),
    ],
    [slack, 'Slack fails inside, with 200', said(200, 'internal_error')],
    [slack, "Slack's service is away, with 200", said(200, 'service_unavailable')],
    [
      'https://developers.facebook.com/docs/graph-api/guides/error-handling/',
      'Meta limits requests with 400',
      body(400, {
        error: { message: '(#4) Application request limit reached', type: 'OAuthException', code: 4 },
      }),
    ],
    [
      'amazon-connect/amazon-connect-salesforce-lambda#43',
      'Salesforce wants the request to be repeated',
      said(400, 'unknown_error', 'retry your request'),
    ],
    [
      'googleapis/google-auth-library-python#368',
      'Google fails inside, with 400',
      said(400, 'internal_failure'),
    ],
    [
      'aws-amplify/amplify-js#6767',
      'Cognito limits requests with 400',
      body(400, { __type: 'TooManyRequestsException', message: 'Rate exceeded' }),
    ],
    [
      'websmurf/laravel-exact-online#31',
      'Exact Online limits requests with 400 and "access_denied"',
      said(400, 'access_denied', 'Rate limit exceeded: access_token not expired'),
    ],
    [
      'AzureAD/microsoft-authentication-library-for-js#547',
      'Entra limits requests with 400',
      said(
        400,
        'invalid_grant',
        'AADSTS50196: The server terminated an operation because it encountered a client request loop.',
      ),
    ],
    [
      'snarfed/bridgy#450',
      'Facebook fails for a while, with 401',
      body(401, { error: { message: 'x', type: 'OAuthException', is_transient: true, code: 2 } }),
    ],
    ['RFC 9110 section 15.5.9', 'a proxy has waited for the request for too long', prose(408, '')],
    [
      'ScaleOvenStove/crosswithfriends#566',
      'another request with this token is under way, which stands in place of a code',
      said(401, 'Refresh in progress, please retry'),
    ],
    [
      'RFC 6749 section 5.2',
      'a code that passes is in capital letters',
      said(400, 'TEMPORARILY_UNAVAILABLE'),
    ],
  ]),
  ...where(misconfigured, [
    [
      'lelylan/simple-oauth2#459',
      'the client is unknown, without OpenID Connect',
      ofPlain(said(401, 'invalid_client', 'Client not found')),
    ],
    [
      'https://docs.spring.io/spring-boot/reference/web/servlet.html',
      'the address is wrong, and Spring Boot names the status where OAuth has its code',
      body(404, { timestamp: 1, status: 404, error: 'Not Found', path: '/token' }),
    ],
    [
      'https://docs.nestjs.com/exception-filters',
      'a guard of NestJS forbids the request, and names the status where OAuth has its code',
      body(403, { statusCode: 403, message: 'Forbidden resource', error: 'Forbidden' }),
    ],
  ]),
  ...where(renewedWhole, [
    ['panva/openid-client#666', 'tokens come with 201', { claims: { nonce: undefined } }, 201],
    [
      'panva/openid-client#532',
      'authentik wrote null for the claims that the ID token lacks',
      { claims: { nonce: null, at_hash: null, c_hash: null } },
    ],
    ['damienbod/angular-auth-oidc-client#491', 'the ID token has no nonce', { claims: { nonce: undefined } }],
  ]),
  ...where(renewed, [
    [
      'authts/oidc-client-ts#2107',
      'Cognito sends another auth_time with a rotated refresh token',
      { claims: { nonce: undefined, auth_time: 8 } },
    ],
    [
      'teiid/teiid#779',
      'the token type is missing',
      { token: { token_type: undefined, id_token: undefined } },
    ],
    [
      'MicrosoftDocs/azure-devops-docs#810',
      'the token type is "jwt-bearer", and the lifetime a text',
      { token: { token_type: 'jwt-bearer', expires_in: '3599', id_token: undefined } },
    ],
  ]),
  [
    'decocms/studio#6068',
    'a success has no access token, only a new refresh token',
    { token: { access_token: undefined, id_token: undefined } },
    { outcome: 'refresh-token-only', tokens: { accessToken: 'access-0', refreshToken: 'refresh-1' } },
  ],
];

/** The time at which the ID tokens of these reports were issued. */
const nowMs = () => 1_656_649_888_000;

/** Answers to a code. */
export const signIns: readonly FieldCase[] = [
  ...where(signedIn, [
    ['modelcontextprotocol/python-sdk#1502', 'tokens come with 201', {}, 201],
    [
      'panva/oauth4webapi#47',
      'Naver writes the lifetime as text',
      { token: { expires_in: '3600', token_type: 'bearer' } },
    ],
    ['oauthlib/oauthlib#675', 'the lifetime is null', { token: { expires_in: null } }],
    ['panva/oauth4webapi#182', 'the lifetime is 0', { token: { expires_in: 0 } }],
    [
      'authlib/authlib#309',
      'JetBrains Hub gives the time of the authentication a fraction',
      { claims: { auth_time: 1_610_238_400.717 } },
    ],
    [
      'panva/jose#73',
      'AD FS writes the time of the authentication as a date',
      { claims: { auth_time: '2020-03-14T18:52:01.180Z' } },
    ],
    [
      'nextauthjs/next-auth#550',
      'the time of the authentication is a text',
      { claims: { auth_time: '1596600000' } },
    ],
    [
      'openid/AppAuth-iOS#713',
      'the times of the ID token are texts',
      { nowMs, claims: { nbf: '1656649887', exp: '1656650187', iat: '1656649887', auth_time: '1656641395' } },
    ],
    [
      'IdentityPython/pyop#20',
      'the times of the ID token have fractions',
      { nowMs, claims: { iat: 1_656_649_887.05, exp: 1_656_650_187.05 } },
    ],
  ]),
  [
    'ramosbugs/oauth2-rs#86',
    'Twitch writes the scope as a list',
    { token: { scope: ['openid', 'user:read:email'] } },
    { ...signedIn, grantedScope: 'openid user:read:email' },
  ],
  [
    'casdoor/casdoor#2964',
    'Casdoor has an error in place of the access token, with 200',
    body(200, { access_token: 'error: invalid client_secret', id_token: '', expires_in: 0 }),
    { code: 'response-rejected' },
  ],
  [
    'nicokaiser/passport-apple#86',
    'Apple calls the e-mail address verified with a text, and only that address may sign in',
    { claims: { email_verified: 'true' }, provider: { allowed: { email: ['ada@example.com'] } } },
    { profile: { emailVerified: true } },
  ],
  ...where({ ...misconfigured, detail: 'token: invalid_client' }, [
    [
      'okta/okta-idx-java#500',
      'Okta names an unknown client as "errorCode"',
      body(401, { errorCode: 'invalid_client', errorSummary: 'Invalid value.', errorCauses: [] }),
    ],
    [
      'jentic/jentic-one#1339',
      'the client is unknown, in a problem of RFC 9457',
      body(400, { type: 'invalid_client', title: 'Bad Request', status: 400 }),
    ],
    ['auth0/auth0-spa-js#539', 'Auth0 wants a secret', said(401, 'access_denied', 'Unauthorized')],
    [
      'https://developers.google.com/identity/protocols/oauth2/web-server',
      'the client was deleted at Google',
      said(401, 'deleted_client', 'The OAuth client was deleted.'),
    ],
    [
      'vouch-sh/vouch#1048',
      'a challenge stands beside the error of the body',
      body(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="x"' }),
    ],
  ]),
];

/** Answers of a revocation endpoint to a token that it revokes. */
export const revocations: readonly (readonly [source: string, input: string, answer: () => Response])[] = [
  ['https://github.com/reddit-archive/reddit/wiki/OAuth2', '204', () => new Response(null, { status: 204 })],
  ['RFC 7009', '202', () => new Response(null, { status: 202 })],
  ['navikt/mock-oauth2-server#976', '200 and the text "ok"', () => new Response('ok')],
  ['apifest/apifest-oauth20#64', '200 and JSON', () => json(200, { revoked: 'true' })],
];

/** Answers with a user code. */
export const devices: readonly (readonly [source: string, input: string, members: object])[] = [
  [
    'AzureAD/microsoft-authentication-library-for-dotnet#984',
    'its address is called "verification_url"',
    { verification_uri: undefined, verification_url: 'https://provider.example/device' },
  ],
  [
    'https://developers.google.com/identity/protocols/oauth2/limited-input-device',
    'its code is a number',
    { user_code: 12_345_678 },
  ],
  ['panva/oauth4webapi#47', 'its times are texts', { interval: '5', expires_in: '1800' }],
];

/** Values of `Retry-After` at 12:00:00, and what they say in seconds. */
export const retryAfters: readonly (readonly [source: string, value: string, seconds: number])[] = [
  ['getsentry/sentry#7919', '292.052427053', 292.052427053],
  ['JustinBeckwith/linkinator#556', '30s', 30],
  ['urllib3/urllib3#1822', '1m30s', 90],
  ['https://pkg.go.dev/time#Duration.String', '1500ms', 1.5],
  ['RFC 9110 section 5.2', '30, 30', 30],
  ['https://www.rfc-editor.org/rfc/rfc9110#field.retry-after', '30 seconds', 30],
  ['https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api', '1795262490', 90],
  ['RFC 3339', '2026-11-21T12:01:30Z', 90],
];

/** Answers of UserInfo. */
export const userInfos: readonly FieldCase[] = [
  [
    'zitadel/oidc#139',
    'Cognito calls the e-mail address verified with a text',
    {
      claims: { email: undefined, email_verified: undefined },
      ...userInfo({ sub: 'ada', email: 'ada@example.com', email_verified: 'true' }),
    },
    { email: 'ada@example.com', emailVerified: true },
  ],
  [
    'DuendeArchive/identity-model-oidc-client-js#1315',
    'JSON is called plain text',
    { claims: { name: null }, ...userInfo(withType('{"sub":"ada","name":"Ada L."}', 'text/plain')) },
    { name: 'Ada L.' },
  ],
  [
    'manfredsteyer/angular-oauth2-oidc#548',
    'the subject is a number in UserInfo and its text in the ID token',
    { claims: { sub: '123', name: null }, ...userInfo({ sub: 123, name: 'Ada L.' }) },
    { subject: '123', name: 'Ada L.' },
  ],
];

/** Errors for a client that is registered as another kind, and the cause that the popup and the doctor find. */
export const registrations: readonly (readonly [
  source: string,
  cause: 'platform' | 'client',
  error: string,
  description: string,
])[] = [
  [
    'AzureAD/microsoft-authentication-library-for-js#5196',
    'platform',
    'invalid_request',
    "AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
  ],
  [
    'heymind/OneDrive-Index-Cloudflare-Worker#51',
    'platform',
    'invalid_request',
    "AADSTS90023: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
  ],
  [
    'sidebase/nuxt-auth#301',
    'platform',
    'invalid_request',
    "AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
  ],
  [
    'Azure-Samples/ms-identity-javascript-v2#18',
    'platform',
    'invalid_client',
    "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  ],
  ['manfredsteyer/angular-oauth2-oidc#812', 'client', 'invalid_request', 'client_secret is missing.'],
  ['keycloak/keycloak#26623', 'client', 'unauthorized_client', 'Client secret not provided in request'],
  [
    'keycloak/keycloak#16923',
    'client',
    'unauthorized_client',
    'Invalid client or Invalid client credentials',
  ],
  ['django-oauth/django-oauth-toolkit#1426', 'client', 'invalid_client', ''],
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
    'twitchdev/issues#975',
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
    'OpenIdentityPlatform/OpenAM#627',
    'OpenAM has a code of its own for a refusal',
    () => json(403, { error: 'authorization_declined' }),
    { code: 'denied' },
  ],
  [
    'AzureAD/microsoft-authentication-library-for-dotnet#984',
    'Entra had a code of its own for the end',
    () => json(400, { error: 'code_expired' }),
    { outcome: 'expired' },
  ],
  [
    'RFC 9110 section 15.5.9',
    'a proxy has waited for too long',
    () => text(408, ''),
    { outcome: 'unreachable' },
  ],
];
