// SAP Cloud Identity Services, Identity Authentication.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'SAP Cloud Identity Services',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the tenant, such as "https://<tenant>.accounts.ondemand.com"',
    },
  ],
  issuers: {
    example: 'https://<tenant>.accounts.ondemand.com',
    patterns: [/^https:\/\/[^/]+\.accounts(\d{3})?\.(ondemand\.com|cloud\.sap|sapcloud\.cn)(\/|$)/],
    mistakes: [
      { pattern: /\/oauth2\//, advice: 'That is an endpoint. The issuer is the address of the tenant.' },
      { pattern: /^https:\/\/[^/]{1,200}\/$/, advice: 'Remove the slash at the end.' },
      { pattern: /\/admin(\/|$)/, advice: 'That is the administration console.' },
    ],
  },
  registration: {
    console: 'Administration console for SAP Cloud Identity Services, "Applications"',
    steps: [
      'Create an application of the protocol type "OpenID Connect".',
      'Enable "Public Client Flows" under "Client Authentication".',
      'Allow the grant types "Authorization Code / Enforce PKCE (S256)" and "Refresh Token".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs" and to "Post Logout Redirect URIs".',
      'Switch "Enforce Compliant OIDC Issuer" on if the issuer of the tenant has no "https:".',
      'Copy the client ID to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token lives as long as the session timeout of the tenant.',
    },
    {
      kind: 'other',
      text: 'With "Enforce Compliant OIDC Issuer", the discovery document names that issuer only if its address has the client: set "discoveryUrl" to the address with "?client_id=" and the client ID.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'Public clients use the code flow with PKCE. The prompts are "login" and "none", and the scopes openid, email, profile, groups and offline_access.',
      source:
        'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Operation-Guide/configure-the-client-to-call-identity-authentication-authorize-endpoint-for-authorization-a721157.md',
    },
    {
      text: '"Enable Public Client Flows" is for applications that can\'t protect a credential. The grant type "Authorization Code / Enforce PKCE (S256)" is the one with PKCE.',
      source:
        'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Operation-Guide/configure-openid-connect-oidc-application-for-authorization-code-flow-4a94254.md',
    },
    {
      text: 'Discovery names endpoints for UserInfo, revocation and logout, RS256, "iss" in redirects, and the claim "email_verified". An issuer may lack "https:" until it is enforced.',
      source:
        'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Operation-Guide/call-identity-authentication-discovery-endpoint-c297516.md',
    },
    {
      text: 'Any https address may be a redirect URI, up to twenty of them.',
      source:
        'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Operation-Guide/redirect-uris-post-logout-redirect-uri-rules-48fdb9a.md',
    },
    {
      text: 'A refresh token is good as long as the session timeout says.',
      source:
        'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Operation-Guide/call-identity-authentication-refresh-token-c62c09e.md',
    },
  ],
} satisfies Profile;
