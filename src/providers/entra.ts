// Microsoft Entra ID: the people of one tenant.

import type { ApiTokens, Fact, Limit, Profile, StepUpSupport } from './profile.ts';

/** The same for all profiles of this platform. */
export const apis: ApiTokens = {
  by: 'scope',
  text: 'The scope of an API is the full name of a permission, such as "api://<client id>/access_as_user", listed under "API permissions". Name one in the "scope" of the sign-in too, such as "https://graph.microsoft.com/User.Read": the scopes of OpenID Connect alone don\'t redeem a code for several APIs.',
};

export const stepUp: StepUpSupport = {
  by: ['max_age'],
  text: 'Add the optional claim "auth_time" to the ID token. Tokens then end as early as "max_age" says, so an API must ask for some minutes. There is no "acr_values": Microsoft has claims challenges instead, which Latchkey doesn\'t handle.',
};

export const platform: Limit = {
  kind: 'other',
  text: 'The platform of the redirect URI has to be "Single-page application". Its codes and refresh tokens are redeemed only with an "Origin" header (otherwise AADSTS9002327), which an extension sends, and those of "Mobile and desktop applications" only without one (AADSTS9002326). Whether the origin of Firefox is taken wasn\'t tried.',
};

/** The same for work, school and personal accounts. */
export const accountFacts: readonly Fact[] = [
  {
    text: 'Refresh tokens of a redirect URI registered as "spa" expire after 24 hours, renewed ones at the same time.',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens',
    date: '2026-11-28',
  },
  {
    text: "Microsoft's sample of a Chromium extension, which is gone since, registered the chromiumapp.org address as a single-page application.",
    source: 'https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/7975',
    date: '2026-11-28',
  },
  {
    how: 'read in another project',
    text: 'A Chrome extension redeemed codes of a single-page application, for work and personal accounts.',
    source: 'https://github.com/MicrosoftDocs/azure-docs/issues/62164',
    date: '2026-11-28',
  },
  {
    text: 'A redirect URI has to begin with "https", so the origin of an extension can\'t be one.',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/reply-url',
    date: '2026-11-28',
  },
  { text: 'The redirect URI of Firefox is untested.', date: '2026-11-22' },
  {
    text: 'Redirect URIs are added under "Authentication", "Redirect URI configuration".',
    source: 'https://learn.microsoft.com/en-au/Entra/identity-platform/how-to-add-redirect-uri',
    date: '2026-11-28',
  },
  {
    how: 'read in another project',
    text: 'The account types are called "Single tenant only", "Multiple Entra ID tenants" and "Any Entra ID tenant + personal Microsoft accounts".',
    source:
      'https://github.com/zammad/zammad-admin-documentation/blob/HEAD/settings/security/third-party/microsoft.rst',
    date: '2026-11-28',
  },
  {
    text: 'UserInfo is on graph.microsoft.com.',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc',
    date: '2026-11-28',
  },
  {
    text: 'The clouds for the US Government and China have authentication endpoints of their own.',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud',
    date: '2026-11-28',
  },
  {
    text: 'The claims of ID tokens don\'t include "email_verified".',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference',
    date: '2026-11-28',
  },
  {
    how: 'read in another project',
    text: 'The discovery document names no revocation endpoint.',
    source: 'https://github.com/panva/wellknown/blob/main/issuers/entra-common/entra-common.mjs',
    date: '2026-11-28',
  },
];

