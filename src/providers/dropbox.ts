// Dropbox.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Dropbox',
  settings: {
    issuer: 'https://www.dropbox.com',
    scope: 'openid profile email',
    origins: ['https://api.dropboxapi.com'],
    authorizationParameters: { token_access_type: 'offline' },
  },
  asks: [],
  issuers: {
    example: 'https://www.dropbox.com',
    patterns: [/^https:\/\/([^/]+\.)?dropbox(api)?\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/www\.dropbox\.com\/.*/,
        advice: 'The issuer is "https://www.dropbox.com", without a path or a slash.',
      },
      {
        pattern: /^https:\/\/dropbox\.com|dropboxapi\.com/,
        advice: 'The issuer is "https://www.dropbox.com".',
      },
    ],
  },
  registration: {
    console: 'Dropbox App Console',
    steps: [
      'Create an app with scoped access.',
      'Set "Allow public clients (Implicit Grant & PKCE)" to "Allow".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Tick the OpenID scopes {scopes} under "Permissions".',
      'Copy "App key" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'Offline access is asked for with "token_access_type=offline", not with a scope.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Dropbox.' },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    {
      kind: 'other',
      text: 'ID tokens have "given_name" and "family_name" but no "name". Latchkey joins the two.',
    },
    {
      kind: 'other',
      text: 'UserInfo likely responds to POST only. Latchkey uses GET, and then shows what the ID token says.',
    },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'A refresh token comes with "token_access_type=offline".',
      source: 'https://dropbox.tech/developers/using-oauth-2-0-with-offline-access',
    },
    {
      text: "PKCE serves applications that can't keep a secret.",
      source: 'https://dropbox.tech/developers/now-available--scoped-apps-and-enhanced-permissions',
    },
    {
      text: 'UserInfo gives given_name, family_name, email and email_verified, and no name. It repeats what the ID token says.',
      source: 'https://github.com/dropbox/dropbox-api-spec/blob/main/openid.stone',
      date: '2026-09',
    },
    {
      text: 'The endpoints for tokens and keys are on www.dropbox.com and api.dropboxapi.com. Not tried here.',
    },
    {
      text: 'UserInfo is asked by POST, like every route of the API, and the discovery document names no endpoint for revocation.',
      date: '2026-11-23',
    },
  ],
} satisfies Profile;
