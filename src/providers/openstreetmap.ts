// OpenStreetMap.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'OpenStreetMap',
  settings: {
    issuer: 'https://www.openstreetmap.org',
    scope: 'openid',
    otherAccountPrompt: 'consent',
    // A revocation at a sign-out would take the token from the person's other devices too.
    metadata: { revocation_endpoint: null },
  },
  asks: [],
  issuers: {
    example: 'https://www.openstreetmap.org',
    patterns: [/^https:\/\/([^/]+\.)?openstreetmap\.org(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/([^/]+\.)?openstreetmap\.org\//,
        advice: 'The issuer is "https://www.openstreetmap.org", without a path or a slash.',
      },
      {
        pattern: /^https:\/\/((?!www\.)[^/]+\.)?openstreetmap\.org$/,
        advice: 'The issuer is "https://www.openstreetmap.org".',
      },
    ],
  },
  registration: {
    console: 'OpenStreetMap, "My Settings", "OAuth 2 applications"',
    steps: [
      'Register an application with the redirect URIs {redirectUri:chrome} and {redirectUri:firefox}, one in each line.',
      'Untick "Confidential application?".',
      'Tick "Sign-in using OpenStreetMap", which is the scope "openid".',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'The scopes are "openid" and those of the API. "profile", "email" and "offline_access" are refused.',
    },
    {
      kind: 'no-refresh-token',
      text: "There is no refresh token. Access tokens don't expire, but the response doesn't say so: Latchkey signs in silently every five minutes of use.",
    },
    {
      kind: 'no-revocation',
      text: 'Each sign-in gets the same access token again, so all devices of a person share it. A sign-out deletes it on this device only: to revoke it would end the access of the others.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at OpenStreetMap.' },
    {
      kind: 'verified-email-missing',
      text: 'ID tokens name the person by "preferred_username". The email needs a scope that only OpenStreetMap gives.',
    },
    {
      kind: 'other',
      text: '"Use another account" leads to the account that is signed in at OpenStreetMap. The person signs out there first.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: "The flow is the code flow. There are no refresh tokens, access tokens don't end, and the same one is given again.",
      source:
        'https://github.com/openstreetmap/openstreetmap-website/blob/master/config/initializers/doorkeeper.rb',
    },
    {
      text: 'ID tokens have "preferred_username". Neither a new login nor a choice of accounts is set up.',
      source:
        'https://github.com/openstreetmap/openstreetmap-website/blob/master/config/initializers/doorkeeper_openid_connect.rb',
    },
    {
      how: 'read in another project',
      text: 'Where those aren\'t set up, the prompts "login" and "select_account" end in an error. "none" and "consent" work.',
      source:
        'https://github.com/doorkeeper-gem/doorkeeper-openid_connect/blob/master/lib/doorkeeper/openid_connect/helpers/controller/prompt.rb',
    },
    {
      text: 'The token endpoint allows every origin.',
      source:
        'https://github.com/openstreetmap/openstreetmap-website/blob/master/config/initializers/cors.rb',
    },
    {
      text: "Native and single-page applications aren't confidential.",
      source: 'https://github.com/openstreetmap/openstreetmap-website/blob/master/config/locales/en.yml',
    },
  ],
} satisfies Profile;