/** Where they were read. */
export const sources: readonly Fact[] = [
  {
    text: 'Without an origin, a code of a single-page application is refused with AADSTS9002327.',
    source: 'https://learn.microsoft.com/en-us/answers/questions/1601797',
    date: '2026-11-28',
  },
  {
    text: 'With an origin, a code of another platform is refused with AADSTS9002326.',
    source: 'https://learn.microsoft.com/en-my/answers/questions/5743543',
    date: '2026-11-28',
  },
  {
    text: 'A sign-in may ask for the scopes of several APIs, and a token request for those of one. A refresh token brings tokens for all APIs that were consented to.',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
    date: '2026-11-25',
  },
  {
    text: 'Without consent, the response to a refresh token is "invalid_grant" with AADSTS65001.',
    source:
      'https://learn.microsoft.com/en-us/answers/questions/1520238/rest-api-flow-authentication-on-management-azure-c',
    date: '2026-11-25',
  },
  {
    how: 'read in another project',
    text: 'An email address that isn\'t the user name as "login_hint" ends a silent sign-in with AADSTS50058.',
    source: 'https://github.com/SharePoint/sp-dev-docs/issues/3147',
    date: '2026-11-28',
  },
  {
    text: 'The optional claim "login_hint" is the best "login_hint". As "logout_hint" it signs people out without asking for the account.',
    source: 'https://github.com/AzureAD/microsoft-authentication-library-for-js/pull/4450',
    date: '2026-11-28',
  },
  {
    text: 'A code for several APIs is refused without "scope" (AADSTS28003).',
    source: 'https://github.com/AzureAD/microsoft-authentication-library-for-python/issues/125',
    date: '2026-11-25',
  },
  {
    how: 'read in another project',
    text: 'It was refused with the scopes of OpenID Connect alone too (AADSTS28002).',
    source: 'https://www.volcengine.com/article/3549453',
    date: '2026-11-25',
  },
  {
    text: '"resource" and "audience" aren\'t parameters here, and "resource" is refused. Not tried here.',
    date: '2026-11-25',
  },
  {
    text: 'With "max_age", Microsoft asks again if the person has signed in longer ago.',
    source: 'https://github.com/AzureAD/microsoft-authentication-library-for-python/pull/412',
    date: '2026-11-25',
  },
  {
    text: 'The tokens then end as many seconds later as "max_age" says.',
    source: 'https://github.com/AzureAD/microsoft-authentication-library-for-python/issues/444',
    date: '2026-11-25',
  },
  {
    text: '"auth_time" is an optional claim. Authentication contexts are in "acrs", which an API asks for with "claims".',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/optional-claims-reference',
    date: '2026-11-25',
  },
];

export default {
  use: 'preset',
  title: 'Microsoft Entra ID, one tenant',
  settings: { origins: ['https://graph.microsoft.com'], refreshTokenSeconds: 86_400, loginHint: 'username' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your tenant, "https://login.microsoftonline.com/<tenant id>/v2.0", with the id of the directory',
    },
  ],
  issuers: {
    example: 'https://login.microsoftonline.com/<tenant id>/v2.0',
    patterns: [
      /^https:\/\/(login\.microsoftonline\.(com|us)|login\.(partner\.microsoftonline|chinacloudapi)\.cn|sts\.(windows\.net|chinacloudapi\.cn)|login\.windows\.net)\/(?!(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$))/,
    ],
    mistakes: [
      {
        pattern: /^https:\/\/(sts|login)\.windows\.net\//,
        advice:
          'That is the issuer of version 1. Write "https://login.microsoftonline.com/<tenant id>/v2.0".',
      },
      {
        pattern: /\/oauth2\/(v2\.0\/)?(authorize|token)/,
        advice: 'That is an endpoint. The issuer is "https://login.microsoftonline.com/<tenant id>/v2.0".',
      },
      {
        pattern: /^https:\/\/login\.microsoftonline\.com\/[^/]+\/?$/,
        advice: 'Add "/v2.0" after the tenant, without a slash at the end.',
      },
      {
        pattern: /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0\/$/,
        advice: 'Remove the slash at the end.',
      },
      {
        pattern: /^https:\/\/login\.microsoftonline\.com\/[^/.]{1,100}\.[^/]{1,100}\/v2\.0$/,
        advice:
          'Write the id of the tenant in place of its domain, because the discovery document names the id.',
      },
    ],
  },
  registration: {
    console: 'Microsoft Entra admin center, "Entra ID", "App registrations"',
    steps: [
      'Register an application for accounts in this directory only ("Single tenant only").',
      'Under "Authentication", "Redirect URI configuration", choose "Add Redirect URI" and "Single-page application", and enter {redirectUri:chrome}.',
      'Add {redirectUri:firefox} to the same platform.',
      'Under "Authentication", "Settings", leave both boxes under "Implicit grant and hybrid flows" empty.',
      'Under "API permissions", add the delegated permissions openid, profile, email and offline_access of Microsoft Graph.',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId".',
      'Copy "Directory (tenant) ID" into "issuer".',
    ],
  },
  limits: [
    platform,
    {
      kind: 'other',
      text: 'In the clouds for the US Government and China, discovery names other hosts. Set "origins" to that of UserInfo there, such as ["https://graph.microsoft.us"]. This wasn\'t tried.',
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
  ],
  apis,
  stepUp,
  read: '2026-11-28',
  facts: [...accountFacts, ...sources],
} satisfies Profile;
