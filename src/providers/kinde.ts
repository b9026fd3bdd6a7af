// Kinde.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Kinde',
  settings: {
    scope: 'openid profile email offline',
    logoutParameters: { idToken: null, clientId: null, redirectUri: 'redirect', state: null },
  },
  asks: [
    { setting: 'issuer', expected: 'the domain of your business, such as "https://<business>.kinde.com"' },
  ],
  issuers: {
    example: 'https://<business>.kinde.com',
    patterns: [/^https:\/\/[^/]+\.kinde\.com(\/|$)/],
    mistakes: [
      { pattern: /\.kinde\.com\/.*/, advice: 'The issuer is the domain alone, without a path or a slash.' },
    ],
  },
  registration: {
    console: 'Kinde, "Settings", "Applications"',
    steps: [
      'Add an application of the type "Front-end and mobile".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Allowed callback URLs" and to "Allowed logout redirect URLs".',
      'Copy "Client ID" to "clientId", and "Domain" to "issuer".',
    ],
  },
  limits: [
    { kind: 'scope-refused', text: 'The scope for a refresh token is "offline", not "offline_access".' },
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token lives 15 days by default, and its successor as long. After a longer pause the person signs in again.',
    },
    {
      kind: 'other',
      text: "Whether Kinde revokes a refresh token without a secret isn't known.",
    },
    {
      kind: 'other',
      text: 'If there is no logout page in the discovery document, set it: "metadata": { "end_session_endpoint": "https://<business>.kinde.com/logout" }.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: "The scopes are openid, email, profile and offline. The code flow with PKCE is recommended, the implicit flow doesn't exist.",
      source: 'https://docs.kinde.com/build/tokens/oath-scopes/',
      date: '2026-11-22',
    },
    {
      text: 'Refresh tokens are replaced when used, and live 15 days by default. With "offline_access" the sign-in works, and brings none.',
      source: 'https://docs.kinde.com/build/tokens/refresh-tokens/',
    },
    {
      text: 'Lifetimes are set for each application. The revocation is described with a client secret.',
      source: 'https://docs.kinde.com/build/tokens/configure-tokens/',
    },
    {
      text: 'The logout page is "https://<business>.kinde.com/logout", with the parameter "redirect", and the discovery document names it. Not tried here.',
      date: '2026-11-23',
    },
  ],
} satisfies Profile;
