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
      'If there are "Grant Types" (since 2026.5), leave "Authorization Code" and "Refresh token" on.',
      'If there is a "Refresh Token threshold", set it to "seconds=0", so that each renewal brings a new refresh token.',
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
    {
      kind: 'verified-email-missing',
      text: 'Since 2025.10 "email_verified" is false, so "allowed" with "email" lets no one in, unless you write a scope mapping for "email" that says otherwise.',
    },
    {
      kind: 'other',
      text: 'Before 2026.8, ending a session that has ended already leads to the sign-in page.',
    },
    {
      kind: 'other',
      text: 'With "offline_access" authentik asks for consent at each sign-in, so there is no silent sign-in.',
    },
  ],
  apis: {
    by: 'none',
    text: 'A request for the scope of an API is refused without "offline_access", and brings the whole scope of the sign-in with it. One token is for all your APIs: list their origins in "apiOrigins".',
  },
  stepUp: {
    by: ['max_age'],
    text: 'An API must ask for at least 1 second, because 0 is ignored. "acr" is the same for each sign-in.',
  },
  read: '2026-11-28',
  facts: [
    {
      how: 'read in another project',
      text: 'A browser extension signs in as a public client.',
      source: 'https://github.com/boostcampwm2025/web18-lilcookie/pull/116',
      date: '2026-09',
    },
    {
      text: 'Ending a session that has ended leads to the sign-in page.',
      source: 'https://github.com/goauthentik/authentik/issues/24012',
      date: '2026-09',
    },
    {
      text: 'Since 2026.8 authentik runs its logout flow then too.',
      source: 'https://github.com/goauthentik/authentik/blob/main/website/docs/releases/2026/v2026.8.mdx',
    },
    {
      text: 'A provider has "Grant Types" since 2026.5. Those that existed before have all of them.',
      source: 'https://github.com/goauthentik/authentik/blob/main/website/docs/releases/2026/v2026.5.md',
    },
    {
      text: 'A refresh token lives 30 days. With "seconds=0" each renewal brings another for 30 days, and else only one shortly before the end.',
      source: 'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/token.py',
    },
    {
      text: 'Before a fix of April 2026, a threshold other than 0 let no renewal bring a new refresh token.',
      source: 'https://github.com/goauthentik/authentik/pull/21537',
    },
    {
      text: 'A public client revokes its tokens without a secret since January 2025.',
      source: 'https://github.com/goauthentik/authentik/pull/12704',
    },
    {
      text: 'The scope "email" says false in "email_verified" since 2025.10.',
      source:
        'https://github.com/goauthentik/authentik/blob/main/website/docs/add-secure-apps/providers/oauth2/index.mdx',
    },
    {
      text: '"login" asks the person to sign in again. Older versions ignore "select_account".',
      source:
        'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/authorize.py',
      date: '2026-09',
    },
    {
      text: '"offline_access" adds the prompt "consent", and "none" with it gets "consent_required".',
      source: 'https://github.com/goauthentik/authentik/issues/8660',
      date: '2026-09',
    },
    {
      text: "Newer versions keep the redirect URIs for the logout apart, and refuse one that isn't among them.",
      source:
        'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/end_session.py',
      date: '2026-09',
    },
    {
      text: 'Each application has an issuer of its own, which ends with a slash.',
      date: '2026-11-22',
    },
    {
      text: "An origin that isn't that of a redirect URI gets no CORS headers. The request still gets a response.",
      source: 'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/utils.py',
      date: '2026-11-25',
    },
    {
      text: '"scope" with a refresh token must have "offline_access", and the token keeps the scope of the sign-in.',
      source: 'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/token.py',
      date: '2026-11-25',
    },
    {
      text: '"max_age" makes authentik ask again, unless it is 0.',
      source:
        'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/views/authorize.py',
      date: '2026-11-25',
    },
    {
      text: 'ID tokens have "auth_time", and the audience of each token is the client. "acr" is a constant.',
      source: 'https://github.com/goauthentik/authentik/blob/main/authentik/providers/oauth2/id_token.py',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
