// Twitch: sign-in with an ID token alone.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Twitch',
  settings: {
    issuer: 'https://id.twitch.tv/oauth2',
    scope: 'openid user:read:email',
    responseType: 'id_token',
    apiToken: 'id_token',
    authorizationParameters: {
      claims: '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
  },
  asks: [],
  issuers: {
    example: 'https://id.twitch.tv/oauth2',
    patterns: [/^https:\/\/([^/]+\.)?twitch\.tv(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/id\.twitch\.tv\/oauth2\/.*/,
        advice: 'The issuer is "https://id.twitch.tv/oauth2", without a slash at the end.',
      },
      {
        pattern: /^https:\/\/([^/]+\.)?twitch\.tv(?!\/oauth2)/,
        advice: 'The issuer is "https://id.twitch.tv/oauth2".',
      },
    ],
  },
  registration: {
    console: 'Twitch Developer Console, "Applications"',
    steps: [
      'Register an application, and add {redirectUri:chrome} and {redirectUri:firefox} to "OAuth Redirect URLs".',
      'Choose the client type "Public", and create no secret.',
      'Copy "Client ID" to "clientId".',
      'Let your API verify the ID token: its audience is the client id.',
    ],
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: "There is no refresh token. Whether Twitch renews the sign-in silently isn't known: if not, the person signs in again when the ID token expires.",
    },
    {
      kind: 'secret-wanted',
      text: "A code needs a client secret. So the sign-in asks for an ID token alone, and for Twitch's own APIs a relay is needed: docs/relay.md. Its device flow needs no secret, but wasn't tried with Latchkey.",
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Twitch.' },
    {
      kind: 'other',
      text: 'Whether the response repeats "state" in the fragment wasn\'t tried. Without it Latchkey rejects the sign-in.',
    },
  ],
  read: '2026-09',
  facts: [
    {
      text: 'The implicit flow with "response_type=id_token" serves applications without a server. "claims" asks for email, email_verified, picture and preferred_username.',
      source: 'https://dev.twitch.tv/docs/authentication/getting-tokens-oidc',
    },
    {
      text: 'The token endpoint takes "client_secret_post" alone.',
      source: 'https://dev.twitch.tv/docs/authentication/getting-tokens-oidc',
    },
    {
      how: 'read in another project',
      text: 'The zkLogin of Sui signs people in with "response_type=id_token" and a nonce.',
      source: 'https://docs.sui.io/guides/developer/cryptography/zklogin-integration',
    },
    {
      how: 'read in another project',
      text: 'The device flow serves public clients without a secret. Its refresh tokens are used once, and end after 30 days without use.',
      source: 'https://github.com/ChrisLauinger77/stream-gui-rs/blob/main/docs/authentication.md',
      date: '2026-11-28',
    },
    {
      text: 'An application has a client type, "Public" or "Confidential". Not tried here.',
      date: '2026-11-23',
    },
  ],
} satisfies Profile;
