// authentik.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'authentik',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of the application, such as "https://id.example.com/application/o/<application>/", with the slash at the end',
    },
  ],
  issuers: {
    example: 'https://<host>/application/o/<application>/',
    patterns: [/\/application\/o\/[^/]+/],
    mistakes: [
      { pattern: /\/application\/o\/[^/]{1,100}$/, advice: 'Add a slash at the end.' },
      {
        pattern: /\/application\/o\/(authorize|token|userinfo)\//,
        advice: 'That is an endpoint. The issuer is "https://<host>/application/o/<application>/".',
      },
    ],
  },
  registration: {
    console: 'authentik admin interface, "Applications", "Providers"',
    steps: [
      'Create an OAuth2/OpenID provider with the client type "Public", and an application for it.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs", compared strictly.',
      'In a version that keeps redirect URIs for the logout apart, add both there too.',
      'Add the scope mapping "offline_access" under "Advanced protocol settings".',
      'Choose a signing key, because without one the tokens are signed with a secret.',
      'Copy "Client ID" to "clientId".',
      'Copy "OpenID Configuration Issuer" to "issuer".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: 'Without the scope mapping "offline_access" there is no refresh token.',
    },
    { kind: 'other', text: 'Ending a session that has ended already leads to the sign-in page.' },
    {
      kind: 'other',
      text: 'With "offline_access" authentik asks for consent at each sign-in, so there is no silent sign-in.',
    },
  ],
  facts: [
    {
      how: 'read in another project',
      text: 'A browser extension signs in as a public client.',
      source: 'https://github.com/boostcampwm2025/web18-lilcookie/pull/116',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: 'Ending a session that has ended leads to the sign-in page.',
      source: 'https://github.com/goauthentik/authentik/issues/24012',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: '"login" asks the person to sign in again. Older versions ignore "select_account".',
      source:
        'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/authorize.py',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: '"offline_access" adds the prompt "consent", and "none" with it is answered with "consent_required".',
      source: 'https://github.com/goauthentik/authentik/issues/8660',
      date: '2026-09',
    },
    {
      how: "read in the provider's documents",
      text: 'Newer versions keep the redirect URIs for the logout apart, and refuse one that is not among them.',
      source:
        'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/end_session.py',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'Each application has an issuer of its own, which ends with a slash.',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'An origin that is not that of a redirect URI gets no CORS headers. The request is still answered.',
      source: 'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/utils.py',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
