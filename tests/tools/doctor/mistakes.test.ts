// The doctor's findings at a provider or in the settings, by the part that has the mistake. The files in `mistakes` have its words:
// run this file with `-u` after a change of them, and read the difference.

import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { describeReports, examine, type Settings } from '../../support/doctor-scene.ts';
import {
  answerWhen,
  at,
  discovery,
  html,
  issuer,
  json,
  oauthError,
  publicKey,
  redirect,
  redirectBack,
  type Answer,
  type Replaced,
  type SentRequest,
} from '../../support/healthy-provider.ts';
import { createSigningKey, toMetadata } from '../../support/scripted-provider.ts';

/** The difference from a healthy provider, and the settings. */
type Scene = Replaced & { readonly settings?: Settings };

const other = 'https://login.other.example';
const entra = 'https://login.microsoftonline.com';
const guid = '11111111-2222-3333-4444-555555555555';

/** A discovery document at another address than below the default issuer. */
const documentAt = (address: string, named: string): Replaced => ({
  document: { issuer: named },
  answers: {
    [address + discovery]: json({ ...toMetadata(issuer), issuer: named }),
    [`${issuer}/authorize`]: redirectBack('login_required', { iss: named }),
  },
});

/** A provider to which requests are pushed, and which takes each of them so often. */
function pushing(times: number): Scene {
  const pushed = new Map<string, { readonly request: SentRequest; left: number }>();
  return {
    settings: { par: 'always' },
    document: { pushed_authorization_request_endpoint: `${issuer}/par` },
    answers: {
      [`${issuer}/par`](request) {
        const request_uri = `urn:ietf:params:oauth:request_uri:${pushed.size}`;
        pushed.set(request_uri, { request, left: times });
        return json({ request_uri, expires_in: 60 }, 201);
      },
      [`${issuer}/authorize`]({ parameters }) {
        const known = pushed.get(parameters.get('request_uri') ?? '');
        if (known === undefined || known.left === 0) return oauthError('invalid_request_uri');
        known.left -= 1;
        return redirectBack('login_required')(known.request);
      },
    },
  };
}

const page = (answer: Answer) => at('/authorize', answer);
const token = (answer: Answer) => at('/token', answer);
const refusing = (...error: Parameters<typeof oauthError>) => token(oauthError(...error));
const keySet = (answer: Answer) => at('/keys', answer);
const isFirefoxUri = ({ parameters }: SentRequest) =>
  /extensions\.allizom\.org/.test(parameters.get('redirect_uri') ?? '');

const forbidden = new Response('', { status: 403 });
const isFirefox = ({ origin }: SentRequest) => origin?.startsWith('moz-extension://') === true;
const isExtension = ({ origin }: SentRequest) => origin?.includes('-extension://') === true;

