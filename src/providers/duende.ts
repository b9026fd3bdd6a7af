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
      text: 'A refresh token expires 30 days after the sign-in, however often it is used, unless the client says otherwise.',
    },
    {
      kind: 'scope-refused',
      text: 'A scope that the client doesn\'t have is refused, also "offline_access" without "AllowOfflineAccess".',
    },
    {
      kind: 'other',
      text: 'ID tokens have neither name nor email without "AlwaysIncludeUserClaimsInIdToken". Both follow from UserInfo a moment after the sign-in, and "allowed" can\'t name them.',
    },
  ],
  apis: {
    by: 'resource',
    text: 'The resource is the name of an "ApiResource", which must be an absolute URI. It needs a license with resource isolation: without one, "resource" is ignored. "scope" alone changes nothing.',
  },
  stepUp: {
    by: ['acr_values', 'max_age'],
    text: '"max_age" leads to the login page. "acr_values" reaches that page too, which must act on it and put "acr" into the session.',
  },
  read: '2026-11-25',
  facts: [
    {
      text: 'A client without a secret is allowed, PKCE is required by default, and user claims are left out of ID tokens by default. Refresh tokens expire 30 days after the sign-in and may be used again by default.',
      source: 'https://docs.duendesoftware.com/identityserver/reference/v8/models/client/',
    },
    {
      text: "An origin that isn't allowed gets no CORS headers. The request still gets a response.",
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/Hosting/CorsPolicyProvider.cs',
    },
    {
      text: 'The prompts "login" and "select_account" both lead to the login page.',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/ResponseHandling/Default/AuthorizeInteractionResponseGenerator.cs',
    },
    {
      text: 'Discovery names endpoints for UserInfo, revocation and logout, and says whether a redirect carries "iss".',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/ResponseHandling/Default/DiscoveryResponseGenerator.cs',
    },
    {
      text: 'A token request may name one resource of the sign-in, and its "scope" isn\'t read.',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/Validation/Default/TokenRequestValidator.cs',
    },
    {
      text: 'Resource isolation is part of the Enterprise edition.',
      source: 'https://docs.duendesoftware.com/identityserver/v7/fundamentals/license_key/',
    },
    {
      text: 'ID tokens have "auth_time", and "acr" if the session has it.',
      source:
        'https://github.com/DuendeSoftware/products/blob/main/identity-server/src/IdentityServer/Services/Default/DefaultClaimsService.cs',
    },
  ],
} satisfies Profile;
