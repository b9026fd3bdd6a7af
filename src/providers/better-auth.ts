// Better Auth with its OAuth provider plugin, a server that a team runs itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Better Auth',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the base URL of the API, such as "https://app.example.com/api/auth", without a slash at the end',
    },
  ],
  issuers: {
    example: 'https://<host>/api/auth',
    patterns: [/^https?:\/\/[^/]+\/api\/auth(\/|$)/],
    mistakes: [
      { pattern: /\/api\/auth\/$/, advice: 'Remove the slash at the end.' },
      {
        pattern: /\/api\/auth\/oauth2\//,
        advice: 'That is an endpoint. The issuer is "https://<host>/api/auth".',
      },
    ],
  },
  registration: {
    console: 'The server with the plugin @better-auth/oauth-provider',
    steps: [
      'Create a client with "token_endpoint_auth_method": "none", which is a public client.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "redirect_uris".',
      'For the logout, set "enable_end_session", and add both to "post_logout_redirect_uris".',
      'Leave the default scopes, among them "offline_access".',
      'Copy "client_id" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: 'ID tokens have neither name nor email. Both follow from UserInfo a moment after the sign-in, and "allowed" can\'t name them.',
    },
    {
      kind: 'other',
      text: "With the plugin for magic links, the link opens a tab, which can't return to the extension. The person signs in a second time, or your page asks for a code.",
    },
  ],
  apis: {
    by: 'resource',
    without: 'scope',
    text: 'Name each API in "resources" of the plugin, and link the client to it. Give an API no "scope", and call no "requestScope" for it: that narrows the refresh token for good, so the session can\'t be renewed.',
  },
  stepUp: {
    by: ['max_age'],
    text: '"acr" always is "0", so a sign-in for any other of "acr_values" is rejected.',
  },
  read: '2026-11-24',
  facts: [
    {
      how: 'tried',
      text: 'With version 1.7.5, a sign-in, a renewal, a change of account and a sign-out everywhere work in Chromium, and silent sign-in works in Firefox.',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
    },
    {
      how: 'tried',
      text: 'The token endpoint takes the origins of both browsers.',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
    },
    {
      text: 'The prompt "select_account" is an error unless a page for it is configured. PKCE with S256 is the only method, and a redirect carries "iss".',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
    },
    {
      text: 'Only a client with "enable_end_session" may end the session.',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
    },
    {
      how: 'tried',
      text: 'With version 1.7.5, a refresh token brings tokens for two resources in turn. The client must be linked to both, or the sign-in ends in "invalid_target".',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
      date: '2026-11-25',
    },
    {
      how: 'tried',
      text: 'A request with a part of the scope narrows the refresh token: the next one for the whole scope ends in "invalid_scope".',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
      date: '2026-11-25',
    },
    {
      how: 'tried',
      text: 'Sign-ins with "max_age" of 300 and 0 work, and "acr" is "0".',
      source: 'https://github.com/better-auth/better-auth/tree/main/packages/oauth-provider',
      date: '2026-11-25',
    },
    {
      text: 'The plugin for magic links signs people in where they open the link.',
      source: 'https://better-auth.com/docs/plugins/magic-link',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
