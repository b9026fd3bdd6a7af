// Microsoft Entra ID: personal Microsoft accounts.

import { accountFacts, apis, platform, sources, stepUp } from './entra.ts';
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
    console: 'Microsoft Entra admin center, "Entra ID", "App registrations"',
    steps: [
      'Register an application for personal Microsoft accounts.',
      'Under "Authentication", "Redirect URI configuration", choose "Add Redirect URI" and "Single-page application", and enter {redirectUri:chrome}.',
      'Add {redirectUri:firefox} to the same platform.',
      'Under "Authentication", "Settings", leave both boxes under "Implicit grant and hybrid flows" empty.',
      'Under "API permissions", add the delegated permissions openid, profile, email and offline_access of Microsoft Graph.',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId".',
    ],
  },
  limits: [
    platform,
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
      text: "Without a scope of your own API, the access token is for Microsoft Graph, and your API can't verify it.",
    },
  ],
  apis,
  stepUp,
  read: '2026-11-28',
  facts: [
    {
      text: 'Every personal account is in the tenant 9188040d-6c67-4c5b-b112-36a304b66dad.',
      source: 'https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference',
    },
    ...accountFacts,
    ...sources,
  ],
} satisfies Profile;
