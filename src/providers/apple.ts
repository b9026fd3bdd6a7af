// Sign in with Apple.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Apple',
  refusal:
    'Apple requires a secret signed with a private key, and responds with a form that only a web server can receive if the scopes ask for name or email. Put a broker that you run or can host (such as Keycloak, Auth0, Dex or Zitadel) in between, and configure the broker as the provider.',
  issuers: {
    example: 'https://appleid.apple.com',
    patterns: [/^https:\/\/(appleid|account)\.apple\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Apple Developer, "Certificates, Identifiers & Profiles"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: 'The token endpoint requires a client secret: a JWT that a private key signs, and that ends after 6 months at the latest.',
    },
    {
      kind: 'other',
      text: 'With the scopes name and email, Apple responds with a form (response_mode=form_post), which no sign-in window shows to an extension.',
    },
  ],
  read: '2026-11-28',
  facts: [
    {
      how: 'read in another project',
      text: 'With any scope, the response mode has to be "form_post".',
      source: 'https://hexdocs.pm/ueberauth_apple/Ueberauth.Strategy.Apple.html',
    },
    {
      how: 'read in another project',
      text: 'The secret is a JWT signed with ES256.',
      source: 'https://github.com/LoginRadius/apple-client-secret-generator',
    },
    {
      how: 'read in another project',
      text: 'The secret ends after 15,777,000 seconds at the latest.',
      source: 'https://github.com/Danil27/apple-client-secret-generator',
    },
    {
      how: 'read in another project',
      text: 'The discovery document lists "client_secret_post" as the only authentication method of the token endpoint.',
      source: 'https://github.com/panva/wellknown/blob/main/issuers/apple/apple.mjs',
    },
    {
      text: 'The response types are "code" and "code id_token"; "id_token" alone isn\'t supported. So every sign-in redeems a code, with the secret.',
      source: 'https://developer.apple.com/forums/thread/704197',
    },
  ],
} satisfies Profile;
