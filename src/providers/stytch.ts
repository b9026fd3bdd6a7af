// Stytch Connected Apps: the team's own app is the provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Stytch Connected Apps',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected: 'the domain of your project, such as "https://<name>.customers.stytch.com", or your own',
    },
  ],
  issuers: {
    example: 'https://<name>.customers.stytch.com',
    patterns: [/^https:\/\/[^/]+\.stytch\.(com|dev)(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/(api|test|www)\.stytch\.com(\/|$)/,
        advice: 'That is the API of all projects. The issuer is the domain of yours.',
      },
      {
        pattern: /\.stytch\.(com|dev)\/.*/,
        advice: 'The issuer is the domain alone, without a path or a slash.',
      },
    ],
  },
  registration: {
    console: 'Stytch Dashboard, "Connected Apps"',
    steps: [
      'Give the project a domain of its own, and let your app and its server call Stytch at that domain.',
      'Build the page that authorizes, and write its address as "Authorization URL".',
      'Create a connected app of the type "First Party Public".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to its redirect URLs.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: 'By default a redirect names "stytch.com/<project id>" as "iss", and ID tokens name the domain. Latchkey rejects that: use a domain of your own, also for the calls of your app.',
    },
    {
      kind: 'no-revocation',
      text: 'The discovery document names no endpoint for revocation, but there is one. Set "metadata": { "revocation_endpoint": "https://<domain>/v1/oauth2/revoke" }.',
    },
    {
      kind: 'no-logout',
      text: 'There is no page that ends the session at Stytch by a request of a client, as far as is documented.',
    },
    {
      kind: 'other',
      text: 'Only the prompt "consent" has an effect, unless your page reads the others: a silent sign-in meets that page, and "Use another account" may not ask who signs in.',
    },
    {
      kind: 'other',
      text: "Whether the token endpoint takes the origin of an extension isn't known.",
    },
    {
      kind: 'other',
      text: "The link in a sign-in email opens a tab, which can't return to the extension. Have your page ask for a code.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'By default "iss" of a redirect differs from that of the tokens. A domain of your own, used for all calls, makes them the same.',
      source: 'https://stytch.com/docs/connected-apps/resources/faq',
    },
    {
      text: 'The discovery document names the page of your app, the endpoints below "/v1/oauth2" and RS256, and none for revocation or logout.',
      source: 'https://stytch.com/docs/b2b/api/connected-app-openid-configuration',
    },
    {
      text: 'A public client has no secret, and uses PKCE. Its refresh tokens are used once.',
      source: 'https://stytch.com/docs/connected-apps/oauth-learn-more/client-types.md',
    },
    {
      text: 'A refresh token comes with "offline_access", and each lives 3 months.',
      source: 'https://stytch.com/docs/api-reference/b2b/api/connected-apps/exchange-refresh-token.md',
    },
    {
      text: 'Tokens are revoked at "/v1/oauth2/revoke".',
      source: 'https://stytch.com/docs/api-reference/b2b/api/connected-apps/methods/revoke-token.md',
    },
    {
      text: 'The nonce is passed on, and of the prompts only "consent" is supported.',
      source: 'https://github.com/stytchauth/stytch-node/blob/main/lib/b2c/idp_oauth.ts',
    },
    {
      text: 'A link in an email begins a session where it is opened.',
      source: 'https://stytch.com/docs/consumer-auth/authentication/magic-links/overview',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
