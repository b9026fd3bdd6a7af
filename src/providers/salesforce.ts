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
      'Tick "Require Proof Key for Code Exchange (PKCE) extension for Supported Authorization Flows".',
      'Untick "Require secret for Web Server Flow" and "Require secret for Refresh Token Flow".',
      'Add {origin:chrome} to "Allowed Origins List" under "CORS" in Setup, and tick "Enable CORS for OAuth endpoints" there.',
      'Copy "Consumer Key" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'origin-checked',
      text: '"CORS" in Setup takes the origins of extensions since version 53 of the API, each of them whole. The origin in Firefox is random in each installation, so the APIs refuse it there, and perhaps UserInfo. Whether the endpoints for tokens and revocation refuse it isn\'t known. They support other origins only at the address of My Domain or of a site.',
    },
    {
      kind: 'other',
      text: "The logout page doesn't return to the extension, as another project found, so the person closes the window. Not tried here.",
    },
  ],
  read: '2026-11-28',
  facts: [
    {
      text: 'The list takes "chrome-extension://" with an id and "moz-extension://" with a UUID since API version 53. An origin that isn\'t listed gets status 403.',
      source:
        'https://developer.salesforce.com/docs/atlas.en-us.236.0.api_asynch.meta/api_asynch/extend_code_cors.htm',
      date: '2026-09',
    },
    {
      text: '"Enable CORS for OAuth endpoints" is for tokens and revocation at My Domain or a site. UserInfo needs the origin in the list.',
      source:
        'https://help.salesforce.com/apex/HTViewHelpDoc?id=remoteaccess_oauth_endpoints_cors.htm&language=en_US',
    },
    {
      text: 'The fields of an external client app have these names, and one scope has the names "refresh_token" and "offline_access".',
      source: 'https://developer.salesforce.com/workshops/try-headless-360/2-create-the-app',
    },
    {
      how: 'read in another project',
      text: '"post_logout_redirect_uri" isn\'t supported. The logout leads to an address that is set for the app or the organization.',
      source: 'https://ionic.io/docs/auth-connect/salesforce',
    },
    {
      text: 'The app can be set to replace the refresh token with each renewal.',
      source:
        'https://help.salesforce.com/apex/HTViewHelpDoc?id=remoteaccess_oauth_refresh_token_flow.htm&language=en_US',
    },
    {
      text: 'The discovery document is below the address of My Domain.',
      source:
        'https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm',
    },
    {
      text: "A public client must not send a secret, and PKCE takes its place. Since spring 2026 new connected apps can't be created: external client apps replace them.",
      source: 'https://developer.salesforce.com/docs/platform/isvforce/guide/secure-code-ac-eca',
      date: '2026-11-22',
    },
    {
      text: 'PKCE is recommended for every public client.',
      source: 'https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_pkce.htm&type=5',
      date: '2026-11-22',
    },
    {
      text: 'The issuer is the address of My Domain. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
