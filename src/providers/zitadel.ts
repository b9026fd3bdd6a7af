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
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token expires 90 days after the sign-in, and after 30 days without use, unless the settings of the instance say otherwise. Set "refreshTokenSeconds" to 7776000, and Latchkey signs in silently before.',
    },
  ],
  apis: {
    by: 'scope',
    text: 'The scope is a part of what the sign-in asks for, such as "urn:zitadel:iam:org:project:id:<project id>:aud". The audience of each token stays the whole list.',
  },
  stepUp: { by: ['max_age'], text: '"acr_values" isn\'t among the documented parameters.' },
  read: '2026-11-25',
  facts: [
    {
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
      text: 'A refresh token needs the grant type and "offline_access". Not tried here.',
      date: '2026-11-22',
    },
    {
      text: 'The library of its endpoints allows every origin by default.',
      source: 'https://github.com/zitadel/oidc/blob/main/pkg/op/op.go',
    },
    {
      text: '"scope" with a refresh token must be a part of that of the sign-in.',
      source: 'https://github.com/zitadel/zitadel/blob/main/internal/api/oidc/token_refresh.go',
    },
    {
      text: 'A renewed token has the audience of the session.',
      source: 'https://github.com/zitadel/zitadel/blob/main/internal/command/oidc_session.go',
    },
    {
      text: 'Each renewal brings a new refresh token and a new idle time. The end stays that of the sign-in.',
      source: 'https://github.com/zitadel/zitadel/blob/main/internal/command/oidc_session_model.go',
      date: '2026-11-28',
    },
    {
      text: 'By default a refresh token expires after 90 days, or 30 days without use.',
      source: 'https://github.com/zitadel/zitadel/blob/main/docs/docs/self-hosting/manage/production.md',
      date: '2026-11-28',
    },
    {
      text: 'Without "User Info inside ID Token" the ID token has no profile and no email.',
      source: 'https://zitadel.com/docs/apis/openidoauth/endpoints',
      date: '2026-11-28',
    },
    {
      text: '"max_age" is a parameter of the sign-in.',
      source: 'https://zitadel.com/docs/apis/openidoauth/endpoints',
    },
    {
      text: 'Step-up authentication is an open wish.',
      source: 'https://github.com/zitadel/zitadel/issues/7258',
    },
  ],
} satisfies Profile;
