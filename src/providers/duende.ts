// Duende IdentityServer, in a server that a team writes itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Duende IdentityServer',
  settings: { refreshTokenSeconds: 2_592_000 },
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of the server, such as "https://id.example.com", without a slash at the end',
    },
  ],
  issuers: { example: 'https://<host>', patterns: [], mistakes: [] },
  registration: {
    console: 'The configuration of the clients in your server',
    steps: [
      'Add a client with "RequireClientSecret = false" and "AllowedGrantTypes = GrantTypes.Code".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "RedirectUris" and to "PostLogoutRedirectUris".',
      'Set "AllowOfflineAccess = true", and add the scopes openid, profile and email to "AllowedScopes" and to the identity resources.',
      'Set "RefreshTokenUsage = TokenUsage.OneTimeOnly", so that a stolen refresh token is noticed.',
      'Copy "ClientId" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token ends 30 days after the sign-in, however often it is used, unless the client says otherwise.',
    },
    {
      kind: 'scope-refused',
      text: 'A scope that the client does not have is refused, also "offline_access" without "AllowOfflineAccess".',
    },
    {
      kind: 'other',
      text: 'ID tokens have neither name nor e-mail without "AlwaysIncludeUserClaimsInIdToken". Both follow from UserInfo a moment after the sign-in, and "allowed" cannot name them.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'A client without a secret is allowed, PKCE is required by default, and user claims are left out of ID tokens by default. Refresh tokens end 30 days after the sign-in and may be used again by default.',
      source: 'https://docs.duendesoftware.com/identityserver/reference/v8/models/client/',
      date: '2026-11-25',
    },
    {
      how: "read in the provider's documents",
      text: 'An origin that is not allowed gets no CORS headers. The request is still answered.',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/Hosting/CorsPolicyProvider.cs',
      date: '2026-11-25',
    },
    {
      how: "read in the provider's documents",
      text: 'The prompts "login" and "select_account" both lead to the login page.',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/ResponseHandling/Default/AuthorizeInteractionResponseGenerator.cs',
      date: '2026-11-25',
    },
    {
      how: "read in the provider's documents",
      text: 'Discovery names endpoints for UserInfo, revocation and logout, and says whether a redirect carries "iss".',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/ResponseHandling/Default/DiscoveryResponseGenerator.cs',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
