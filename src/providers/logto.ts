// Logto.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Logto',
  settings: { signInPrompt: 'consent', otherAccountPrompt: 'login consent' },
  asks: [
    { setting: 'issuer', expected: 'the issuer of your tenant, such as "https://<tenant>.logto.app/oidc"' },
  ],
  issuers: {
    example: 'https://<tenant>.logto.app/oidc',
    patterns: [/^https:\/\/[^/]+\.logto\.app(\/|$)/],
    mistakes: [
      { pattern: /\.logto\.app\/?$/, advice: 'Add "/oidc", without a slash at the end.' },
      { pattern: /\/oidc\/.*/, advice: 'That is an endpoint. The issuer ends with "/oidc".' },
    ],
  },
  registration: {
    console: 'Logto Console, "Applications"',
    steps: [
      'Create an application of the type "Single page app".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs" and to "Post sign-out redirect URIs".',
      'Add {origin:chrome} to "CORS allowed origins".',
      'Copy "App ID" to "clientId".',
      'Copy "Issuer endpoint" to "issuer".',
    ],
    origins: 'listed',
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: 'A refresh token comes only with the prompt "consent", which the profile asks for at each sign-in in a window. With "Always issue refresh token" on, set "signInPrompt" to null.',
    },
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token of a single-page application ends 14 days after the sign-in, and renewing it adds nothing. "Refresh token time to live (TTL) in days" takes up to 180. With "Always issue refresh token" on, set "refreshTokenSeconds" to that time, such as 1209600, and Latchkey signs in silently before.',
    },
    {
      kind: 'origin-checked',
      text: 'Logto refuses an origin that "CORS allowed origins" doesn\'t list. It compares whole origins and knows no "*", so Firefox can\'t sign in: its origin is random in each installation.',
    },
    {
      kind: 'other',
      text: 'Origins of redirect URIs are allowed too, and may have a wildcard. Whether "moz-extension://*/" among the redirect URIs lets Firefox in wasn\'t tried.',
    },
  ],
  apis: {
    by: 'resource',
    text: 'The resource is the identifier of an API resource, and "scope" lists its permissions.',
  },
  stepUp: {
    by: ['acr_values', 'max_age'],
    text: 'The values are "urn:logto:acr:1fa" and "urn:logto:acr:mfa". A server of your own may be too old: the source of August 2026 had no step-up.',
  },
  read: '2026-11-25',
  facts: [
    {
      text: 'Without "prompt=consent" no refresh token came in spite of "offline_access".',
      source: 'https://github.com/logto-io/logto/issues/9627',
      date: '2026-11-22',
    },
    {
      text: 'Single-page and native applications have no secret. They use PKCE, and the origin is checked.',
      source: 'https://docs.logto.io/integrate-logto/application-data-structure',
      date: '2026-11-22',
    },
    {
      text: 'The server knows the prompts "none", "login" and "consent". "select_account" ends in an error.',
      source: 'https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/init.ts',
      date: '2026-09',
    },
    {
      text: 'The guide for Chrome extensions says to list the origin "chrome-extension://<extension id>".',
      source:
        'https://github.com/logto-io/docs/blob/master/docs/quick-starts/framework/chrome-extension/_integration.mdx',
    },
    {
      text: 'A refresh token brings a token for a resource of the sign-in.',
      source: 'https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/grants/refresh-token.ts',
    },
    {
      text: 'The lifetime of a refresh token isn\'t extended for a single-page application. It is 14 days by default. "Always issue refresh token" is available for one.',
      source: 'https://docs.logto.io/integrate-logto/application-data-structure',
      date: '2026-11-28',
    },
    {
      text: 'The successor of its refresh token gets the time that was left.',
      source: 'https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/defaults.ts',
      date: '2026-11-28',
    },
    {
      text: 'An origin is allowed if it is listed, or is that of a redirect URI, in which "*" stands for a part of the host.',
      source: 'https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/utils.ts',
      date: '2026-11-28',
    },
    {
      text: '"acr_values" and "max_age" are supported, and ID tokens have "acr" and "auth_time".',
      source: 'https://docs.logto.io/end-user-flows/step-up-authentication',
    },
  ],
} satisfies Profile;
