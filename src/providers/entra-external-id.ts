// Microsoft Entra External ID: customers of a team.

import { apis, sources, stepUp } from './entra.ts';
import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Microsoft Entra External ID',
  settings: { origins: ['https://graph.microsoft.com'], refreshTokenSeconds: 86_400, loginHint: 'username' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your external tenant, "https://<tenant id>.ciamlogin.com/<tenant id>/v2.0", with the id of the directory twice',
    },
  ],
  issuers: {
    example: 'https://<tenant id>.ciamlogin.com/<tenant id>/v2.0',
    patterns: [/^https:\/\/[^/]+\.ciamlogin\.(com|us|cn)(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/(?![\da-f]{8}-)[^/]+\.ciamlogin\.com/,
        advice:
          'Write the id of the tenant in place of its name, because the discovery document names the id. With "discoveryUrl" the document may be read below the name.',
      },
      {
        pattern: /\.ciamlogin\.com\/[^/]{1,100}\.[^/]{1,100}\//,
        advice: 'Write the id of the tenant in place of its domain.',
      },
    ],
  },
  registration: {
    console: 'Microsoft Entra admin center of the external tenant, "App registrations"',
    steps: [
      'Register an application in the external tenant for "Accounts in this organizational directory only", and add it to a user flow.',
      'Under "Authentication", add the platform "Single-page application" with the redirect URI {redirectUri:chrome}.',
      'Add {redirectUri:firefox} to the same platform.',
      'Leave both boxes under "Implicit grant and hybrid flows" empty.',
      'Under "API permissions", add the delegated permissions openid, profile, email and offline_access of Microsoft Graph, and select "Grant admin consent". People of an external tenant can\'t consent themselves.',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId".',
      'Copy "Directory (tenant) ID" twice into "issuer".',
      'If an endpoint is on "https://<name>.ciamlogin.com", add that host to "origins".',
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
      text: "Microsoft lists openid, offline_access and User.Read as the permissions of Graph in an external tenant. If profile and email aren't offered, leave them out there. Whether the sign-in still takes them isn't known.",
    },
  ],
  apis,
  stepUp,
  read: '2026-11-22',
  facts: [
    {
      text: 'Refresh tokens of a redirect URI registered as "spa" expire after 24 hours, renewed ones at the same time.',
      source: 'https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens',
    },
    {
      text: 'The issuer has the tenant id as its host, even if the name of the tenant was asked.',
      source: 'https://github.com/AzureAD/microsoft-authentication-library-for-js/pull/8595',
    },
    {
      how: 'read in another project',
      text: 'An ID token names "https://<tenant id>.ciamlogin.com/<tenant id>/v2.0".',
      source: 'https://github.com/oauth2-proxy/oauth2-proxy/issues/3476',
    },
    {
      how: 'read in another project',
      text: 'An ID token with "name", "oid", "preferred_username" and "tid" has no "email_verified".',
      source: 'https://github.com/AzureAD/microsoft-authentication-library-for-objc/issues/2871',
      date: '2026-11-28',
    },
    {
      text: "People can't consent. An administrator grants the permissions for all.",
      source: 'https://learn.microsoft.com/en-us/entra/external-id/customers/how-to-register-ciam-app',
      date: '2026-11-28',
    },
    {
      text: 'An application may have openid, offline_access and User.Read of Microsoft Graph, and the scopes of your own APIs.',
      source:
        'https://learn.microsoft.com/en-us/entra/external-id/customers/concept-supported-features-customers',
      date: '2026-11-28',
    },
    ...sources,
    {
      text: 'External tenants do the same with several APIs and "max_age". Not tried here.',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
