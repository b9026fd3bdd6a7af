// Azure AD B2C.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Azure AD B2C',
  settings: { otherAccountPrompt: 'login', refreshTokenSeconds: 86_400 },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer in the discovery document, such as "https://<tenant>.b2clogin.com/<tenant id>/v2.0/"',
    },
    {
      setting: 'discoveryUrl',
      expected:
        'the address of the user flow\'s discovery document, such as "https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<policy>/v2.0/.well-known/openid-configuration"',
    },
    {
      setting: 'scope',
      expected:
        '"openid offline_access <client id>" or a scope of your API, because there is no access token without one',
    },
  ],
  issuers: {
    example: 'https://<tenant>.b2clogin.com/<tenant id>/v2.0/',
    patterns: [/^https:\/\/[^/]+\.b2clogin\.(com|us|cn)(\/|$)/],
    mistakes: [
      {
        pattern: /\.b2clogin\.com\/[^/]{1,100}\/[^/]{0,100}(b2c_1|B2C_1)/,
        advice:
          'That is the path of a policy. The issuer is "https://<tenant>.b2clogin.com/<tenant id>/v2.0/"; the policy belongs into "discoveryUrl".',
      },
      { pattern: /\.b2clogin\.com\/[^/]{1,100}\/v2\.0$/, advice: 'Add a slash at the end.' },
    ],
  },
  registration: {
    console: 'Azure portal, "Azure AD B2C", "App registrations"',
    steps: [
      'Register an application for "Accounts in any identity provider or organizational directory (for authenticating users with user flows)".',
      'Under "Authentication", add the platform "Single-page application" with {redirectUri:chrome} and {redirectUri:firefox}.',
      'Under "Permissions", tick "Grant admin consent to openid and offline_access permissions".',
      'Create no client secret.',
      'Copy "Application (client) ID" to "clientId" and into "scope".',
      'Copy the "issuer" of the user flow\'s discovery document, with its slash at the end.',
      'Copy the address of that document to "discoveryUrl".',
    ],
  },
  limits: [
    {
      kind: 'refresh-token-ends',
      text: 'Refresh tokens of a single-page application end 24 hours after the sign-in. Latchkey then signs in silently, which needs the session at Microsoft.',
    },
    {
      kind: 'verified-email-missing',
      text: 'ID tokens name the addresses in "emails", not in "email", so the popup shows no address unless the policy is changed.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    {
      kind: 'other',
      text: 'Without the client id or a scope of your API among the scopes there is no access token, and the sign-in fails.',
    },
  ],
  apis: {
    by: 'none',
    text: 'A sign-in may ask for the scopes of one application only (AADB2C90146). Let one application expose the scopes of all your APIs: its token is for all of them, and their origins belong in "apiOrigins".',
  },
  stepUp: {
    by: [],
    text: 'User flows know neither "acr_values" nor "max_age". A custom policy can read both, and has to put "acr" and "auth_time" into the ID token.',
  },
  read: '2026-11-28',
  facts: [
    {
      text: "Since 1 May 2025 new customers can't buy it.",
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/whats-new-docs',
      date: '2026-11-22',
    },
    {
      text: 'Refresh tokens of a single-page application live 24 hours.',
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/tokens-overview',
      date: '2026-11-22',
    },
    {
      text: '"login" is the only prompt that a user flow shows a page for.',
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/authorization-code-flow',
      date: '2026-09',
    },
    {
      text: 'The discovery document is below the policy. The issuer is "https://<domain>/<tenant id>/v2.0/", unless the policy is set to one with "/tfp/" and its own name.',
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/tokens-overview',
    },
    {
      text: 'A sign-in that asks for the scopes of two applications ends in AADB2C90146.',
      source: 'https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/550',
      date: '2026-11-25',
    },
    {
      text: 'The parameters of the sign-in are listed without "acr_values" and "max_age".',
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/authorization-code-flow',
      date: '2026-11-25',
    },
    {
      text: 'A custom policy reads them as {OIDC:AuthenticationContextReferences} and {OIDC:MaxAge}.',
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/claim-resolver-overview',
    },
    {
      text: 'The registration of a single-page application has the consent of an administrator to openid and offline_access.',
      source: 'https://learn.microsoft.com/azure/active-directory-b2c/tutorial-register-spa',
    },
  ],
} satisfies Profile;
