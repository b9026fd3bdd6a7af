// Responses of token endpoints to the doctor's made-up code, as public reports tell: whether they refuse only the code, and what else
// they want. The worker reads the same answers in answers.test.ts.

import { expect, test } from 'vitest';
import { bad, examine } from '../support/doctor-scene.ts';
import { answerWhen, at, html, json, oauthError, type Answer } from '../support/healthy-provider.ts';

const form = (text: string) =>
  new Response(text, { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const toExtensions = (answer: Answer) =>
  answerWhen(({ origin }) => origin !== null, answer, oauthError('invalid_grant'));

test.each<[source: string, input: string, answer: Answer, code?: string]>([
  [
    'https://support.auth0.com/center/s/article/troubleshoot-refresh-token-unknown-or-invalid-before-expiry-403-unknown-or-invalid-refresh-token',
    'a refused code with 403',
    oauthError('invalid_grant', '', 403),
  ],
  ['apereo/cas#2903', 'a refused code with 401', oauthError('invalid_grant', '', 401)],
  [
    'lelylan/simple-oauth2#459',
    "GitHub's code with 200, in a form",
    form('error=bad_verification_code&error_description=x'),
  ],
  ['okta/okta-idx-java#500', 'a refused code as "errorCode"', json({ errorCode: 'invalid_grant' }, 400)],
  ['speakeasy-api/gram#5638', 'a refused code in a list', json({ errors: ['invalid_grant'] }, 400)],
  [
    'jentic/jentic-one#1339',
    'a refused code in a problem of RFC 9457',
    json({ type: 'invalid_grant', detail: 'x' }, 400),
  ],
  [
    'casdoor/casdoor#2964',
    'an error in place of the access token',
    json({ access_token: 'error: invalid authorization code', id_token: '', expires_in: 0 }),
    'token-answer-unclear',
  ],
  ['RFC 6749 section 5.2', 'a refused code in capital letters', json({ error: 'INVALID_GRANT' }, 400)],
  [
    'auth0/auth0-spa-js#539',
    'Auth0 wants a secret',
    oauthError('access_denied', 'Unauthorized', 401),
    'secret-wanted',
  ],
  [
    'https://docs.nestjs.com/exception-filters',
    'a guard of NestJS forbids the origin',
    toExtensions(json({ statusCode: 403, error: 'Forbidden', message: 'x' }, 403)),
    'origin-refused',
  ],
  [
    'https://docs.spring.io/spring-framework/reference/web/webmvc-cors.html',
    'Spring forbids the origin',
    toExtensions(new Response('Invalid CORS request', { status: 403 })),
    'origin-refused',
  ],
  [
    'https://docs.spring.io/spring-boot/reference/web/servlet.html',
    'nothing is at the address, which Spring Boot says in JSON',
    json({ status: 404, error: 'Not Found', path: '/token' }, 404),
    'token-endpoint-broken',
  ],
  [
    'panva/openid-client#666',
    'tokens for any code, with 201',
    json({ access_token: 'x' }, 201),
    'code-unchecked',
  ],
  [
    'lelylan/simple-oauth2#459',
    'tokens for any code, in a form',
    form('access_token=x&token_type=bearer'),
    'code-unchecked',
  ],
  [
    'better-auth/better-auth#8103',
    'a refused code that is called a wrong request',
    oauthError('invalid_request', 'code not found'),
    'token-answer-unclear',
  ],
  [
    'https://en.wikipedia.org/wiki/Captive_portal',
    'a web page with 200',
    html('Sign in'),
    'token-answer-unclear',
  ],
])('%s: the doctor reads %s', async (_source, _input, answer, fault) => {
  const { report } = await examine(at('/token', answer));
  expect([...new Set(bad(report).map(({ code }) => code))]).toEqual(fault === undefined ? [] : [fault]);
});
