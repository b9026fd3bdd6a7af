// Microsoft Entra ID, one tenant.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Microsoft Entra ID (one tenant)',
  settings: {
    origins: ['https://graph.microsoft.com'],
    refreshTokenSeconds: 86_400,
  },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your tenant: "https://login.microsoftonline.com/<tenant id>/v2.0" with the id of the directory (a GUID)',
    },
  ],
  issuers: {
    example: 'https://login.microsoftonline.com/<tenant id>/v2.0',
    patterns: [/^https:\/\/(login\.microsoftonline\.com|sts\.windows\.net|login\.windows\.net)(\/|$)/],
    mistakes: [
      {
        pattern: /\/(common|organizations)(\/|$)/,
        advice:
          'Write the id of your tenant in place of "common" or "organizations". For the people of every tenant use the profile "entra-organizations".',
      },
      {
        pattern: /\/consumers(\/|$)/,
        advice: 'For personal Microsoft accounts use the profile "entra-consumers".',
      },
      {
        pattern: /^https:\/\/(sts|login)\.windows\.net\//,
        advice:
          'That is the issuer of version 1. Write "https://login.microsoftonline.com/<tenant id>/v2.0".',
      },
      {
        pattern: /\/(oauth2\/)?v2\.0\/.+|\/oauth2\/v2\.0/,
        advice: 'That is an endpoint. The issuer ends with "/v2.0", right after the tenant id.',
      },
      {
        pattern: /^https:\/\/login\.microsoftonline\.com\/[^/]+\/?$/,
        advice: 'Add "/v2.0" after the tenant id, without a slash at the end.',
      },
      {
        pattern: /^https:\/\/login\.microsoftonline\.com\/[^/]+\.[^/]+\//,
        advice:
          'Write the id of the tenant (a GUID) in place of its domain, because the ID token names the id.',
      },
    ],
  },
  registration: {
    console: 'Microsoft Entra admin center, "App registrations"',
    steps: [
      'Register an application for accounts in this directory only.',
      'Under "Authentication", add the platform "Single-page application" with the redirect URI {redirectUri:chrome}.',
      'Add {redirectUri:firefox} to the same platform.',
      'Leave both boxes of "Implicit grant and hybrid flows" empty.',
      'Under "API permissions", add the delegated Microsoft Graph permissions openid, profile, email and offline_access.',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId", and "Directory (tenant) ID" into "issuer".',
    ],
  },
  limits: [
    {
      kind: 'refresh-token-ends',
      text: 'Refresh tokens of a single-page application end 24 hours after the sign-in. Latchkey then signs in silently, which needs the session at Microsoft.',
    },
    {
      kind: 'verified-email-missing',
      text: 'ID tokens have no "email_verified", so "allowed" with "email" lets nobody in. Use "tid", "oid" or "roles".',
    },
    {
      kind: 'no-revocation',
      text: 'There is no endpoint to revoke a refresh token. Signing out deletes it on this device only.',
    },
    {
      kind: 'other',
      text: 'Without a scope of your own API, the access token is for Microsoft Graph. Your API cannot verify it.',
    },
  ],
  facts: [
    {
      how: 'read in another project',
      text: 'A redirect URI on chromiumapp.org is registered as a single-page application.',
      source:
        'https://github.com/AzureAD/microsoft-authentication-library-for-js/tree/dev/samples/msal-browser-samples/ChromiumExtensionSample',
      date: '2026-09-20',
    },
    {
      how: 'from memory',
      text: 'ID tokens have no "email_verified".',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
