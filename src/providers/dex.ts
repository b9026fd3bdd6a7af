// Dex.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Dex',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer in the configuration file of Dex, such as "https://id.example.com/dex"',
    },
  ],
  issuers: {
    example: 'https://<host>/dex',
    patterns: [/^https?:\/\/[^/]+\/dex(\/|$)/],
    mistakes: [
      {
        pattern: /\/dex\/(auth|token|keys|callback)/,
        advice: 'That is an endpoint. The issuer ends with "/dex".',
      },
      { pattern: /\/dex\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'The configuration file of Dex, "staticClients"',
    steps: [
      'Add a client with "public: true" and without a secret.',
      'List {redirectUri:chrome} and {redirectUri:firefox} under "redirectURIs".',
      'Copy "id" to "clientId", and "issuer" to "issuer".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'no-logout',
      text: 'Unless sessions are on (DEX_SESSIONS_ENABLED=true, after 2.45.1), there is no page that ends the session at Dex.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    {
      kind: 'other',
      text: 'Dex is a broker: whether a refresh token comes depends on the connector behind it.',
    },
    {
      kind: 'other',
      text: 'Unless sessions are on, Dex reads no prompt, so "Use another account" can\'t make the provider behind it ask who signs in.',
    },
    { kind: 'other', text: 'Unless sessions are on, a silent sign-in meets a page, and so never succeeds.' },
  ],
  read: '2026-09',
  facts: [
    {
      text: 'Since 1 April 2026 there is a logout page, and a prompt is read, both with DEX_SESSIONS_ENABLED=true. It is off by default.',
      source: 'https://github.com/dexidp/dex/pull/4674',
    },
    {
      text: 'A public client is described in the configuration file. Not tried here.',
      date: '2026-11-22',
    },
    {
      text: 'CORS only adds headers, and only if "web.allowedOrigins" lists origins. A request with a different origin still gets a response.',
      source: 'https://github.com/dexidp/dex/blob/master/server/router/router.go',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
