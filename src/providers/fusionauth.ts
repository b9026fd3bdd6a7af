// FusionAuth.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'FusionAuth',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the tenant, which must be its https address, such as "https://id.example.com"',
    },
  ],
  issuers: {
    example: 'https://<instance>.fusionauth.io',
    patterns: [/^https:\/\/[^/]+\.fusionauth\.io(\/|$)/],
    mistakes: [
      {
        pattern: /\/oauth2\/(authorize|token)/,
        advice: 'That is an endpoint. The issuer is the "Issuer" of the tenant.',
      },
    ],
  },
  registration: {
    console: 'FusionAuth admin, "Applications"',
    steps: [
      'Create an application, and set "Client Authentication" to "Not required when using PKCE" and "PKCE" to "Required".',
      'Enable the grants "Authorization Code" and "Refresh Token", and "Generate refresh tokens".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Authorized redirect URLs". A sign-out returns to one of them too.',
      'Leave "Authorized request origin URLs" empty, or add {origin:chrome} to it.',
      'Under "JWT", choose an RS256 key for ID tokens, because the default is HS256.',
      'Set "Issuer" of the tenant to its https address, and copy it to "issuer".',
      'Under "System", add {origin:chrome} to the allowed origins of the CORS filter.',
      'Copy "Client Id" to "clientId".',
    ],
    origins: 'listed-or-any',
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'The default signature, HS256, is made with a secret. Latchkey refuses it: choose an RS256 key.',
    },
    { kind: 'other', text: 'With Facebook behind it, redirects end in "#_=_". Latchkey ignores that.' },
    {
      kind: 'other',
      text: 'With several tenants the discovery document is at an address with "?tenantId=<id>". Set "discoveryUrl" to it.',
    },
    {
      kind: 'other',
      text: 'Before 1.60.0 no prompt is read: a silent sign-in meets a page, and "Use another account" can\'t make it ask who signs in.',
    },
    { kind: 'no-refresh-token', text: 'Without "Generate refresh tokens" there is no refresh token.' },
    {
      kind: 'origin-checked',
      text: 'Where "Authorized request origin URLs" lists whole origins, Firefox can\'t sign in, because its origin is random in each installation.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
  ],
  read: '2026-11-22',
  facts: [
    {
      how: 'read in another project',
      text: 'With several tenants the discovery document is read with "tenantId".',
      source:
        'https://github.com/nextauthjs/next-auth/blob/v4/packages/next-auth/src/providers/fusionauth.ts',
    },
    {
      text: '"prompt" is read since 1.60.0, and "select_account" is ignored.',
      source:
        'https://github.com/FusionAuth/fusionauth-site/blob/main/astro/src/content/docs/lifecycle/authenticate-users/oauth/prompt.mdx',
      date: '2026-11-25',
    },
    {
      text: 'Refresh tokens are generated only if the application says so, and with "offline_access". Without a list of request origins all are allowed. The redirect URLs serve the logout too. Both lists may have wildcards since 1.43.0.',
      source:
        'https://github.com/FusionAuth/fusionauth-site/blob/main/astro/src/content/docs/_shared/_application-oauth-settings.mdx',
      date: '2026-11-25',
    },
    {
      how: 'read in another project',
      text: 'The discovery document names no endpoint for revocation.',
      source: 'https://github.com/Shopify/react-native-app-auth/blob/main/docs/config-examples/fusionauth.md',
      date: '2026-09',
    },
    {
      text: 'The default issuer is "acme.com", and the default signature HS256. Not tried here.',
    },
  ],
} satisfies Profile;
