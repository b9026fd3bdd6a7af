// Zitadel.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Zitadel',
  settings: { trustedAudiences: 'any' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of your instance, such as "https://<instance>.zitadel.cloud"',
    },
  ],
  issuers: {
    example: 'https://<instance>.zitadel.cloud',
    patterns: [/^https:\/\/[^/]+\.zitadel\.(cloud|app)(\/|$)/],
    mistakes: [
      {
        pattern: /\.zitadel\.(cloud|app)\/(oauth|oidc|ui)\//,
        advice: 'That is an endpoint. The issuer is the address of the instance alone.',
      },
      { pattern: /\.zitadel\.(cloud|app)\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'Zitadel console, the project, "Applications"',
    steps: [
      'Create an application of the type "User Agent" with "PKCE".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs" and to "Post Logout URIs".',
      'Tick "Refresh Token" among the grant types.',
      'Tick "User Info inside ID Token" under "Token Settings".',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: 'An ID token names every client of the project and the project itself as its audience. The profile leaves them to Zitadel; "azp" must still be your client.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'The audience always is a list of client IDs and a project ID.',
      source: 'https://github.com/zitadel/zitadel/issues/9200',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The list grows with each application of the project.',
      source: 'https://github.com/MarcelCoding/jitsi-openid/pull/379',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'A refresh token needs the grant type and "offline_access". Not tried here.',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'The library of its endpoints allows every origin by default.',
      source: 'https://github.com/zitadel/oidc/blob/main/pkg/op/op.go',
      date: '2026-11-25',
    },
  ],
} satisfies Profile;
