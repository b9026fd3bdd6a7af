// Keycloak.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Keycloak',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the realm, such as "https://id.example.com/realms/<realm>"',
    },
  ],
  issuers: {
    example: 'https://<host>/realms/<realm>',
    patterns: [/\/realms\/[^/]+/, /\/admin\/[^/]{1,100}\/console/],
    mistakes: [
      {
        pattern: /\/protocol\/openid-connect/,
        advice:
          'That is an endpoint. The issuer ends with the name of the realm: "https://<host>/realms/<realm>".',
      },
      { pattern: /\/realms\/[^/]{1,100}\/$/, advice: 'Remove the slash at the end.' },
      {
        pattern: /\/admin\/[^/]{1,100}\/console/,
        advice: 'That is the admin console. The issuer is "https://<host>/realms/<realm>".',
      },
    ],
  },
  registration: {
    console: 'Keycloak admin console, "Clients" of the realm',
    steps: [
      'Create a client of the type "OpenID Connect".',
      'Switch "Client authentication" off, so that the client is public, and "Standard flow" on.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Valid redirect URIs", and to "Valid post logout redirect URIs".',
      'Add {origin:chrome} to "Web origins". For Firefox only "*" works, because its origin is random in each installation.',
      'Under "Capability config", switch "Require PKCE" on, with the method "S256". Older versions have "PKCE Method" there, or "Proof Key for Code Exchange Code Challenge Method" under "Advanced".',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'listed-or-any',
  },
  limits: [
    {
      kind: 'origin-checked',
      text: 'Since 26.6.3 and 26.4.13, Keycloak responds with 403 to an origin that "Web origins" doesn\'t list. "+" stands for the hosts of the redirect URIs, which an extension\'s origin isn\'t among. A gateway in front that adds an origin of its own causes the same response.',
    },
  ],
  apis: {
    by: 'scope',
    text: 'Make a client scope with an audience mapper for each API, and add it to the client as "Optional". Its name is the scope of the API. "resource" is experimental. The first token of a sign-in has the scopes and audiences of all APIs, because Keycloak ignores "scope" when it redeems a code; Latchkey renews it with its own scope before an API gets it.',
  },
  stepUp: {
    by: ['acr_values', 'max_age'],
    text: 'Map the values to levels under "ACR to LoA Mapping", and use the condition "Level of Authentication" in the browser flow.',
  },
  read: '2026-11-28',
  facts: [
    {
      text: 'The code grant takes the scope from the code, and none from the token request.',
      source:
        'https://github.com/keycloak/keycloak/blob/main/services/src/main/java/org/keycloak/protocol/oidc/grants/AuthorizationCodeGrantType.java',
    },
    {
      text: '24.0.0 and 24.0.1 refuse a narrower scope with an offline refresh token without "offline_access" in it.',
      source: 'https://github.com/keycloak/keycloak/issues/27878',
    },
    {
      text: 'A gateway that adds an origin gets the same 403.',
      source: 'https://github.com/keycloak/keycloak/issues/51831',
    },
    {
      text: 'A request with another origin is rejected with 403 before anything else.',
      source: 'https://github.com/keycloak/keycloak/pull/48469',
      date: '2026-11-22',
    },
    {
      text: 'The change is part of 26.6.3 and 26.4.13.',
      source: 'https://github.com/keycloak/keycloak/issues/48036',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The rule holds for the endpoints for tokens, UserInfo, revocation, logout and pushed requests.',
      source: 'https://github.com/l10178/idaas-book/pull/241',
      date: '2026-11-22',
    },
    {
      text: 'Version 26.3.4 has no setting for PKCE under "Advanced". A wish of 2024 was to move it to "Capability config".',
      source: 'https://github.com/keycloak/keycloak/issues/42724',
    },
    {
      text: '"Require PKCE" is a switch, with the method "S256" by default.',
      source: 'https://github.com/keycloak/keycloak/pull/44365',
    },
    {
      text: '"select_account" isn\'t supported.',
      source: 'https://github.com/keycloak/keycloak/issues/42064',
      date: '2026-09',
    },
    {
      text: 'The admin console may refuse "chrome-extension:" among the web origins. That is untested.',
      date: '2026-11-22',
    },
    {
      text: 'Since version 24, "scope" with a refresh token chooses among the scopes of the sign-in. At first it narrowed the refresh token too.',
      source: 'https://github.com/keycloak/keycloak/issues/28463',
      date: '2026-11-25',
    },
    {
      text: 'Version 24.0.1 refuses a refresh token for offline access if "scope" lacks "offline_access".',
      source: 'https://github.com/keycloak/keycloak/issues/27878',
      date: '2026-11-25',
    },
    {
      text: 'Resource indicators (RFC 8707) are experimental.',
      source: 'https://www.keycloak.org/securing-apps/mcp-authz-server',
      date: '2026-11-25',
    },
    {
      text: '"acr_values" asks for a level, and "acr" is in the ID token through a default client scope.',
      source:
        'https://github.com/keycloak/keycloak/blob/main/docs/documentation/server_admin/topics/authentication/flows.adoc',
      date: '2026-11-25',
    },
    {
      text: 'Since version 25, "auth_time" comes from the default client scope "basic".',
      source:
        'https://github.com/keycloak/keycloak/blob/main/docs/documentation/upgrading/topics/changes/changes-25_0_0.adoc',
    },
    {
      text: '"max_age" makes Keycloak ask again. Not tried here.',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
