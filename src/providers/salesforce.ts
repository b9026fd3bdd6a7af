// Salesforce.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Salesforce',
  settings: { scope: 'openid profile email refresh_token' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of My Domain, such as "https://<my domain>.my.salesforce.com"',
    },
  ],
  issuers: {
    example: 'https://<my domain>.my.salesforce.com',
    patterns: [/^https:\/\/[^/]+\.(salesforce\.(com|mil)|site\.com|sfcrmproducts\.cn)(\/|$)/],
    mistakes: [
      {
        pattern: /\.lightning\.force\.com/,
        advice: 'That is the address of the pages. The issuer is "https://<my domain>.my.salesforce.com".',
      },
      {
        pattern: /\/services\/oauth2\//,
        advice: 'That is an endpoint. The issuer is the address of My Domain alone.',
      },
    ],
  },
  registration: {
    console: 'Salesforce Setup, "External Client App Manager"',
    steps: [
      'Create an external client app, and enable OAuth.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Callback URL", one in each line.',
      'Select the scopes {scopes}.',
      'Require PKCE.',
      'Untick "Require Secret for Web Server Flow" and "Require Secret for Refresh Token Flow".',
      'Add {origin:chrome} to "CORS" in Setup, and allow it for OAuth endpoints.',
      'Copy "Consumer Key" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'origin-checked',
      text: '"CORS" in Setup takes the origins of extensions since version 53 of the API, each of them whole. The origin in Firefox is random in each installation, so the APIs refuse it there, and perhaps UserInfo. Whether the token endpoint checks it is not known.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'The list takes "chrome-extension://" with an id and "moz-extension://" with a UUID since API version 53. An origin that is not listed gets status 403.',
      source:
        'https://developer.salesforce.com/docs/atlas.en-us.236.0.api_asynch.meta/api_asynch/extend_code_cors.htm',
      date: '2026-09',
    },
    {
      how: 'from memory',
      text: 'The scopes "refresh_token" and "offline_access" mean the same.',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'A public client must not send a secret, and PKCE takes its place. Since spring 2026 new connected apps cannot be created: external client apps replace them.',
      source: 'https://developer.salesforce.com/docs/platform/isvforce/guide/secure-code-ac-eca',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'PKCE is recommended for every public client.',
      source: 'https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_pkce.htm&type=5',
      date: '2026-11-22',
    },
    {
      how: 'from memory',
      text: 'The issuer is the address of My Domain. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
