// SuperTokens with "Unified Login": the team's own server is the provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'SuperTokens',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'apiDomain and apiBasePath of your server, such as "https://api.example.com/auth"',
    },
  ],
  issuers: {
    example: 'https://<api domain>/auth',
    patterns: [],
    mistakes: [
      {
        pattern: /\/oauth\/(auth|token|login)(\/|$)/,
        advice: 'That is an endpoint. The issuer is what stands before "/oauth".',
      },
    ],
  },
  registration: {
    console: 'the API of the SuperTokens Core, POST /recipe/oauth/clients',
    steps: [
      'Create a client with "tokenEndpointAuthMethod": "none", the grant types "authorization_code" and "refresh_token", and the response type "code".',
      'Give it the scope "openid profile email offline_access". A request for a scope that isn\'t listed fails.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "redirectUris" and to "postLogoutRedirectUris".',
      'Copy "clientId" of the response to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: "Unified Login is a paid part of the managed service. A core that you run yourself doesn't have it.",
    },
    {
      kind: 'other',
      text: 'The ID token of a renewal has no email, because SuperTokens fills it by the scopes of that request, which Latchkey leaves out. "allowed" with an email would end the session there.',
    },
    {
      kind: 'other',
      text: 'Neither the ID token nor UserInfo has a name, unless you add one with "buildIdTokenPayload" or "buildUserInfo".',
    },
    {
      kind: 'other',
      text: 'Refresh tokens stay the same unless the client has "enableRefreshTokenRotation". The documents and the source name different defaults, so set it to true.',
    },
    {
      kind: 'other',
      text: 'A sign-out at the provider shows a page of your website that asks for confirmation.',
    },
    {
      kind: 'other',
      text: 'SuperTokens compares no origin. Whether another part of your server does is up to you.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A client with the method "none" has no secret. Redirect URIs are compared exactly. Refresh tokens need "offline_access", and live 30 days by default.',
      source:
        'https://github.com/supertokens/docs/blob/main/docs/authentication/unified-login/_blocks/create-oauth2-client-request-details.mdx',
    },
    {
      text: 'Requested scopes must be among those of the client. "email" is built in, "profile" adds no claim.',
      source: 'https://supertokens.com/docs/authentication/unified-login/work-with-scopes',
    },
    {
      text: 'Unified Login belongs to the managed service only.',
      source: 'https://supertokens.com/docs/authentication/unified-login/introduction',
    },
    {
      text: 'The token endpoint compares no origin. "prompt" is read if it is "none" or "login"; the rest goes to Ory Hydra. A renewal builds its ID token by the scopes of its own request. The logout asks for confirmation if there is a session.',
      source: 'https://github.com/supertokens/supertokens-node/tree/master/lib/ts/recipe/oauth2provider',
    },
    {
      text: 'The core tests with Ory Hydra 2.2.0, and turns rotation on only if the client asks for it. A refresh token is revoked without a secret.',
      source:
        'https://github.com/supertokens/supertokens-core/tree/master/src/main/java/io/supertokens/webserver/api/oauth',
    },
  ],
} satisfies Profile;
