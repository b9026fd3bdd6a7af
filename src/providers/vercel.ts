// Sign in with Vercel.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Vercel',
  settings: { issuer: 'https://vercel.com', origins: ['https://api.vercel.com'] },
  asks: [],
  issuers: {
    example: 'https://vercel.com',
    patterns: [/^https:\/\/([^/]+\.)?vercel\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/vercel\.com\//,
        advice: 'The issuer is "https://vercel.com", without a path or a slash.',
      },
      {
        pattern: /^https:\/\/[^/]+\.vercel\.com/,
        advice: 'That is an endpoint. The issuer is "https://vercel.com".',
      },
    ],
  },
  registration: {
    console: 'Vercel, "Settings" of the team, "Apps"',
    steps: [
      'Create an app.',
      'Choose the client authentication method "none", and generate no client secret.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Authorization Callback URLs".',
      'Select the permissions {scopes}.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    { kind: 'no-logout', text: 'There is no page that ends the session at Vercel.' },
    {
      kind: 'verified-email-missing',
      text: "ID tokens don't say whether the email is verified.",
    },
    { kind: 'other', text: "Whether a code is redeemed without a secret wasn't tried." },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The metadata, as fetched in September 2026, names the issuer, endpoints for tokens, UserInfo and revocation on another host, RS256, and PKCE with S256.',
      source:
        'https://github.com/api-evangelist/vercel/blob/main/well-known/vercel-vercel-oauth-authorization-server.json',
    },
    {
      text: 'ID tokens have name, preferred_username, picture, email and nonce.',
      source: 'https://vercel.com/docs/sign-in-with-vercel/tokens',
    },
    {
      text: "The scopes are openid, email, profile and offline_access. One that the app doesn't have is left out. A person who has agreed before is redirected at once.",
      source: 'https://vercel.com/docs/sign-in-with-vercel/authorization-server-api',
    },
    {
      text: 'An app enables one or more client authentication methods.',
      source: 'https://vercel.com/docs/sign-in-with-vercel/manage-from-dashboard',
    },
    {
      text: 'One of these methods is "none": then the token request has no "client_secret".',
      source: 'https://vercel.com/docs/sign-in-with-vercel/authorization-server-api',
      date: '2026-11-28',
    },
    {
      text: 'The present metadata lists "none" for revocation, and says that redirects name the issuer (RFC 9207).',
      source: 'https://www.vercel.com/.well-known/oauth-authorization-server',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
