// Rauthy, a server that a team runs itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Rauthy',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the server, such as "https://<host>/auth/v1/", with a slash at the end',
    },
  ],
  issuers: {
    example: 'https://<host>/auth/v1/',
    patterns: [/^https:\/\/(?![^/]{1,100}\.supabase\.co\/)[^/]+\/auth\/v1\/(oidc(\/|$)|$)/],
    mistakes: [
      {
        pattern: /\/auth\/v1\/oidc/,
        advice: 'That is an endpoint. The issuer is "https://<host>/auth/v1/", with a slash at the end.',
      },
    ],
  },
  registration: {
    console: 'Rauthy Admin UI, "Clients"',
    steps: [
      'In "config.toml", add "chrome-extension" to "additional_allowed_origin_schemes", and restart Rauthy.',
      'Create a client, and switch "Confidential" off.',
      'Enable the flows "authorization_code" and "refresh_token", and PKCE with S256.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs" and to "Post Logout Redirect URIs".',
      'Add {origin:chrome} to "Allowed Origins".',
      'Allow the scopes openid, profile and email.',
      'Copy the client ID to "clientId".',
    ],
    origins: 'listed',
  },
  limits: [
    {
      kind: 'origin-checked',
      text: 'Rauthy refuses an origin that "Allowed Origins" doesn\'t list. It compares whole origins and knows no "*", so Firefox can\'t sign in: its origin is random in each installation.',
    },
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token lives 48 hours unless "refresh_token_lifetime" says otherwise. After a longer pause the person signs in again.',
    },
    {
      kind: 'other',
      text: 'A refresh token that is used while its access token is good for more than a minute ends all sessions of the person, unless "disable_refresh_token_nbf" is on. Latchkey renews 30 seconds before the end, but at once if an API responds with 401.',
    },
    {
      kind: 'other',
      text: "A refresh token that Rauthy has deleted gets status 404, which Latchkey doesn't take for the end of the session. The person signs in again.",
    },
    {
      kind: 'other',
      text: 'Rauthy refuses a logout whose ID token expired more than ten minutes ago. The person is then signed out on this device only.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'The issuer is "https://<host>/auth/v1/". Discovery names endpoints for revocation and logout.',
      source: 'https://github.com/sebadob/rauthy/blob/main/src/data/src/entity/well_known.rs',
    },
    {
      text: "The origin of each token request is compared with those of the client. A different one gets status 400, and so is one whose scheme isn't allowed.",
      source: 'https://github.com/sebadob/rauthy/blob/main/src/data/src/entity/clients.rs',
    },
    {
      text: 'Schemes other than http and https must be in "additional_allowed_origin_schemes". Refresh tokens live 48 hours, and one used early ends all sessions.',
      source: 'https://sebadob.github.io/rauthy/config/config.html',
    },
    {
      text: 'The prompts "none", "login" and "consent" have an effect, and others are ignored. Without a session "none" gets "login_required".',
      source: 'https://github.com/sebadob/rauthy/blob/main/src/api/src/oidc.rs',
    },
    {
      text: "Scopes that the client doesn't have are left out. ID tokens have given_name and family_name, no name, and say whether the email is verified.",
      source: 'https://github.com/sebadob/rauthy/blob/main/src/service/src/token_set.rs',
    },
    {
      text: 'A valid ID token signs the person out without a question, and only listed URIs are redirected to.',
      source: 'https://sebadob.github.io/rauthy/work/logout.html',
    },
  ],
} satisfies Profile;