const algorithm = { name: 'RSASSA-PKCS1-v1_5', publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
const smallPair = await crypto.subtle.generateKey({ ...algorithm, modulusLength: 1024 }, true, ['sign']);
const smallKey = { ...(await exportJWK(smallPair.publicKey)), alg: 'RS256' };
const { jwk: ellipticKey } = await createSigningKey();
const untrusted = Object.assign(new Error('fetch failed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
const privateKey = await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey);

/** Each mistake by the part that has it, as the difference from a provider without one. */
const mistakes: Readonly<Record<string, Readonly<Record<string, Scene>>>> = {
  issuer: {
    'a slash that the provider does not write': { settings: { issuer: `${issuer}/` } },
    'a slash that the configuration lacks': {
      document: { issuer: `${issuer}/` },
      ...page(redirectBack('login_required', { iss: `${issuer}/` })),
    },
    'an authorization endpoint as the issuer': {
      settings: { issuer: `${issuer}/realms/acme/protocol/openid-connect/auth` },
      ...documentAt(`${issuer}/realms/acme`, `${issuer}/realms/acme`),
    },
    // Servers that follow RFC 8414 answer so: https://github.com/apollographql/apollo-mcp-server/pull/811
    'a document where RFC 8414 puts it': {
      settings: { issuer: `${issuer}/acme` },
      answers: {
        [`${issuer}${discovery}/acme`]: json({ ...toMetadata(issuer), issuer: `${issuer}/acme` }),
      },
    },
    // https://github.com/spring-projects/spring-security/pull/17927
    'the path of nothing as the issuer, where a single-page application answers': {
      settings: { issuer: `${issuer}/nothing` },
      ...at(`/nothing${discovery}`, html('Welcome')),
    },
    'the path of nothing as the issuer': { settings: { issuer: 'https://other.acme.example/nothing' } },
    'Entra with "common"': {
      settings: { issuer: `${entra}/common/v2.0`, origins: [issuer] },
      ...documentAt(`${entra}/common/v2.0`, `${entra}/{tenantid}/v2.0`),
    },
    'External ID with its subdomain': {
      settings: { issuer: `https://contoso.ciamlogin.com/${guid}/v2.0`, origins: [issuer] },
      ...documentAt(
        `https://contoso.ciamlogin.com/${guid}/v2.0`,
        `https://${guid}.ciamlogin.com/${guid}/v2.0`,
      ),
    },
  },
  'discovery document': {
    'a token endpoint on a host that is not configured': { document: { token_endpoint: `${other}/token` } },
    'two hosts that are not configured': {
      document: {
        token_endpoint: 'https://tokens.other.example/token',
        jwks_uri: 'https://keys.other.example/keys',
      },
    },
    'no token endpoint': { document: { token_endpoint: undefined } },
    'a redirect': at(discovery, redirect(`${other}/configuration`)),
    'a document over the cap': at(discovery, () => new Response('x'.repeat(300_000))),
    'a web page in place of the document': at(discovery, html('Sign in to the network')),
    'a provider that forbids its document': at(discovery, html('Forbidden', 403)),
    'a server of plain OAuth 2': {
      answers: {
        [issuer + discovery]: html('Not found', 404),
        [`${issuer}/.well-known/oauth-authorization-server`]: json({
          issuer,
          token_endpoint: `${issuer}/token`,
        }),
      },
    },
    // MCP servers answer at the address of OpenID too: https://github.com/juspay/juspay-mcp/pull/122
    'metadata of plain OAuth 2 at the address of OpenID': at(
      discovery,
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        scopes_supported: ['mcp:tools'],
        response_types_supported: ['code'],
      }),
    ),
    // Keycloak behind a proxy that ends TLS: https://github.com/keycloak/keycloak/issues/20549
    'endpoints in clear text, because of a proxy': {
      document: { token_endpoint: 'http://id.acme.example/token', jwks_uri: 'http://id.acme.example/keys' },
    },
    'an issuer in clear text, because of a proxy': { document: { issuer: 'http://id.acme.example' } },
    'only HS256': { document: { id_token_signing_alg_values_supported: ['HS256', 'none'] } },
    'DPoP with other algorithms': {
      settings: { dpop: 'required' },
      document: { dpop_signing_alg_values_supported: ['RS256'] },
    },
    'a sign-in page on a host that is not configured': {
      document: { authorization_endpoint: `${other}/authorize` },
    },
    'no scope "openid"': { document: { scopes_supported: ['email'] } },
    'no authorization code flow, where the sign-in page does not say': {
      document: { response_types_supported: ['id_token', 'token'] },
      ...page(html('Sign in')),
    },
    'a UserInfo endpoint on a host that is not configured': {
      document: { userinfo_endpoint: `${other}/userinfo` },
    },
    'a revocation endpoint without https': {
      document: { revocation_endpoint: 'http://id.acme.example/revoke' },
    },
    'PKCE without S256': { document: { code_challenge_methods_supported: ['plain'] } },
    'a scope that the provider does not list': { settings: { scope: 'openid offline_access notes' } },
    'a grant for refresh tokens that is neither listed nor known': {
      document: { grant_types_supported: ['authorization_code'] },
      ...token(({ parameters }) =>
        oauthError(parameters.has('code') ? 'invalid_grant' : 'unsupported_grant_type'),
      ),
    },
    'no scope "offline_access" at the provider': {
      document: { scopes_supported: ['openid', 'profile', 'email'] },
    },
    'no scope "offline_access" in the configuration': { settings: { scope: 'openid' } },
    'no verified e-mail for "allowed"': {
      settings: { allowed: { email: ['ada@acme.example'] } },
      document: { claims_supported: ['email'] },
    },
    'DPoP that the provider does not mention': { settings: { dpop: 'required' } },
    'no revocation': { document: { revocation_endpoint: null } },
    'no logout page': { document: { end_session_endpoint: undefined } },
    'a clock that is ahead': { aheadMs: 20 * 60_000 },
  },
  keys: {
    'no keys': { keys: [] },
    'keys of another kind': { keys: [ellipticKey, { kty: 'oct', k: 'c2VjcmV0' }] },
    'a private key': { keys: [privateKey] },
    'keys for encryption alone': { keys: [{ ...publicKey, use: 'enc' }] },
    'a key of too few bits': { keys: [smallKey] },
    'a certificate alone': { keys: [{ kty: 'RSA', use: 'sig', x5c: ['MIIB'] }] },
    'no key set': keySet(json({ keys: 'none' })),
    'keys over the cap': keySet(() => new Response(' '.repeat(300_000))),
    'keys that redirect': keySet(redirect('/jwks.json')),
    'a certificate that a browser may trust': keySet(() => Promise.reject(untrusted)),
  },
  'token endpoint': {
    'an Origin that is not on the list, in each browser': token(
      answerWhen(isExtension, forbidden, oauthError('invalid_grant')),
    ),
    'an Origin that an error names': refusing(
      'invalid_request',
      'origin chrome-extension://x not allowed for client: acme',
    ),
    'a firewall that refuses everything': token(forbidden),
    'a client that the provider knows, and a secret that it wants': refusing('invalid_client', '', 401),
    'a secret that is asked for in words': refusing('invalid_request', 'client_secret is missing.'),
    'a client that neither endpoint explains': {
      answers: {
        [`${issuer}/token`]: () => new Response('', { status: 401 }),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    'a web client at Entra': refusing(
      'invalid_request',
      'AADSTS9002326: Cross-origin token redemption is permitted.',
    ),
    'a proxy that takes the Origin away from Entra': refusing(
      'invalid_request',
      'AADSTS9002327: Only via cross-origin requests.',
    ),
    'a confidential client at Entra': refusing(
      'invalid_client',
      'AADSTS7000218: The body must contain client_secret.',
      401,
    ),
    'a client that may not redeem codes': refusing('unauthorized_client'),
    'a client that neither endpoint knows to redeem codes': {
      answers: {
        [`${issuer}/token`]: oauthError('unauthorized_client', '', 403),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    'a secret wanted with status 200, in a form': token(
      () => new Response('error=incorrect_client_credentials&error_description=x'),
    ),
    'tokens for any code': token(json({ access_token: 'token-1', token_type: 'Bearer' })),
    'no grant for codes': refusing('unsupported_grant_type'),
    'nothing at the token endpoint': token(html('Not found', 404)),
    'a token endpoint that redirects': token(redirect('https://www.acme.example/')),
    'a provider that wants DPoP': refusing('invalid_dpop_proof', 'A proof is required.'),
    'an Origin that is not on the list, in Firefox alone': token(
      answerWhen(isFirefox, forbidden, oauthError('invalid_grant')),
    ),
    'a secret that the discovery document asks for, where the endpoint does not say': {
      document: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      ...refusing('invalid_request', 'malformed'),
    },
    'an error of OAuth that says nothing, whatever its status': refusing('try_again', '', 403),
    'a success without a token': token(json({})),
    'a token endpoint that fails': token(html('Oops', 503)),
    'errors with status 200': token(
      json({ error: 'bad_verification_code', error_description: 'The code is incorrect.' }),
    ),
  },
  'sign-in page': {
    'a redirect URI that is not registered, in Firefox alone': page(
      answerWhen(isFirefoxUri, oauthError('invalid_redirect_uri'), redirectBack('login_required')),
    ),
    'a redirect URI that a page refuses in words': page(html('The callback URL is not allowed', 400)),
    'a redirect URI that Entra refuses on a page with status 200': page(
      html('<script>{"message":"AADSTS50011: The redirect URI does not match"}</script>'),
    ),
    'a redirect URI that is refused on another page of the provider': {
      answers: {
        [`${issuer}/authorize`]: redirect('/error?error=redirect_uri_mismatch'),
        [`${issuer}/error`]: html('Something went wrong'),
      },
    },
    'a redirect URI that is refused in a redirect, described as data': page(
      json({ redirect: true, url: `${issuer}/error?error=invalid_redirect` }),
    ),
    'a client ID that is not registered': page(oauthError('invalid_client', 'client is invalid')),
    'a client ID that is not registered, whatever the token endpoint says': {
      answers: {
        [`${issuer}/authorize`]: oauthError('invalid_client'),
        [`${issuer}/token`]: oauthError('unauthorized_client', '', 403),
      },
    },
    'a tenant of Entra that has another client': page(
      html('<script>{"message":"AADSTS50194: Not configured as a multi-tenant application"}</script>'),
    ),
    'a scope that the provider refuses': page(
      redirectBack('invalid_scope', { error_description: 'offline_access is unknown' }),
    ),
    'a client without the code flow': page(redirectBack('unauthorized_client')),
    'a request that the provider refuses': page(
      redirectBack('invalid_request', { error_description: 'display is unsupported' }),
    ),
    'no sign-in page': page(html('Not found', 404)),
    'a page that does not answer': page(() => Promise.reject(new TypeError('failed'))),
    'a request that cannot be pushed': { settings: { par: 'always' } },
    // Keycloak did so: https://github.com/keycloak/keycloak/pull/36830
    'a pushed request that the provider takes once': pushing(1),
    'a pushed request that the provider takes until it ends': pushing(Infinity),
    'a provider that ignores prompt=none': page(html('Sign in')),
    'a provider that shows its page with an error status to everyone': page(html('Sign in', 401)),
    'a provider whose page for people has an error status, though it answers a silent request': page(
      (request) =>
        request.parameters.has('prompt') ? redirectBack('login_required')(request) : html('Sign in', 401),
    ),
    'a provider that refuses scripts, and shows its page to browsers': page((request) =>
      request.headers.get('accept')?.startsWith('text/html')
        ? html('Sign in')
        : json({ error: 'not authenticated' }, 401),
    ),
    'a provider that sends everyone to another host': page(redirect('https://login.other.example/?next=1')),
    'a redirect as data that leads nowhere': page(json({ redirect: true, url: '/sign-in' })),
    'a provider that redirects in circles': page(redirect('/authorize')),
    'a page that forbids the request without saying why': page(html('Forbidden', 403)),
    'an answer with another state': page(redirectBack('login_required', { state: 'another' })),
    // https://github.com/django-oauth/django-oauth-toolkit/issues/1846
    'a refusal without the issuer that the document promises': page(
      redirectBack('login_required', { iss: '' }),
    ),
    // https://github.com/nemarOrg/orcid-mock
    'a refusal that is a bare word': page(({ parameters }) =>
      redirect(`${parameters.get('redirect_uri')}#login_required`),
    ),
    'an error of the server at the redirect URI': page(redirectBack('server_error')),
    'a sign-in page that fails': page(html('Oops', 500)),
  },
  // An endpoint's answer counts for more than the discovery document.
  nothing: {
    'a sign-in page on another host that the configuration names': {
      settings: { metadata: { authorization_endpoint: `${other}/authorize` } },
      answers: { [`${other}/authorize`]: redirectBack('login_required') },
    },
    'a provider that lists no claims, for "allowed"': {
      settings: { allowed: { email: ['ada@acme.example'] } },
      document: { claims_supported: undefined },
    },
    'a code that is refused as forbidden, by an error of OAuth, without a secret': {
      document: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      ...refusing('invalid_code', '', 403),
    },
    'a refresh token that is refused, where the document lists no such grant': {
      document: { grant_types_supported: ['authorization_code'] },
    },
    'a request for a code that is accepted, where the document lists no such response type': {
      document: { response_types_supported: ['token'] },
    },
    'access_denied, which comes after the checks': page(redirectBack('access_denied')),
    'a redirect that is described as data': page((request) => {
      const { headers } = redirectBack('login_required')(request);
      return Response.json({ redirect: true, url: headers.get('location') });
    }),
  },
};

test.each(Object.entries(mistakes))('what the doctor says of a mistake in: %s', async (part, scenes) => {
  const said = describeReports(scenes, async ({ settings, ...replaced }) => {
    return (await examine(replaced, settings)).report;
  });
  await expect(await said).toMatchFileSnapshot(`mistakes/${part.replace(' ', '-')}.txt`);
});
