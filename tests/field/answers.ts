// Answers that real providers give, as public reports tell them: what was answered, and what is right. Names, tokens and hosts are
// replaced. Further cases belong into the list of their request.

import type { Answer, Script } from '../support/scripted-provider.ts';

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

const refused = { outcome: 'refused', problem: { code: 'expired' } };
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
