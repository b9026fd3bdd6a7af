// PingOne.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'PingOne',
  settings: {},
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
    console: 'PingOne admin console, "Applications"',
    steps: [
      'Add an application of the type "Single-Page".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs" and to "Signoff URLs".',
      'Tick the grant type "Refresh Token", and give the application the scopes profile, email and offline_access.',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'A single-page application has the authentication method NONE and must use PKCE with S256.',
      source:
        'https://developer.pingidentity.com/pingone-api/platform/applications/applications-1/create-application-oidc-protocol---single-page-app.html',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'The issuer is "https://auth.pingone.com/<id>/as".',
      source:
        'https://docs.pingidentity.com/integrations/pingone/pingone_integration_kit/pf_p1_ik_creating_an_openid_connect_connection.html',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'Requests with tokens are taken from all origins. The "CORS" of an application is for requests with the cookies of a session, which Latchkey never sends.',
      source: 'https://developer.pingidentity.com/pingone-api/platform/applications/applications-1.html',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'Other regions end in .eu, .ca, .asia or .com.au. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
