// Pocket ID, a server with passkeys that a team runs itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Pocket ID',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected:
        'the address of your server (APP_URL), such as "https://id.example.com", without a slash at the end',
    },
  ],
  issuers: {
    example: 'https://<host>',
    patterns: [],
    mistakes: [
      {
        pattern: /\/(authorize|api\/oidc)(\/|$)/,
        advice: 'That is an endpoint. The issuer is the address of the server alone.',
      },
      { pattern: /^https:\/\/[^/]+\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'Pocket ID, "OIDC Clients"',
    steps: [
      'Add an OIDC client, and switch "Public Client" on.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Callback URLs" and to "Logout Callback URLs".',
      'Choose "Allowed User Groups", or "Unrestrict" to let everyone in.',
      'Copy "Client ID" to "clientId", and "Issuer URL" to "issuer".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only. A sign-out at the provider ends it there too.',
    },
    {
      kind: 'other',
      text: 'Before version 2.6.0 no prompt is read, and before 2.7.0 not "select_account".',
    },
    {
      kind: 'other',
      text: "With INTERNAL_APP_URL the discovery document names the token endpoint at that address. Browsers must reach it: if they can't, leave that variable empty.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A public client must use PKCE and has no secret. A redirect URI may be any https address, even with wildcards. Refresh tokens come without a scope for it, are used once, and each lives 30 days by default. This is version 2.14.0.',
      source: 'https://github.com/pocket-id/pocket-id/blob/v2.14.0/backend/internal/oidc/provider.go',
    },
    {
      text: 'The token endpoint and UserInfo accept every origin with "Access-Control-Allow-Origin: *".',
      source: 'https://github.com/pocket-id/pocket-id/blob/v2.14.0/backend/internal/middleware/cors.go',
    },
    {
      text: 'The prompts are "none", "login", "consent" and "select_account". Redirects carry "iss". The discovery document names no endpoint for revocation.',
      source:
        'https://github.com/pocket-id/pocket-id/blob/v2.14.0/backend/internal/controller/well_known_controller.go',
    },
    {
      text: 'The logout needs "id_token_hint", returns the state, and revokes the tokens of that sign-in.',
      source:
        'https://github.com/pocket-id/pocket-id/blob/v2.14.0/backend/internal/oidc/end_session_service.go',
    },
    {
      text: 'The prompts came with 2.6.0 and 2.7.0.',
      source: 'https://github.com/pocket-id/pocket-id/blob/v2.14.0/CHANGELOG.md',
    },
  ],
} satisfies Profile;
