// Nextcloud with the app "OIDC Identity Provider".

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Nextcloud, with the app OIDC Identity Provider',
  settings: {
    otherAccountPrompt: 'login',
    authorizationParameters: {
      claims: '{"id_token":{"name":null,"email":null,"email_verified":null}}',
    },
  },
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of Nextcloud, such as "https://<host>", without a slash at the end',
    },
    {
      setting: 'discoveryUrl',
      expected:
        'the address of the discovery document, such as "https://<host>/index.php/apps/oidc/openid-configuration"',
    },
  ],
  issuers: { example: 'https://<host>', patterns: [], mistakes: [] },
  registration: {
    console: 'Nextcloud, "Administration settings", "OpenID Connect provider"',
    steps: [
      'Install the app "OIDC Identity Provider", version 2 or later.',
      'Add a client of the type "Public" and the flow "Code Authorization Flow".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} as its redirect URIs.',
      'Add both to "Accepted Logout Redirect URIs".',
      'Set "Refresh Token Expire Time" to as long as a session may pause.',
      'Copy the client identifier to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token expires 15 minutes after its access token unless the settings say otherwise. After a longer pause the person signs in again.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out everywhere deletes the tokens of the person.',
    },
    {
      kind: 'other',
      text: 'ID tokens have only the claims that the profile asks for with the parameter "claims". For another in "allowed", repeat the parameter with it.',
    },
    {
      kind: 'other',
      text: 'The OAuth 2 app that is part of Nextcloud itself requires a client secret, and issues no ID token.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'Public clients need no secret. In version 2, a refresh token comes with "offline_access", which former versions don\'t list, and a used one is replaced. The token endpoint accepts every origin.',
      source: 'https://github.com/H2CK/oidc/blob/master/lib/Controller/OIDCApiController.php',
    },
    {
      text: 'Since version 2, claims are in the ID token only if "claims" asks for them. Version 2 is the one that redirects after a logout, to a listed URI and with an ID token; before, only "id_token_hint" and "client_id" are taken. CORS is enabled for all domains.',
      source: 'https://github.com/H2CK/oidc/blob/master/README.md',
    },
    {
      text: 'The issuer is the address of Nextcloud without a slash. Discovery names an endpoint for logout and none for revocation.',
      source: 'https://github.com/H2CK/oidc/blob/master/lib/Util/DiscoveryGenerator.php',
    },
    {
      text: 'The prompt "login" signs the person out and asks again, "none" gets "login_required", and others have no effect.',
      source: 'https://github.com/H2CK/oidc/blob/master/lib/Controller/LoginRedirectorController.php',
    },
    {
      how: 'read in another project',
      text: 'The OAuth 2 app of Nextcloud itself has the endpoints "/apps/oauth2/authorize" and "/apps/oauth2/api/v1/token", and no OpenID Connect.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/nextcloud.ts',
    },
  ],
} satisfies Profile;
