// Authelia.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Authelia',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of Authelia, such as "https://auth.example.com", without a slash at the end',
    },
  ],
  issuers: {
    example: 'https://<host>',
    patterns: [],
    mistakes: [],
  },
  registration: {
    console: 'The configuration file of Authelia, "identity_providers.oidc.clients"',
    steps: [
      'Add a client with "public: true" and "token_endpoint_auth_method: none".',
      'List {redirectUri:chrome} and {redirectUri:firefox} under "redirect_uris".',
      'Set "require_pkce: true" and "pkce_challenge_method: S256".',
      'List the scopes openid, profile, email and offline_access, and the grant types authorization_code and refresh_token.',
      'Add {origin:chrome} to "cors.allowed_origins", or allow the origins of all clients\' redirect URIs.',
      'Copy "client_id" to "clientId".',
    ],
  },
  limits: [
    { kind: 'no-logout', text: 'There is no page that ends the session by a request of a client.' },
    {
      kind: 'other',
      text: '"Use another account" leads to the account that is signed in at Authelia. The person signs out there first.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: '"select_account" is accepted without an effect. "login" asks for the password of the account that is signed in.',
      source: 'https://github.com/authelia/authelia/blob/master/internal/oidc/util.go',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'A public client is described in the configuration file. Nobody has tried it here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
