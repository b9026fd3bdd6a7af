import { expect, test } from 'vitest';
import { broken, examine, less, open, testMistakes } from '../../support/doctor-scene.ts';
import { html, issuer, json, redirect } from '../../support/healthy-provider.ts';

const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
const other = 'https://login.other.example';

testMistakes('discovery document', broken, [
  {
    title: 'a token endpoint on a host that is not configured',
    replaced: { document: { token_endpoint: `${other}/token` } },
    finds: {
      code: 'host-missing',
      text: /at https:\/\/login\.other\.example, and the extension may not reach/,
      remedy: /"origins": \["https:\/\/login\.other\.example"\]/,
    },
  },
  {
    title: 'no token endpoint',
    replaced: { document: { token_endpoint: undefined } },
    finds: {
      code: 'discovery-unusable',
      text: /lacks an endpoint/,
      remedy: /"metadata" as "token_endpoint"/,
    },
  },
  {
    title: 'a discovery document that redirects',
    replaced: { answers: { [discoveryUrl]: redirect(`${other}/configuration`) } },
    finds: {
      code: 'discovery-redirects',
      text: /redirects to "https:\/\/login\.other\.example\/configuration"/,
    },
  },
  {
    title: 'a discovery document over the cap',
    replaced: { answers: { [discoveryUrl]: () => new Response('x'.repeat(300_000)) } },
    finds: { code: 'discovery-unusable', text: /larger than 262144 bytes/ },
  },
  {
    title: 'a web page in place of the discovery document',
    replaced: { answers: { [discoveryUrl]: html('Sign in to the network') } },
    finds: { code: 'provider-unreachable', text: /is not JSON/ },
  },
  {
    title: 'a provider that forbids its discovery document',
    replaced: { answers: { [discoveryUrl]: html('Forbidden', 403) } },
    finds: { code: 'discovery-unusable', text: /refuses the request: "discovery: HTTP 403/ },
  },
  {
    title: 'a server of plain OAuth 2',
    replaced: {
      answers: {
        [discoveryUrl]: html('Not found', 404),
        [`${issuer}/.well-known/oauth-authorization-server`]: json({
          issuer,
          token_endpoint: `${issuer}/token`,
        }),
      },
    },
    finds: { code: 'no-id-token', text: /OAuth 2\.0 without OpenID Connect/, remedy: /broker/ },
  },
  {
    title: 'only HS256',
    replaced: { document: { id_token_signing_alg_values_supported: ['HS256', 'none'] } },
    finds: { code: 'algorithms', text: /"HS256", "none" only/, remedy: /RS256/ },
  },
  {
    title: 'DPoP that the provider does with other algorithms',
    settings: { dpop: 'required' },
    replaced: { document: { dpop_signing_alg_values_supported: ['RS256'] } },
    finds: { code: 'dpop', text: /takes no ES256 proofs/ },
  },
]);

testMistakes('discovery document', open, [
  {
    title: 'a sign-in page on a host that is not configured',
    replaced: { document: { authorization_endpoint: `${other}/authorize` } },
    finds: {
      code: 'not-checked',
      text: /Only the discovery document names https:\/\/login\.other\.example, so the doctor has sent nothing/,
      remedy: /"origins", or the endpoint in "metadata"/,
    },
  },
  {
    title: 'no scope "openid"',
    replaced: { document: { scopes_supported: ['email'] } },
    finds: { code: 'no-id-token', text: /may issue no ID token/ },
  },
]);

testMistakes('discovery document', less, [
  {
    title: 'a UserInfo endpoint on a host that is not configured',
    replaced: { document: { userinfo_endpoint: `${other}/userinfo` } },
    finds: {
      code: 'endpoint-left-out',
      text: /userinfo_endpoint is not used.*name, e-mail or picture/,
      remedy: /"origins": \["https:\/\/login\.other\.example"\].*\{ "userinfo_endpoint": null \}/,
    },
  },
  {
    title: 'a revocation endpoint without https',
    replaced: { document: { revocation_endpoint: 'http://id.acme.example/revoke' } },
    finds: { code: 'endpoint-left-out', text: /revocation_endpoint is not used, because it is no https URL/ },
  },
  {
    title: 'no authorization code flow',
    replaced: { document: { response_types_supported: ['id_token', 'token'] } },
    finds: { code: 'code-flow-missing', text: /"id_token", "token", and not "code"/ },
  },
  {
    title: 'PKCE without S256',
    replaced: { document: { code_challenge_methods_supported: ['plain'] } },
    finds: { code: 'pkce', text: /PKCE with "plain"/ },
  },
  {
    title: 'a scope that the provider does not list',
    settings: { scope: 'openid offline_access notes' },
    finds: { code: 'scope', severity: 'warning', text: /does not list the scope "notes"/ },
  },
  {
    title: 'no grant for refresh tokens',
    replaced: { document: { grant_types_supported: ['authorization_code'] } },
    finds: { code: 'no-refresh-token', text: /the provider lists the grants "authorization_code" only/ },
  },
  {
    title: 'no scope "offline_access" at the provider',
    replaced: { document: { scopes_supported: ['openid', 'profile', 'email'] } },
    finds: { code: 'no-refresh-token', text: /does not list the scope "offline_access"/ },
  },
  {
    title: 'no scope "offline_access" in the configuration',
    settings: { scope: 'openid' },
    finds: { code: 'no-refresh-token', text: /does not ask for/, remedy: /Add "offline_access"/ },
  },
  {
    title: 'no verified e-mail for "allowed"',
    settings: { allowed: { email: ['ada@acme.example'] } },
    replaced: { document: { claims_supported: ['sub', 'email'] } },
    finds: { code: 'email-unverified', severity: 'warning', text: /"email_verified"/ },
  },
  {
    title: 'DPoP that the provider does not mention',
    settings: { dpop: 'required' },
    finds: { code: 'dpop', severity: 'warning', text: /does not say that it supports it/ },
  },
  {
    title: 'no revocation',
    replaced: { document: { revocation_endpoint: null } },
    finds: { code: 'no-revocation', severity: 'note', text: /on this device alone/ },
  },
  {
    title: 'no logout page',
    replaced: { document: { end_session_endpoint: undefined } },
    finds: { code: 'no-logout', severity: 'note', text: /not offered/ },
  },
  {
    title: 'a clock that is ahead',
    replaced: { aheadMs: 20 * 60_000 },
    finds: { code: 'clock', text: /20 minutes ahead of that of this computer/ },
  },
]);

test('the doctor names every host that is missing, in one run', async () => {
  const [tokens, keys] = ['https://tokens.other.example', 'https://keys.other.example'];
  const { report } = await examine({
    document: {
      token_endpoint: `${tokens}/token`,
      jwks_uri: `${keys}/keys`,
      authorization_endpoint: `${issuer}/a`,
    },
  });
  const remedies = report.findings.filter(({ code }) => code === 'host-missing').map(({ remedy }) => remedy);
  expect(remedies).toHaveLength(2);
  expect(remedies[1]).toContain(JSON.stringify([tokens, keys]));
});

test('a provider that lists no claims may verify e-mail addresses', async () => {
  const { report } = await examine(
    { document: { claims_supported: undefined } },
    { allowed: { email: ['ada@acme.example'] } },
  );
  expect(report.findings.map(({ code }) => code)).not.toContain('email-unverified');
});
