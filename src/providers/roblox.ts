// Roblox.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Roblox',
  settings: { issuer: 'https://apis.roblox.com/oauth/', scope: 'openid profile' },
  asks: [],
  issuers: {
    example: 'https://apis.roblox.com/oauth/',
    patterns: [/^https:\/\/([^/]+\.)?roblox\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^(?!https:\/\/apis\.roblox\.com\/oauth\/$)/,
        advice: 'The issuer is "https://apis.roblox.com/oauth/", with a slash at the end.',
      },
    ],
  },
  registration: {
    console: 'Roblox Creator Dashboard, "OAuth 2.0 Apps"',
    steps: [
      'Create an app. That needs an account with a verified ID.',
      'Add the permission scopes {scopes}.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URLs".',
      'Use no client secret.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'The scopes for people are "openid" and "profile". A refresh token comes without "offline_access".',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Roblox.' },
    {
      kind: 'verified-email-missing',
      text: 'The scope "email" is for apps of Roblox, so no email is known.',
    },
    {
      kind: 'other',
      text: 'An app has 10 users at most until Roblox has reviewed it. Its OAuth 2.0 is called a beta feature.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A public client, such as a browser app, uses PKCE in place of the client secret.',
      source: 'https://create.roblox.com/docs/cloud/auth/oauth2-overview',
    },
    {
      text: 'The issuer ends with a slash. The prompts are none, login, consent and select_account. A refresh token lives 90 days and is used once. Discovery names an endpoint for revocation and none for logout.',
      source: 'https://create.roblox.com/docs/cloud/auth/oauth2-reference',
    },
    {
      text: 'Any https address may be a redirect URL, up to ten of them. In private mode an app has 10 users.',
      source: 'https://create.roblox.com/docs/cloud/auth/oauth2-registration',
    },
    {
      text: 'The token request of a client with PKCE has a code verifier and no secret.',
      source: 'https://create.roblox.com/docs/cloud/auth/oauth2-develop',
    },
  ],
} satisfies Profile;
