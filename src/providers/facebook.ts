// Facebook Login: sign-in with an ID token alone.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Facebook',
  settings: {
    issuer: 'https://www.facebook.com',
    scope: 'openid email public_profile',
    responseType: 'id_token',
    apiToken: 'id_token',
  },
  asks: [],
  issuers: {
    example: 'https://www.facebook.com',
    patterns: [/^https:\/\/([^/]+\.)?facebook\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/([^/]+\.)?facebook\.com\//,
        advice: 'The issuer is "https://www.facebook.com", without a path or a slash.',
      },
      {
        pattern: /^https:\/\/((?!www\.)[^/]+\.)?facebook\.com/,
        advice: 'The issuer is "https://www.facebook.com".',
      },
    ],
  },
  registration: {
    console: 'Meta for Developers, "My Apps", "Facebook Login"',
    steps: [
      'Create an app, and add "Facebook Login" for the web.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Valid OAuth Redirect URIs".',
      'Use no client secret: the sign-in needs none.',
      'Copy "App ID" to "clientId".',
      'Let your API verify the ID token: its audience is the app id.',
    ],
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: "There is no refresh token. Whether Facebook renews the sign-in silently isn't known: if not, the person signs in again when the ID token expires.",
    },
    {
      kind: 'secret-wanted',
      text: "The sign-in asks for an ID token alone. For Facebook's own APIs a relay is needed: docs/relay.md.",
    },
    {
      kind: 'scope-refused',
      text: 'The scope for name and picture is "public_profile". "profile" is refused.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Facebook.' },
    {
      kind: 'verified-email-missing',
      text: "Whether ID tokens say that an email is verified isn't known.",
    },
    {
      kind: 'other',
      text: 'Whether the response repeats "state" in the fragment isn\'t known. Without it Latchkey rejects the sign-in.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'A copy of the discovery document names an authorization endpoint, keys, RS256 and the response types "id_token" and "token id_token", and no token endpoint. Its claims include nonce, name, email and picture. The document itself wasn\'t opened.',
      source: 'https://www.facebook.com/.well-known/openid-configuration/',
    },
    {
      text: 'A code flow with PKCE is described too, as "still in testing". The page is of 18 July 2023.',
      source: 'https://developers.facebook.com/documentation/facebook-login/guides/advanced/oidc-token',
    },
    {
      how: 'read in another project',
      text: 'The zkLogin of Sui signs people in with "response_type=id_token" and a nonce.',
      source:
        'https://github.com/MystenLabs/sui/blob/00b79c60ddef162be8082c51b206934c60d3fe0c/docs/content/guides/developer/cryptography/zklogin-integration.mdx',
    },
    {
      text: 'The scope "profile" is refused. Not tried here.',
      date: '2026-11-23',
    },
  ],
} satisfies Profile;
