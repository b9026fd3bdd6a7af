// JumpCloud.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'JumpCloud',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your region, such as "https://oauth.id.jumpcloud.com/", with the slash at the end',
    },
  ],
  issuers: {
    example: 'https://oauth.id.jumpcloud.com/',
    patterns: [/^https:\/\/oauth\.id\.([a-z]{2}\.)?jumpcloud\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/[^/]+\.jumpcloud\.com$/,
        advice: 'Add a slash at the end, because JumpCloud writes its issuer so.',
      },
      {
        pattern: /\.jumpcloud\.com\/(oauth2|userinfo)(\/|$)/,
        advice: 'That is an endpoint. The issuer is "https://oauth.id.jumpcloud.com/".',
      },
    ],
  },
  registration: {
    console: 'JumpCloud Admin Portal, "SSO Applications"',
    steps: [
      'Add a "Custom Application" with "Configure SSO with OIDC".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Choose "Public (None PKCE)" as "Client Authentication Type", and tick the grant type "Refresh Token".',
      'Tick the standard scopes "Email" and "Profile".',
      'Choose the user groups that may sign in, and activate the application.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: "Web pages redeem codes at JumpCloud. Whether it takes the origin of an extension isn't known.",
    },
    {
      kind: 'other',
      text: "How long a refresh token lives, and whether a sign-out at JumpCloud returns to the extension, isn't known.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'An application may be a public client with PKCE. The grant "Refresh Token" must be ticked.',
      source: 'https://jumpcloud.com/support/sso-with-oidc',
    },
    {
      how: 'read in another project',
      text: 'A web page signs in as "Public (None PKCE)", with the scopes openid, profile, email and offline_access. A missing slash at the end of the issuer ends in an error.',
      source: 'https://docs.netbird.io/selfhosted/identity-providers/managed/advanced/jumpcloud',
    },
    {
      how: 'read in another project',
      text: 'The endpoints are "/oauth2/auth" and "/oauth2/token" below the issuer.',
      source: 'https://github.com/rustdesk/rustdesk-server-pro/issues/562',
    },
    {
      how: 'read in another project',
      text: 'In 2023 discovery had no CORS headers, and the console no list of origins. An extension needs no CORS headers.',
      source: 'https://github.com/authts/react-oidc-context/issues/654',
    },
    {
      text: 'The endpoints are those of Ory Hydra, which refused "select_account" before June 2026. "Use another account" asks for "login" instead.',
    },
  ],
} satisfies Profile;
