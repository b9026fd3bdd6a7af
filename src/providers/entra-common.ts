// Microsoft Entra ID: the people of every tenant and personal Microsoft accounts, with one client.

import { accountFacts, apis, platform, sources, stepUp } from './entra.ts';
import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Microsoft Entra ID, work and personal accounts',
  settings: {
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    issuerTemplate: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    origins: ['https://graph.microsoft.com'],
    refreshTokenSeconds: 86_400,
    loginHint: 'username',
  },
  asks: [],
  issuers: {
    example: 'https://login.microsoftonline.com/common/v2.0',
    patterns: [
      /^https:\/\/login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|chinacloudapi\.cn)\/common(\/|$)/,
    ],
    mistakes: [
      {
        pattern: /\/oauth2\/(v2\.0\/)?(authorize|token)/,
        advice: 'That is an endpoint. The issuer is "https://login.microsoftonline.com/common/v2.0".',
      },
      {
        pattern: /^https:\/\/login\.microsoftonline\.com\/common\/?$/,
        advice: 'Add "/v2.0", without a slash at the end.',
      },
    ],
  },
  registration: {
    console: 'Microsoft Entra admin center, "Entra ID", "App registrations"',
    steps: [
      'Register an application for accounts in any organizational directory and personal Microsoft accounts ("Any Entra ID tenant + personal Microsoft accounts").',
      'Under "Authentication", "Redirect URI configuration", choose "Add Redirect URI" and "Single-page application", and enter {redirectUri:chrome}.',
      'Add {redirectUri:firefox} to the same platform.',
      'Under "Authentication", "Settings", leave both boxes under "Implicit grant and hybrid flows" empty.',
      'Under "API permissions", add the delegated permissions openid, profile, email and offline_access of Microsoft Graph.',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId".',
      'To let in some tenants only, list their ids: "allowed": { "tid": ["<tenant id>"] }. Personal accounts are in the tenant 9188040d-6c67-4c5b-b112-36a304b66dad.',
    ],
  },
  limits: [
    platform,
    {
      kind: 'other',
      text: 'In the clouds for the US Government and China, set "issuer", "issuerTemplate" and "origins" to the hosts there. This wasn\'t tried.',
    },
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
    {
      kind: 'other',
      text: 'Everyone of every tenant and everyone with a personal account may sign in, unless "allowed" names tenants.',
    },
  ],
  apis,
  stepUp,
  read: '2026-09',
  facts: [
    {
      how: 'read in another project',
      text: 'The issuer in the discovery document is a template with "{tenantid}", which the claim "tid" of the ID token fills.',
      source: 'https://github.com/panva/openid-client/issues/893',
    },
    {
      text: 'For accounts in any organizational directory and personal Microsoft accounts, the endpoints have "common" in place of the tenant.',
      source:
        'https://learn.microsoft.com/en-us/answers/questions/1626221/microsoft-entra-spa-and-api-failing-to-authenticat',
      date: '2026-11-24',
    },
    {
      text: 'Every personal account is in the tenant 9188040d-6c67-4c5b-b112-36a304b66dad.',
      source: 'https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference',
      date: '2026-11-28',
    },
    ...accountFacts,
    ...sources,
  ],
} satisfies Profile;
