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
      'List the scopes {scopes}, and the grant types authorization_code and refresh_token.',
      'Copy "client_id" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    { kind: 'no-logout', text: 'There is no page that ends the session by a request of a client.' },
    {
      kind: 'other',
      text: '"Use another account" leads to the account that is signed in at Authelia. The person signs out there first.',
    },
    {
      kind: 'other',
      text: 'With "offline_access" Authelia asks for consent at each sign-in, so there is no silent sign-in.',
    },
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token lives 90 minutes unless "lifespans" says otherwise. After a longer pause the person signs in again.',
    },
    {
      kind: 'other',
      text: 'ID tokens name no email and no groups without a "claims_policy", so with one of them in "allowed", no one can sign in.',
    },
  ],
  read: '2026-09',
  facts: [
    {
      text: '"select_account" is accepted without an effect. "login" asks for the password of the account that is signed in.',
      source: 'https://github.com/authelia/authelia/blob/master/internal/oidc/util.go',
    },
    {
      text: 'No origin is refused.',
      source: 'https://github.com/authelia/authelia/blob/master/internal/middlewares/cors.go',
    },
    {
      text: 'The scope "offline_access" requires explicit consent each time.',
      source: 'https://github.com/authelia/authelia/blob/master/internal/oidc/util.go',
    },
    {
      text: 'Refresh tokens live 90 minutes by default.',
      source:
        'https://github.com/authelia/authelia/blob/master/docs/content/configuration/identity-providers/openid-connect/provider.md',
    },
    {
      text: 'ID tokens hold the standard claims only where a "claims_policy" names them.',
      source: 'https://www.authelia.com/integration/openid-connect/openid-connect-1.0-claims/',
    },
    {
      text: 'A public client is described in the configuration file. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
