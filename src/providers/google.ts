// Google accounts: sign-in with an ID token alone.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Google',
  settings: {
    issuer: 'https://accounts.google.com',
    scope: 'openid profile email',
    responseType: 'id_token',
    apiToken: 'id_token',
    firefoxRedirect: 'loopback',
    origins: [
      'https://oauth2.googleapis.com',
      'https://openidconnect.googleapis.com',
      'https://www.googleapis.com',
    ],
  },
  asks: [],
  issuers: {
    example: 'https://accounts.google.com',
    patterns: [/^https:\/\/(accounts\.google\.com|oauth2\.googleapis\.com|www\.googleapis\.com)(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/accounts\.google\.com\/.+/,
        advice: 'The issuer is "https://accounts.google.com", without a path.',
      },
      {
        pattern: /googleapis\.com/,
        advice: 'That is an endpoint. The issuer is "https://accounts.google.com".',
      },
    ],
  },
  registration: {
    console: 'Google Cloud console, "APIs & Services", "Credentials"',
    steps: [
      'Create an OAuth client of the type "Web application".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Authorized redirect URIs".',
      'Create the consent screen with the scopes {scopes}.',
      'Use no client secret: the sign-in needs none.',
      'Copy "Client ID" to "clientId".',
      'Let your API verify the ID token: its audience is the client ID.',
    ],
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: 'There is no refresh token. Latchkey signs in silently when the ID token ends, which needs the session at Google.',
    },
    {
      kind: 'secret-wanted',
      text: "A code needs a client secret, also with PKCE. So the sign-in asks for an ID token alone, and for Google's own APIs a relay is needed: docs/relay.md.",
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Google.' },
    {
      kind: 'loopback-redirect',
      text: 'A page and a program on the same computer can together get tokens of a client with the loopback redirect. Create a client for Firefox alone.',
    },
    {
      kind: 'other',
      text: 'To let in one organization only, check the claim "hd": "allowed": { "hd": ["example.com"] }.',
    },
  ],
  facts: [
    {
      how: 'read in another project',
      text: 'A code exchange without a secret fails with "client_secret is missing", also with PKCE.',
      source: 'https://github.com/taylorwilsdon/google_workspace_mcp/issues/1008',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The same was seen with a web client.',
      source: 'https://github.com/manfredsteyer/angular-oauth2-oidc/issues/812',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'The endpoints are on oauth2.googleapis.com, openidconnect.googleapis.com and www.googleapis.com. The loopback redirect was not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
