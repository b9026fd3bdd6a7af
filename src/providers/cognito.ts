// Amazon Cognito: a user pool.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Amazon Cognito',
  settings: {
    scope: 'openid profile email',
    otherAccountPrompt: 'login',
    logoutParameters: { idToken: null, clientId: 'client_id', redirectUri: 'logout_uri', state: null },
  },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of the user pool, such as "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI"',
    },
    {
      setting: 'origins',
      expected:
        'the domain of the user pool, such as ["https://acme.auth.eu-west-1.amazoncognito.com"], because its endpoints are there',
    },
  ],
  issuers: {
    example: 'https://cognito-idp.<region>.amazonaws.com/<user pool id>',
    patterns: [
      /^https:\/\/cognito-idp(-fips)?\.[^/]+\.amazonaws\.(com(\.cn)?|eu)(\/|$)/,
      /^https:\/\/[^/]{1,100}\.auth\.[^/]{1,100}\.amazoncognito\.com(\/|$)/,
    ],
    mistakes: [
      {
        pattern: /\.amazoncognito\.com/,
        advice:
          'That is the domain of the sign-in page, which belongs into "origins". The issuer is "https://cognito-idp.<region>.amazonaws.com/<user pool id>".',
      },
      {
        pattern: /^https:\/\/cognito-idp\.[^/]{1,100}\/[^/]{1,100}\/$/,
        advice: 'Remove the slash at the end.',
      },
    ],
  },
  registration: {
    console: 'Amazon Cognito console, the user pool, "App clients"',
    steps: [
      'Create an app client of the type "Single-page application", without a client secret.',
      'Under "Login pages", add {redirectUri:chrome} and {redirectUri:firefox} to "Allowed callback URLs" and to "Allowed sign-out URLs".',
      'Tick the grant type "Authorization code grant" and the scopes {scopes}.',
      'Copy "Client ID" to "clientId".',
      'Copy the domain of the user pool ("Branding", "Domain") to "origins".',
    ],
  },
  limits: [
    {
      kind: 'scope-refused',
      text: '"offline_access" isn\'t a valid scope here, and a sign-in that asks for it fails. Refresh tokens are issued without it.',
    },
    {
      kind: 'other',
      text: "The logout page has parameters of its own, and doesn't say which session it ended.",
    },
    {
      kind: 'refresh-token-ends',
      text: 'Refresh tokens expire 30 days after the sign-in by default. Set "refreshTokenSeconds" to 2592000, and Latchkey signs in silently before.',
    },
    {
      kind: 'other',
      text: '"select_account" only reaches a provider behind Cognito, so "Use another account" asks for "login". Where everyone signs in through such a provider, set "otherAccountPrompt" to "select_account".',
    },
    {
      kind: 'other',
      text: 'A refresh token stays the same unless the app client has "refresh token rotation". One that rotates lives no longer than the first.',
    },
    {
      kind: 'other',
      text: 'A prompt works in the managed login only. The classic hosted UI, the only one in the plan "Lite", reads none, so there is no silent sign-in, and "Use another account" can\'t make it ask who signs in.',
    },
  ],
  apis: {
    by: 'none',
    text: 'A refresh token brings the scope and the audience of the sign-in. One token is for all your APIs: name their scopes in "scope", and their origins in "apiOrigins".',
  },
  stepUp: {
    by: [],
    text: 'The sign-in page isn\'t known to read "acr_values" or "max_age".',
  },
  read: '2026-11-28',
  facts: [
    {
      text: 'The logout page has the parameters "client_id" and "logout_uri".',
      source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The discovery document names "end_session_endpoint".',
      source: 'https://github.com/ITfoxtec/FoxIDs/issues/961',
      date: '2026-09',
    },
    {
      text: 'The prompts "none" and "login" work. "select_account" and "consent" have no effect on a local sign-in. All but "none" are passed on to providers behind it. The classic hosted UI reads no prompt.',
      source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html',
    },
    {
      text: 'The plan "Lite" has the classic hosted UI alone.',
      source:
        'https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-managed-login.html',
    },
    {
      how: 'read in another project',
      text: 'The URLs are under "App clients", "Login pages".',
      source: 'https://github.com/aws-amplify/amplify-js/issues/4044',
    },
    {
      text: 'Refresh tokens expire 30 days after the sign-in by default, and 60 minutes to 10 years can be set. They rotate only where that is set, and a new one has the remaining time of the first.',
      source:
        'https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html',
    },
    {
      text: 'An unknown scope is refused with "invalid_scope", and one that the app client doesn\'t have is left out. Redirect URIs need "https", and PKCE the method S256.',
      source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html',
    },
    {
      text: 'A client without a secret revokes a refresh token with its client ID alone. The other refresh tokens of the person stay.',
      source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/revocation-endpoint.html',
    },
    {
      text: "A refresh token can't bring a part of the scope.",
      source: 'https://github.com/aws-amplify/amplify-js/issues/3732',
      date: '2026-11-25',
    },
    {
      text: 'A "resource" at the sign-in becomes the audience of the access token. "acr_values" and "max_age" aren\'t among the parameters.',
      source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html',
    },
    {
      how: 'read in another project',
      text: 'A "resource" needs the plan "Essentials" or "Plus".',
      source:
        'https://cloudsteak.com/aws-amazon-cognito-now-supports-resource-indicators-to-simplify-enhancing-protection-of-oauth-2-0-resources',
      date: '2026-11-25',
    },
    {
      text: 'ID tokens have "auth_time" and no "acr".',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
