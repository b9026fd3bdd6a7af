// Auth0.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Auth0',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected:
        'the domain of your tenant as an issuer, such as "https://<tenant>.auth0.com/", with the slash at the end',
    },
  ],
  issuers: {
    example: 'https://<tenant>.auth0.com/',
    patterns: [/^https:\/\/[^/]+\.auth0\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/[^/]+\.auth0\.com$/,
        advice: 'Add a slash at the end, because Auth0 writes its issuer so.',
      },
      {
        pattern: /\.auth0\.com\/(authorize|oauth|v2|u)(\/|$)/,
        advice: 'That is an endpoint. The issuer is "https://<tenant>.auth0.com/".',
      },
    ],
  },
  registration: {
    console: 'Auth0 dashboard, "Applications"',
    steps: [
      'Create an application of the type "Single Page Web Application".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Allowed Callback URLs", and to "Allowed Logout URLs".',
      'Add {origin:chrome} to "Allowed Origins (CORS)".',
      'Switch "Refresh Token Rotation" on, and set an overlap period of some seconds.',
      'Switch "Allow Offline Access" of your API on, and copy its identifier to "audience".',
      'Copy "Domain" into "issuer", as "https://<domain>/".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: 'Without "Refresh Token Rotation" a single-page application gets no refresh token.',
    },
    {
      kind: 'other',
      text: 'A tenant made before 14 November 2023 names no logout page unless "RP-Initiated Logout End Session Endpoint Discovery" is on. docs/configuration.md shows the settings for its older page.',
    },
    {
      kind: 'other',
      text: 'Without "audience" the access token is not a JWT, and your API cannot verify it.',
    },
    {
      kind: 'refresh-token-ends',
      text: 'Refresh tokens that rotate end 30 days after the sign-in by default, and renewing them adds nothing. Set "refreshTokenSeconds" to 2592000, and Latchkey signs in silently before.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'Tenants made since 14 November 2023 advertise the logout page.',
      source: 'https://auth0.com/docs/authenticate/login/logout/log-users-out-of-auth0',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'The older logout page has the parameters "client_id" and "returnTo".',
      source: 'https://auth0.com/docs/api/authentication/logout/auth-0-logout',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'A browser application gets a refresh token only with rotation.',
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/use-refresh-token-rotation',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The issuer ends with a slash.',
      source:
        'https://manfredsteyer.github.io/angular-oauth2-oidc/docs/additional-documentation/authorization-servers/auth0.html',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'An extension\'s origin belongs into "Allowed Origins (CORS)".',
      source: 'https://github.com/auth0-community/auth0-chrome/issues/12',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: 'With rotation a refresh token lives 30 days by default, and rotation does not extend it. Up to a year can be set.',
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/configure-refresh-token-rotation',
      date: '2026-11-25',
    },
    {
      how: "read in the provider's documents",
      text: 'An idle lifetime can be set too, of 30 days by default. Each use begins it anew.',
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/configure-refresh-token-expiration',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
