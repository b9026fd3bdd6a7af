// Answers at the redirect URI, as public reports of other projects and the documents of providers show them. Hosts, names and
// tokens are made up.

import { describe, expect, test } from 'vitest';
import { discover } from '../support/discover.ts';
import { isUnprovenRefusal, mayReopen, readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { createEndSessionRequest, readEndSessionResponse } from '../../src/oidc/end.ts';
import { idTokenFlow, readIdTokenResponse } from '../../src/parts/id-token.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { createScriptedProvider, issuer, redirectUri } from '../support/scripted-provider.ts';

/** `read`: as an answer that goes on to the tokens. `window`: refused, and the window opens once more. */
type Reading = 'read' | 'cancelled' | 'denied' | 'window' | 'unproven' | ProblemError['code'];

type Answer = readonly [what: string, end: string, source: string];

/** Answers by their readings. STATE, ISS, CODE and TOKEN stand for the values that the provider repeats or makes. */
const toRows = (answers: Partial<Record<Reading, readonly Answer[]>>) =>
  Object.entries(answers).flatMap(([reading, rows]) =>
    rows.map(([what, end, source]) => [what, end, reading, source] as const),
  );

const good = '?code=CODE&state=STATE&iss=ISS';
const refused = (error: string, more = '') => `?error=${error}&state=STATE&iss=ISS${more}`;

const ofCode = toRows({
  read: [
    [
      'a marker after the last parameter, which is the code',
      '?state=STATE&iss=ISS&code=CODE#_=_',
      'damienbod/angular-auth-oidc-client#2143',
    ],
    ['the route of a page that began the sign-in', `${good}#/authorize`, 'reddit-archive/reddit#1687'],
    ['a fragment after the state', `${good}#some_hash_value`, 'capacitor-community/generic-oauth2#182'],
    ['a language that an earlier page had in its fragment', `${good}#lang=de`, 'RFC 9110 section 10.2.2'],
    [
      'a route with a next address',
      `${good}#/signin?next=%2Fhome%3Fcode%3D1&lang=de`,
      'RFC 9110 section 10.2.2',
    ],
    [
      'the issuer of another provider upstream',
      `${good}#iss=https%3A%2F%2Fupstream.example`,
      'RFC 9110 section 10.2.2',
    ],
    [
      'a text fragment',
      `${good}#:~:text=sign%20in`,
      'https://developer.mozilla.org/en-US/docs/Web/URI/Reference/Fragment/Text_fragments',
    ],
    [
      'what Google adds',
      `${good}&scope=email+openid&authuser=0&hd=acme.example&prompt=consent`,
      'https://developers.google.com/identity/protocols/oauth2/web-server',
    ],
    [
      'what Keycloak adds, and an error without a value',
      `${good}&session_state=a.b.c&error=`,
      'RFC 6749 section 3.1',
    ],
    ['a parameter of no meaning twice', `${good}&utm_source=a&utm_source=b`, 'RFC 6749 section 4.1.2'],
  ],
  'response-rejected': [
    ['no state, as once at Planning Center', '?code=CODE&iss=ISS', 'planningcenter/developers#79'],
    ['no state behind a SAML provider, as once at Cognito', '?code=CODE', 'lifeomic/cli#77'],
    [
      'a fault of Cognito, without the state',
      '?error_description=Invalid+SAML+response+received&error=server_error',
      'aws/aws-sdk-js-v3#6201',
    ],
    ['a refusal without the issuer', '?error=access_denied&state=STATE', 'kentcdodds/kody#2279'],
    [
      'login_required with the state of another request',
      '?error=login_required&state=other&iss=ISS',
      'RFC 6749 section 10.12',
    ],
    ['another answer in the fragment', `${good}#access_token=x&state=STATE`, 'RFC 9700 section 4.3'],
  ],
  cancelled: [
    [
      'a cancel at LinkedIn',
      refused('user_cancelled_login', '&error_description=The+user+cancelled+LinkedIn+login'),
      'auth0/passport-linkedin-oauth2#47',
    ],
    [
      'a refusal at LinkedIn',
      refused('user_cancelled_authorize'),
      'aspnet-contrib/AspNet.Security.OAuth.Providers#480',
    ],
    ['a cancel at Apple', refused('user_cancelled_authorize'), 'nhosoya/omniauth-apple#23'],
    [
      'a cancel at Azure AD B2C, in the language of the page',
      refused('access_denied', '&error_description=AADB2C90091%3a+El+usuario+ha+salido.%0d%0aCorrelation+ID'),
      'Earlybyte/aad_oauth#72',
    ],
    [
      'a cancel with an account of Microsoft',
      refused('access_denied', '&error_subcode=cancel&error_description=The+user+has+denied+access'),
      'AzureAD/microsoft-authentication-library-for-dotnet#2991',
    ],
    [
      'a consent that the user declined at Entra',
      refused('consent_required', '&error_description=AADSTS65004%3A+User+declined+to+consent'),
      'https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes',
    ],
  ],
  denied: [
    ['a refusal in the fragment', '#error=access_denied&state=STATE&iss=ISS', 'RFC 6749 section 4.2.2.1'],
    [
      'a refusal at Facebook',
      refused('access_denied', '&error_reason=user_denied&error_code=200#_=_'),
      'https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/',
    ],
    ['a refusal at Slack', '?error=access_denied&state=STATE&iss=ISS', 'slackapi/java-slack-sdk#1075'],
    [
      'a user that Auth0 has blocked',
      refused('unauthorized', '&error_description=user%20is%20blocked'),
      'atinux/nuxt-auth-utils#456',
    ],
    [
      'an error of Facebook, which has a number alone',
      '?error_code=901&error_message=This+app+is+in+sandbox+mode.&state=STATE&iss=ISS',
      'jaredhanson/passport-oauth#16',
    ],
    ['a code that no standard has', refused('consent_denied'), 'RFC 6749 section 8.5'],
    ['a standard code in capital letters', refused('ACCESS_DENIED'), 'RFC 6749 section 4.1.2.1'],
  ],
  'provider-unreachable': [
    ['a limit', refused('rate_limit_exceeded'), 'RFC 6749 section 4.1.2.1'],
    ['a fault inside', refused('internal_error'), 'RFC 6749 section 4.1.2.1'],
  ],
  window: [
    [
      'a page of Keycloak that was open for too long',
      refused('temporarily_unavailable', '&error_description=authentication_expired'),
      'zmartzone/lua-resty-openidc#549',
    ],
    [
      'a pushed request that has ended while the page was open',
      refused('invalid_request_uri'),
      'JanssenProject/jans-auth-server#235',
    ],
    [
      'login_required to a request that shows a page',
      refused('login_required'),
      'DuendeArchive/identity-model-oidc-client-js#1393',
    ],
  ],
  'provider-misconfigured': [
    [
      'a client that GitHub has suspended',
      refused('application_suspended'),
      'https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-authorization-request-errors',
    ],
  ],
  unproven: [
    [
      'login_required without the issuer, from a server that leaves it out of errors',
      '?error=login_required&state=STATE',
      'django-oauth/django-oauth-toolkit#1846',
    ],
    ['the bare word of ORCID', '#login_required', 'https://github.com/nemarOrg/orcid-mock'],
  ],
});

const ofIdToken = toRows({
  denied: [
    [
      'a refusal in the query, as at Twitch',
      '?error=access_denied&error_description=The+user+denied+you+access&state=STATE&iss=ISS',
      'https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/',
    ],
    [
      'a refusal in both parts',
      '?error=access_denied&state=STATE&iss=ISS#error=access_denied&state=STATE&iss=ISS',
      'https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html',
    ],
  ],
  'provider-misconfigured': [
    [
      'an error in the query, as at servers with Authlib',
      '?error=invalid_scope&state=STATE&iss=ISS',
      'authlib/authlib#114',
    ],
    [
      'a response type that Twitch refuses',
      '?error=unsupported_response_type&error_description=Response+type+is+not+supported&state=STATE&iss=ISS',
      'justintv/Twitch-API#690',
    ],
  ],
  'response-rejected': [
    [
      'an error of another request in the query',
      '?error=access_denied&state=other&iss=ISS',
      'RFC 6749 section 10.12',
    ],
    [
      'the answer in the query',
      '?id_token=TOKEN&state=STATE',
      'https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html',
    ],
  ],
  read: [
    ['a parameter of the page in the query', '?lang=de#id_token=TOKEN&state=STATE', 'RFC 6749 section 4.2.2'],
  ],
  unproven: [['the bare word of ORCID', '#login_required', 'https://github.com/nemarOrg/orcid-mock']],
});

async function readingOf(result: Promise<unknown>): Promise<Reading> {
  try {
    await result;
    return 'read';
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (isUnprovenRefusal(error)) return 'unproven';
    return mayReopen(error) ? 'window' : error.code;
  }
}

// One pass: a random state may contain one of the words.
function fill(end: string, state: string): string {
  const values: Record<string, string> = {
    STATE: state,
    ISS: encodeURIComponent(issuer),
    CODE: 'code-1',
    TOKEN: 'eyJ.eyJ.x',
  };
  return redirectUri + end.replace(/STATE|ISS|CODE|TOKEN/g, (word) => values[word] ?? word);
}

describe('an answer to a request for a code', () => {
  test.each(ofCode)('with %s (%s) is %s: %s', async (_what, end, reading) => {
    const { client, authorize } = createScriptedProvider();
    const metadata = await discover(client);
    const { request } = await authorize();
    const result = readAuthorizationResponse(client, metadata, request, fill(end, request.state));
    expect(await readingOf(result)).toBe(reading);
  });
});

describe('an answer to a request for an ID token', () => {
  test.each(ofIdToken)('with %s (%s) is %s: %s', async (_what, end, reading) => {
    const { client } = createScriptedProvider({ provider: { responseType: 'id_token' } });
    const metadata = await discover(client);
    const request = await idTokenFlow.createRequest(client, metadata, redirectUri, {}, null);
    const result = readIdTokenResponse(client, metadata, request, fill(end, request.state));
    expect(await readingOf(result)).toBe(reading);
  });
});

describe('a sign-out', () => {
  /** An ID token with these claims, `length` characters long. */
  const toIdToken = (claims: object, length: number) => {
    const payload = Buffer.from(JSON.stringify({ ...claims, groups: '' })).toString('base64url');
    const filled = { ...claims, groups: 'g'.repeat(Math.max(0, ((length - payload.length - 4) * 3) / 4)) };
    return `h.${Buffer.from(JSON.stringify(filled)).toString('base64url')}.s`;
  };

  async function request(idToken: string) {
    const { client } = createScriptedProvider({ metadata: { end_session_endpoint: `${issuer}/logout` } });
    const created = createEndSessionRequest(client, await discover(client), { idToken, redirectUri });
    if (created === null) throw new Error('The provider has no end_session_endpoint.');
    return created;
  }

  const tid = '11111111-2222-4333-8444-555555555555';
  const login_hint = 'O.CiQwMDAwMDAwMC0wMDAw';

  test.each<
    [what: string, claims: object, length: number, isSent: boolean, hint: string | null, source: string]
  >([
    ['a short one', {}, 1_000, true, null, 'https://openid.net/specs/openid-connect-rpinitiated-1_0.html'],
    ['3 kB of roles', {}, 3_000, true, null, 'agentic-community/mcp-gateway-registry#1508'],
    ['18 kB', {}, 18_000, false, null, 'IdentityServer/IdentityServer3#3745'],
    ['4 kB of groups at Entra', { tid }, 4_000, false, null, 'aspnet/Security#1892'],
    [
      'the hint of Entra',
      { tid, login_hint },
      4_000,
      false,
      login_hint,
      'AzureAD/microsoft-authentication-library-for-js#4450',
    ],
    ['a short one of Entra with its hint', { tid, login_hint }, 1_000, true, login_hint, 'the same'],
    ['a hint of 2 kB', { login_hint: 'x'.repeat(2_000) }, 4_000, true, null, 'made up'],
  ])(
    'with %s in the ID token asks in fewer than 8,000 characters',
    async (_what, claims, length, isSent, hint) => {
      const { url } = await request(toIdToken(claims, length));
      const { searchParams } = new URL(url);
      expect(url.length).toBeLessThan(isSent ? 8_000 : 2_000);
      expect(searchParams.has('id_token_hint')).toBe(isSent);
      expect(searchParams.get('client_id')).toBe('client');
      expect(searchParams.get('logout_hint')).toBe(hint);
    },
  );

  test.each([
    ['?state=STATE#/signin?lang=de', 'confirmed'],
    ['?state=STATE#lang=de', 'confirmed'],
    ['?state=STATE&session_state=a&session_state=b', 'confirmed'],
    ['?state=STATE#code=code-2', 'unconfirmed'],
  ])('that ends at %s is %s', async (end, outcome) => {
    const asked = await request('h.e30.s');
    expect(readEndSessionResponse(asked, redirectUri, fill(end, asked.state))).toBe(outcome);
  });
});
