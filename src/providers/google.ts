// Google accounts: sign-in with an ID token alone.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Google',
  settings: {
    issuer: 'https://accounts.google.com',
    scope: 'openid profile email',
    responseType: 'id_token',
    apiToken: 'id_token',
    firefoxRedirect: 'loopback',
    origins: [
      'https://oauth2.googleapis.com',
      'https://openidconnect.googleapis.com',
      'https://www.googleapis.com',
    ],
  },
  asks: [],
  issuers: {
    example: 'https://accounts.google.com',
    patterns: [/^https:\/\/(accounts\.google\.com|oauth2\.googleapis\.com|www\.googleapis\.com)(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/accounts\.google\.com\/.+/,
        advice: 'The issuer is "https://accounts.google.com", without a path.',
      },
      {
        pattern: /googleapis\.com/,
        advice: 'That is an endpoint. The issuer is "https://accounts.google.com".',
      },
    ],
  },
  registration: {
    console: 'Google Cloud console, "Google Auth Platform"',
    steps: [
      'Describe the app under "Branding", and add the scopes {scopes} under "Data Access".',
      'Under "Audience", choose "Internal" for the people of your organization, or else "External". An external app lets in test users only until you choose "Publish app".',
      'Under "Clients", create a client of the type "Web application".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Authorized redirect URIs".',
      'Use no client secret: the sign-in needs none.',
      'Copy "Client ID" to "clientId".',
      'Let your API verify the ID token: its audience is the client ID.',
    ],
  },
  limits: [
    {
      kind: 'no-refresh-token',
      text: 'There is no refresh token. Latchkey signs in silently when the ID token expires, which needs the session at Google.',
    },
    {
      kind: 'secret-wanted',
      text: "A code needs a client secret, even with PKCE. So the sign-in asks for an ID token alone, and for Google's own APIs a relay is needed: docs/relay.md.",
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Google.' },
    {
      kind: 'loopback-redirect',
      text: 'A page and a program on the same computer can together get tokens of a client with the loopback redirect. Create a client for Firefox alone.',
    },
    {
      kind: 'other',
      text: 'To let in one organization only, check the claim "hd": "allowed": { "hd": ["example.com"] }.',
    },
  ],
  apis: { by: 'none', text: 'The sign-in brings an ID token and no access token.' },
  stepUp: {
    by: [],
    text: 'Google doesn\'t ask people to authenticate again. ID tokens have no "acr", and "auth_time" only for a verified app with "Session age claims".',
  },
  read: '2026-11-28',
  facts: [
    {
      how: 'read in another project',
      text: 'A code exchange without a secret fails with "client_secret is missing", even with PKCE.',
      source: 'https://github.com/taylorwilsdon/google_workspace_mcp/issues/1008',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The same was seen with a web client.',
      source: 'https://github.com/manfredsteyer/angular-oauth2-oidc/issues/812',
      date: '2026-11-22',
    },
    {
      text: 'Clients are created under "Google Auth Platform", "Clients".',
      source: 'https://support.google.com/cloud/answer/15549257',
    },
    {
      text: 'Until an external app is published, at most 100 test users can sign in, and their consent ends after 7 days.',
      source: 'https://support.google.com/cloud/answer/15549945',
    },
    {
      how: 'read in another project',
      text: 'The discovery document lists the response type "id_token", no logout page, and endpoints on oauth2.googleapis.com, openidconnect.googleapis.com and www.googleapis.com.',
      source: 'https://github.com/panva/wellknown/blob/main/issuers/google/google.mjs',
    },
    {
      how: 'read in another project',
      text: 'A Chrome extension got an ID token alone with a web client and its chromiumapp.org address.',
      source: 'https://github.com/google/google-api-javascript-client/issues/508',
    },
    {
      how: 'read in another project',
      text: 'An extension uses the loopback redirect for Google in Firefox. Not tried here.',
      source: 'https://github.com/FlowCrypt/flowcrypt-browser/pull/6219',
    },
    {
      text: 'The prompts are "none", "consent" and "select_account", and "login_hint" is the email address or the "sub". The guide of January 2025 lists neither "max_age" nor "acr_values". ID tokens of an organization\'s accounts have "hd".',
      source: 'https://developers.google.com/identity/openid-connect/openid-connect',
    },
    {
      text: 'ID tokens have "auth_time" if the app is verified and "Session age claims" is on. Requests for another authentication aren\'t supported.',
      source: 'https://developers.google.com/identity/siwg/security-bundle',
    },
    {
      text: 'Google names no authentication context.',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
