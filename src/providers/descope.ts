// Descope, as an OpenID provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Descope',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the OIDC application, such as "https://api.descope.com/<project id>"',
    },
  ],
  issuers: {
    example: 'https://api.descope.com/<project id>',
    patterns: [/^https:\/\/([^/]+\.)?descope\.(com|io)(\/|$)/],
    mistakes: [
      {
        pattern: /auth\.descope\.io/,
        advice: 'That is the page of the flow. Copy "Issuer" of the application instead.',
      },
      { pattern: /\/oauth2\/v1\//, advice: 'That is an endpoint. The issuer ends with the project id.' },
    ],
  },
  registration: {
    console: 'Descope Console, "Applications"',
    steps: [
      'Open the default OIDC application, or create one (a paid feature).',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to the approved redirect URLs.',
      'Copy the project id to "clientId".',
      'Copy "Issuer" of the application to "issuer".',
    ],
  },
  limits: [{ kind: 'other', text: 'The client id of the OIDC application is the id of the project.' }],
  read: '2026-11-22',
  facts: [
    {
      text: 'An OIDC application redirects to the flow of the project. More than the default one is a paid feature.',
      source: 'https://docs.descope.com/customize/auth/oidc/',
    },
    {
      text: 'The client id of an OIDC application typically is the project id.',
      source: 'https://docs.descope.com/identity-federation/oauth-grant-types',
    },
    {
      text: "Whether the token endpoint takes a public client wasn't tried here.",
    },
  ],
} satisfies Profile;
