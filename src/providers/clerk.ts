// Clerk, as an OpenID provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Clerk',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the address of the Frontend API, such as "https://clerk.example.com" or "https://<application>.clerk.accounts.dev"',
    },
  ],
  issuers: {
    example: 'https://<application>.clerk.accounts.dev',
    patterns: [/^https:\/\/[^/]+\.clerk\.accounts\.dev(\/|$)/, /^https:\/\/clerk\.[^/]+(\/|$)/],
    mistakes: [
      {
        pattern: /\/oauth\/(authorize|token)/,
        advice: 'That is an endpoint. The issuer is the address of the Frontend API alone.',
      },
    ],
  },
  registration: {
    console: 'Clerk Dashboard, "OAuth applications"',
    steps: [
      'Choose "Add OAuth application", and then turn on "Public" on its page.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Select the scopes {scopes}.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    { kind: 'no-logout', text: 'No page that ends the session at Clerk is documented.' },
    {
      kind: 'other',
      text: 'Access tokens last a day, and refresh tokens never end.',
    },
    {
      kind: 'other',
      text: 'The prompts are "login", "consent" and "none". "Use another account" asks for "login".',
    },
    {
      kind: 'other',
      text: "The reference describes revocation with a secret only. Whether a sign-out revokes the refresh token of a public client isn't known.",
    },
  ],
  read: '2026-11-28',
  facts: [
    {
      text: 'A public client exchanges its code with PKCE and without a secret.',
      source: 'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
      date: '2026-11-22',
    },
    {
      text: '"offline_access" is among the scopes. Access tokens last a day, refresh tokens never end.',
      source: 'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
      date: '2026-09',
    },
    {
      text: 'The issuer is the address of the Frontend API.',
      source: 'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
    },
    {
      text: 'The prompts are "none", "login" and "consent". The discovery document has to name an endpoint for revocation, and may name a logout page. In this reference refresh tokens last ten years, and a renewal has a new ID token.',
      source: 'https://github.com/clerk/openapi-specs/blob/main/fapi/2026-05-12.yml',
    },
    {
      text: 'Since June 2025 a public client can exchange its code in a browser.',
      source: 'https://clerk.com/changelog/2025-06-13-oauth-improvements',
    },
    {
      how: 'read in another project',
      text: 'An extension with permission for the host exchanged a code with PKCE.',
      source: 'https://github.com/clerk/clerk-chrome-extension-starter/issues/4',
    },
  ],
} satisfies Profile;
