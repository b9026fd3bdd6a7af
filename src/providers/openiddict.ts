// OpenIddict, in a server that a team writes itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'OpenIddict',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of the server, such as "https://id.example.com/", with a slash at the end',
    },
  ],
  issuers: { example: 'https://<host>/', patterns: [], mistakes: [] },
  registration: {
    console: 'The code of your server that creates applications',
    steps: [
      'Create an application of the client type "public" with the requirement "ProofKeyForCodeExchange".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "RedirectUris" and to "PostLogoutRedirectUris".',
      'Give it the permissions for the endpoints for authorization, tokens, revocation and logout, for the grant types "AuthorizationCode" and "RefreshToken", for the response type "Code", and for the scopes "profile" and "email".',
      'Copy "ClientId" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'A scope without a permission is refused, and "offline_access" without the one for refresh tokens.',
    },
    {
      kind: 'other',
      text: 'Your own code decides which claims are in the ID token, and what a prompt does. "allowed" can name only claims with the destination "id_token".',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'Endpoints, grant types, response types and scopes need a permission each.',
      source: 'https://documentation.openiddict.com/configuration/application-permissions',
    },
    {
      text: 'PKCE can be required of an application.',
      source: 'https://documentation.openiddict.com/configuration/proof-key-for-code-exchange',
    },
    {
      text: 'Without an issuer of its own, the server uses its base address, which ends with a slash. A redirect carries "iss".',
      source:
        'https://github.com/openiddict/openiddict-core/blob/dev/src/OpenIddict.Server/OpenIddictServerHandlers.Discovery.cs',
    },
    {
      text: 'Refresh tokens last 14 days after each use, and a used one is still taken for 30 seconds.',
      source:
        'https://github.com/openiddict/openiddict-core/blob/dev/src/OpenIddict.Server/OpenIddictServerOptions.cs',
    },
    {
      text: 'In the source of October 2024, no handler reads the header "Origin". CORS is up to the application around it.',
      source: 'https://github.com/openiddict/openiddict-core/tree/dev/src/OpenIddict.Server.AspNetCore',
    },
  ],
} satisfies Profile;
