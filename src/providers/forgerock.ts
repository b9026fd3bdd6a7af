// ForgeRock, now of Ping Identity: PingOne Advanced Identity Cloud, or PingAM on a host of your own.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'PingAM and PingOne Advanced Identity Cloud (ForgeRock)',
  settings: { scope: 'openid profile email', otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your realm, such as "https://<tenant>.forgeblocks.com:443/am/oauth2/alpha", to the letter as in its discovery document',
    },
  ],
  issuers: {
    example: 'https://<tenant>.forgeblocks.com:443/am/oauth2/<realm>',
    patterns: [/^https:\/\/[^/]+\.forgeblocks\.com(:443)?(\/|$)/],
    mistakes: [
      {
        pattern: /\/(authorize|access_token|connect\/\w{1,20})$/,
        advice: 'That is an endpoint. The issuer ends with the realm.',
      },
      {
        pattern: /\.forgeblocks\.com(:443)?(\/(am|platform|login)(\/oauth2)?)?\/?$/,
        advice: 'The issuer ends with the realm, such as "/am/oauth2/alpha".',
      },
    ],
  },
  registration: {
    console: 'the admin UI of the realm, "Applications", "OAuth 2.0"',
    steps: [
      'Add a client: "Native / SPA" in Advanced Identity Cloud; in PingAM, the client type "Public", with the authentication method "none" at the token endpoint.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to the redirect URIs and to the post-logout redirect URIs.',
      'Choose the grant types "Authorization Code" and "Refresh Token", and the scopes openid, profile and email.',
      'If CORS is on, add {origin:chrome} to the accepted origins, or accept all.',
      'Open the discovery document, and copy its "issuer" to "issuer", with ":443" if it is there.',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'listed-or-any',
  },
  limits: [
    {
      kind: 'origin-checked',
      text: "Where CORS is on and lists whole origins, Firefox can't sign in, because its origin is random in each installation.",
    },
    {
      kind: 'scope-refused',
      text: 'A scope that the client doesn\'t list is refused. A refresh token comes without "offline_access".',
    },
    {
      kind: 'other',
      text: "What follows from the source of a fork wasn't checked at PingAM itself, which isn't public.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A single-page application is a public client of the type "Native / SPA", with its origin in the settings for CORS.',
      source:
        'https://docs.pingidentity.com/sdks/latest/token-vault/getting-started/01-configure-authorization-server.html',
    },
    {
      text: 'A public client has the authentication method "none".',
      source: 'https://docs.pingidentity.com/pingoneaic/am-oidc1/oidc-client-auth.html',
    },
    {
      text: 'Each use of a refresh token brings another, and ends the old one.',
      source: 'https://docs.pingidentity.com/pingam/8/am-oauth2/oauth2-refresh-tokens.html',
    },
    {
      text: 'CORS is off by default. Where it is on, it has a list of accepted origins.',
      source: 'https://docs.pingidentity.com/pingam/8/security/enable-cors-support.html',
    },
    {
      text: 'The logout page needs "id_token_hint", and returns to registered addresses only.',
      source: 'https://docs.pingidentity.com/pingoneaic/am-oidc1/rest-api-oidc-endsession-endpoint.html',
    },
    {
      how: 'read in another project',
      text: 'The issuer of a tenant has the port ":443".',
      source: 'https://github.com/cloudflare/ai/tree/main/demos/remote-mcp-pingone-aic',
    },
    {
      how: 'read in another project',
      text: 'A fork knows the prompts "none", "login" and "consent", refuses scopes that aren\'t listed and, with CORS on, origins that aren\'t listed. Its list may be "*". Its logout repeats the state.',
      source: 'https://github.com/OpenIdentityPlatform/OpenAM',
    },
    {
      text: 'Ping Identity\'s own library signs in silently with "prompt=none".',
      source: 'https://github.com/ForgeRock/ping-javascript-sdk',
    },
  ],
} satisfies Profile;
