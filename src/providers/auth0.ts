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
      'Create an application of the type "Single-Page Web Applications".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Allowed Callback URLs", and to "Allowed Logout URLs".',
      'Add {origin:chrome} to "Allowed Origins (CORS)".',
      'Switch "Allow Refresh Token Rotation" on, and set "Rotation Overlap Period" to some seconds.',
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
      text: 'Without "audience" the access token isn\'t a JWT, and your API can\'t verify it.',
    },
    {
      kind: 'refresh-token-ends',
      text: 'Refresh tokens that rotate end 30 days after the sign-in by default, and renewing them adds nothing. Set "refreshTokenSeconds" to 2592000, and Latchkey signs in silently before.',
    },
    {
      kind: 'other',
      text: 'If the tenant has "Refresh Token Revocation Deletes Grant" on, as one made before 14 January 2021 may, a sign-out also ends the sessions on the other devices of the person.',
    },
  ],
  apis: {
    by: 'audience',
    text: 'The audience is the identifier of an API. The application needs a policy for each, "refresh_token.policies" in the Management API (Multi-Resource Refresh Tokens): without one, the token is silently for the API of the sign-in.',
  },
  stepUp: {
    by: ['acr_values', 'max_age'],
    text: 'The value of "acr_values" is "http://schemas.openid.net/pape/policies/2007/06/multi-factor". Write an Action that asks for a second factor then.',
  },
  read: '2026-11-25',
  facts: [
    {
      text: 'Tenants made since 14 November 2023 advertise the logout page.',
      source: 'https://auth0.com/docs/authenticate/login/logout/log-users-out-of-auth0',
      date: '2026-11-22',
    },
    {
      text: 'The older logout page has the parameters "client_id" and "returnTo".',
      source: 'https://auth0.com/docs/api/authentication/logout/auth-0-logout',
      date: '2026-11-22',
    },
    {
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
      text: "With rotation a refresh token lives 30 days by default, and rotation doesn't extend it. Up to a year can be set.",
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/configure-refresh-token-rotation',
    },
    {
      text: 'An idle lifetime can be set too, of 30 days by default. Each use begins it anew.',
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/configure-refresh-token-expiration',
    },
    {
      text: "A refresh token brings a token for each audience in the policies of the application. Scopes that they don't list are left out silently.",
      source:
        'https://auth0.com/docs/secure/tokens/refresh-tokens/multi-resource-refresh-token/configure-and-implement-multi-resource-refresh-token',
    },
    {
      text: "The application must be a first-party one, and the API must skip its consent. The Management API isn't such an API.",
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/multi-resource-refresh-token',
    },
    {
      text: 'For an audience without a policy, the token is one for the default audience.',
      source: 'https://github.com/auth0/auth0-server-python/pull/58',
    },
    {
      text: '"resource" is read only if the tenant has the "Resource Parameter Compatibility Profile", and not together with "audience".',
      source:
        'https://github.com/auth0/docs-v2/blob/main/auth4genai/mcp/guides/resource-param-compatibility-profile.mdx',
    },
    {
      text: 'An Action sees "acr_values", and "acr" in the ID token names the policy for several factors.',
      source:
        'https://auth0.com/docs/secure/multi-factor-authentication/step-up-authentication/configure-step-up-authentication-for-web-apps',
    },
    {
      text: 'With "max_age" the person signs in again if need be, and the ID token has "auth_time".',
      source: 'https://auth0.com/docs/authenticate/login/max-age-reauthentication',
    },
    {
      text: 'The prompts are "none", "login", "consent" and "select_account".',
      source:
        'https://github.com/auth0/docs-v2/blob/main/main/docs/oas/authentication/authentication-api-oas.json',
      date: '2026-11-28',
    },
    {
      text: 'Revoking needs no secret from an application whose authentication method is "none". With "Refresh Token Revocation Deletes Grant", it revokes all refresh tokens of the same person, application and audience. That is off in tenants made after 13 January 2021.',
      source: 'https://auth0.com/docs/secure/tokens/refresh-tokens/revoke-refresh-tokens',
      date: '2026-11-28',
    },
    {
      text: 'Any application of the tenant may get tokens for an API in the name of a person, unless its access policy is "Per-app authorization" or "No apps allowed".',
      source: 'https://auth0.com/docs/get-started/apis/api-access-policies-for-applications',
      date: '2026-11-28',
    },
    {
      text: "The sign-in leaves out scopes that its API doesn't have. Not tried here.",
    },
  ],
} satisfies Profile;
