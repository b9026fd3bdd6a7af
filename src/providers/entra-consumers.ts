// Microsoft Entra ID: personal Microsoft accounts.

import { apis, sources, stepUp } from './entra.ts';
import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Personal Microsoft accounts',
  settings: {
    issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    origins: ['https://graph.microsoft.com'],
    refreshTokenSeconds: 86_400,
    loginHint: 'username',
  },
  asks: [],
  issuers: {
    example: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    patterns: [
      /^https:\/\/login\.microsoftonline\.com\/(consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/,
      /^https:\/\/login\.live\.com(\/|$)/,
    ],
    mistakes: [
      {
        pattern: /\/consumers(\/|$)/,
        advice:
          'Write "9188040d-6c67-4c5b-b112-36a304b66dad" in place of "consumers", because ID tokens name it so.',
      },
      {
        pattern: /^https:\/\/login\.live\.com/,
        advice: 'That is the old address. Remove "issuer": the profile has the right one.',
      },
    ],
  },
  registration: {
    console: 'Microsoft Entra admin center, "App registrations"',
    steps: [
      'Register an application for personal Microsoft accounts.',
      'Under "Authentication", add the platform "Single-page application" with the redirect URI {redirectUri:chrome}.',
      'Add {redirectUri:firefox} to the same platform.',
      'Leave both boxes under "Implicit grant and hybrid flows" empty.',
      'Under "API permissions", add the delegated permissions openid, profile, email and offline_access of Microsoft Graph.',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'refresh-token-ends',
      text: 'Refresh tokens of a single-page application end 24 hours after the sign-in. Latchkey then signs in silently, which needs the session at Microsoft.',
    },
    {
      kind: 'verified-email-missing',
      text: 'ID tokens have no "email_verified", so "allowed" with "email" lets no one in. Use "tid", "oid" or "roles" instead.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    {
      kind: 'other',
      text: 'Without a scope of your own API, the access token is for Microsoft Graph, and your API cannot verify it.',
    },
  ],
  apis,
  stepUp,
  facts: [
    {
      how: "read in the provider's documents",
      text: 'Refresh tokens of a redirect URI registered as "spa" expire after 24 hours, renewed ones at the same time.',
      source: 'https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: "Microsoft's sample of a Chromium extension registers the chromiumapp.org address as a single-page application.",
      source:
        'https://github.com/AzureAD/microsoft-authentication-library-for-js/blob/dev/samples/msal-browser-samples/ChromiumExtensionSample/README.md',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'Every personal account is in the tenant 9188040d-6c67-4c5b-b112-36a304b66dad.',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'ID tokens have no "email_verified". Not tried here.',
      date: '2026-11-22',
    },
    ...sources,
  ],
} satisfies Profile;
