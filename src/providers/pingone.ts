// PingOne.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'PingOne',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the environment, such as "https://auth.pingone.eu/<environment id>/as"',
    },
  ],
  issuers: {
    example: 'https://auth.pingone.<region>/<environment id>/as',
    patterns: [/^https:\/\/auth\.pingone\.[^/]+(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/auth\.pingone\.[^/]{1,100}\/[^/]{1,100}\/?$/,
        advice: 'Add "/as" after the environment id.',
      },
      { pattern: /\/as\/.+/, advice: 'That is an endpoint. The issuer ends with "/as".' },
      { pattern: /\/as\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'PingOne admin console, "Applications", "Applications"',
    steps: [
      'Add an application of the type "Single-Page".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs" and to "Signoff URLs".',
      'Leave "Allow any CORS-safe origin" under "CORS Settings".',
      'Tick the grant type "Refresh Token", choose "Opaque" for refresh tokens, and give the application the scopes profile, email and offline_access.',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: 'The prompts are "login" and "none". "Use another account" asks for "login".',
    },
    {
      kind: 'other',
      text: 'With another choice under "CORS Settings" PingOne may refuse an extension, because only "http" and "https" origins can be listed there. Its documents differ about what is refused.',
    },
    {
      kind: 'other',
      text: 'From 2 March 2027 PingOne renews with opaque refresh tokens only.',
    },
  ],
  read: '2026-11-28',
  facts: [
    {
      text: 'A single-page application has the authentication method NONE and must use PKCE with S256.',
      source:
        'https://developer.pingidentity.com/pingone-api/platform/applications/applications-1/create-application-oidc-protocol---single-page-app.html',
      date: '2026-11-22',
    },
    {
      text: 'The issuer is "https://auth.pingone.com/<id>/as".',
      source:
        'https://docs.pingidentity.com/integrations/pingone/pingone_integration_kit/pf_p1_ik_creating_an_openid_connect_connection.html',
      date: '2026-11-22',
    },
    {
      text: 'Requests with tokens are taken from all origins. The "CORS" of an application is for requests with the cookies of a session, which Latchkey never sends.',
      source: 'https://developer.pingidentity.com/pingone-api/platform/applications/applications-1.html',
      date: '2026-09',
    },
    {
      text: 'The regions end in .com, .ca, .eu, .com.au and .sg, and for customers that are there already in .asia.',
      source: 'https://docs.pingidentity.com/pingone/developer_tools/p1_ip_address_domain_reference.html',
    },
    {
      text: 'The prompts are "none" and "login". With "login" another person may sign in, and replaces the session.',
      source: 'https://developer.pingidentity.com/pingone-api/auth/openid-connect-oauth-2.html',
    },
    {
      text: 'The CORS settings of an application allow no origins or listed ones, and others are refused. A listed origin is "http" or "https".',
      source:
        'https://github.com/pingidentity/terraform-provider-pingone/blob/main/docs/resources/application.md',
    },
    {
      text: 'By default the token endpoint takes requests from all origins. Elsewhere these texts say that the origin has to be allowed first.',
      source: 'https://github.com/pingidentity/agent-plugins',
    },
    {
      text: 'Refresh tokens last 30 days, and 180 with rolling. One that is used again is revoked with all that came from it.',
      source: 'https://docs.pingidentity.com/pingone/applications/p1_refresh_token_rotation.html',
    },
    {
      text: 'From 2 March 2027 an application with JWT refresh tokens gets errors.',
      source: 'https://docs.pingidentity.com/pingone/applications/p1_refresh_tokens.html',
    },
  ],
} satisfies Profile;
