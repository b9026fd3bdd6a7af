// Discord.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Discord',
  settings: {
    issuer: 'https://discord.com',
    scope: 'openid identify email',
    otherAccountPrompt: 'consent',
    metadata: { revocation_endpoint: 'https://discord.com/api/oauth2/token/revoke' },
  },
  asks: [],
  issuers: {
    example: 'https://discord.com',
    patterns: [/^https:\/\/([^/]+\.)?discord(app)?\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/discord(app)?\.com\/.*/,
        advice: 'The issuer is "https://discord.com", without a path.',
      },
      { pattern: /^https:\/\/discordapp\.com/, advice: 'The issuer is "https://discord.com".' },
    ],
  },
  registration: {
    console: 'Discord Developer Portal, the application, "OAuth2"',
    steps: [
      'Switch "Public Client" on.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirects".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    { kind: 'no-logout', text: 'There is no page that ends the session at Discord.' },
    {
      kind: 'other',
      text: 'Discord publishes a discovery document, but its documents describe no OpenID Connect. It may change without a notice.',
    },
    {
      kind: 'other',
      text: 'Discord documents no prompt for another account, so "Use another account" shows the page of the one that is signed in.',
    },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'The discovery document names the issuer, the endpoints and RS256.',
      source: 'https://discord.com/.well-known/openid-configuration',
    },
    {
      text: 'The metadata for OAuth 2 name clients without a secret ("none"), S256 alone and an endpoint for revocation.',
      source: 'https://discord.com/.well-known/oauth-authorization-server',
    },
    {
      text: 'The documented prompts are "none" and "consent".',
      source: 'https://discord.com/developers/docs/topics/oauth2',
      date: '2026-09',
    },
    {
      text: 'An ID token comes with the scope "openid". ID tokens were seen with the issuer "https://discord.com", a list as "aud", and "at_hash". Not tried here.',
    },
  ],
} satisfies Profile;
