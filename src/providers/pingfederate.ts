// PingFederate, a server that a company runs itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'PingFederate',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the base URL of your server, such as "https://sso.example.com", or one of its issuers',
    },
  ],
  issuers: {
    example: 'https://<host>',
    patterns: [],
    mistakes: [
      {
        pattern: /\/(as|idp|pf)\//,
        advice: 'That is an endpoint. The issuer is the base URL of the server.',
      },
    ],
  },
  registration: {
    console: 'PingFederate admin console, "Applications", "OAuth", "Clients"',
    steps: [
      'Add a client with the client authentication "None", and tick "Require Proof Key for Code Exchange (PKCE)".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs", and to the post-logout redirect URIs of the OpenID Connect settings.',
      'Tick the grant types "Authorization Code" and "Refresh Token".',
      'Let the OpenID Connect policy put "name" and "email" into the ID token.',
      'Under "System", "OAuth Settings", "Authorization Server Settings", add {origin:chrome} to "Allowed Origin", let refresh tokens roll, and tick "Track User Sessions for Logout". Replicate it to all nodes of a cluster.',
      'Copy "Client ID" to "clientId", and "issuer" of the discovery document to "issuer".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: "CORS headers are for the allowed origins. An extension doesn't need them, but whether other origins are refused isn't known.",
    },
    {
      kind: 'other',
      text: "By default refresh tokens don't roll: each stays the same, for 30 days without use. The server or the client can turn it on.",
    },
    {
      kind: 'other',
      text: 'Where "offline_access" is required for refresh tokens, PingFederate may ask for consent each time. Whether an unregistered "offline_access" is refused isn\'t known: if so, set "scope" to "openid profile email".',
    },
    {
      kind: 'other',
      text: 'A sign-out ends only the sessions that PingFederate tracks. From 13.1 on it may ask the person for confirmation.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A client may have no authentication, with PKCE required. Redirect URIs may have wildcards.',
      source:
        'https://docs.pingidentity.com/pingfederate/13.1/administrators_reference_guide/pf_configuring_oauth_clients.html',
    },
    {
      text: 'The settings of the server have the list of allowed origins, the rolling of refresh tokens, their idle timeout of 30 days, the requirement of "offline_access", and "Track User Sessions for Logout", which is off.',
      source:
        'https://docs.pingidentity.com/pingfederate/13.1/administrators_reference_guide/help_authorizationserversettingstasklet_oauthauthorizationserversettingsstate.html',
    },
    {
      text: 'The endpoints of OAuth send CORS headers to the allowed origins.',
      source:
        'https://docs.pingidentity.com/pingfederate/13.0/introduction_to_pingfederate/pf_cors_support_oauth_endpoints.html',
      date: '2026-11-28',
    },
    {
      text: 'The logout has the parameters of the standard, and returns the state. Without "id_token_hint" it asks for confirmation, from 13.1 on also where its cookie isn\'t configured.',
      source:
        'https://docs.pingidentity.com/pingfederate/13.1/developers_reference_guide/pf_openid_connect_rp_logout_endpoint.html',
      date: '2026-11-28',
    },
    {
      text: 'By default refresh tokens don\'t roll, "offline_access" isn\'t required, and redirects have no "iss".',
      source:
        'https://github.com/pingidentity/terraform-provider-pingfederate/blob/main/docs/resources/oauth_server_settings.md',
    },
    {
      text: 'The prompts are "none", "login" and "consent". "Use another account" asks for "login".',
    },
    {
      text: 'A server may have several issuers, each with a host and maybe a path.',
      source:
        'https://docs.pingidentity.com/pingfederate/latest/administrators_reference_guide/pf_adding_virtual_issuers_openid_connect.html',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
