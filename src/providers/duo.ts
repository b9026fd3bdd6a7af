// Duo Single Sign-On.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Duo Single Sign-On',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your application, such as "https://sso-abcdef01.sso.duosecurity.com/oidc/<client id>"',
    },
  ],
  issuers: {
    example: 'https://<host>.sso.duosecurity.com/oidc/<client id>',
    patterns: [/^https:\/\/[^/]+\.duo(security|federal)\.com(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/(api|admin)-[^/]+\.duosecurity\.com/,
        advice: 'That\'s a different Duo host. Copy "Issuer" from the metadata of the application.',
      },
      {
        pattern: /\.sso\.duosecurity\.com(\/oidc)?\/?$/,
        advice: 'The issuer ends with the client id, as "Issuer" in the metadata of the application.',
      },
      {
        pattern: /\/oidc\/[^/]{1,100}\/.+/,
        advice: 'That is an endpoint. The issuer ends with the client id.',
      },
    ],
  },
  registration: {
    console: 'Duo Admin Panel, "Application Catalog"',
    steps: [
      'Add "Generic OIDC Relying Party", and choose who may sign in under "User access".',
      'Tick "Allow PKCE only authentication", and "Refresh Tokens".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Sign-In Redirect URLs".',
      'Tick the scopes "profile" and "email", and let "name" and "email" be among their claims.',
      'Copy "Client ID" to "clientId", and "Issuer" to "issuer".',
    ],
  },
  limits: [
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token, as far as is documented. A sign-out deletes it on this device only.',
    },
    {
      kind: 'no-logout',
      text: 'There is no page that ends the session at Duo by a request of a client, as far as is documented.',
    },
    {
      kind: 'other',
      text: 'Whether Duo takes the scope "offline_access" isn\'t known. If a sign-in ends in "invalid_scope", set "scope" to "openid profile email".',
    },
    {
      kind: 'other',
      text: "Whether ID tokens repeat the nonce, as the standard requires, wasn't found. Without it Latchkey rejects the sign-in.",
    },
    {
      kind: 'other',
      text: "A web page redeems codes. Whether Duo takes the origin of an extension isn't known, nor which prompts it reads.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'Duo Single Sign-On is an OpenID provider for applications of others.',
      source: 'https://duo.com/docs/sso-oidc-generic',
    },
    {
      how: 'read in another project',
      text: 'A web page redeems its code with PKCE and without a secret, and only its redirect URL is registered.',
      source: 'https://github.com/final000/aws-lambdaauth-ciscoduo-demo',
    },
    {
      how: 'read in another project',
      text: 'The console has "Allow PKCE only authentication", "Refresh Tokens" and "Sign-In Redirect URLs", and none for after a sign-out.',
      source: 'https://docs.netbird.io/selfhosted/identity-providers/managed/duo',
    },
    {
      how: 'read in another project',
      text: 'The endpoints are "/authorize", "/token", "/userinfo" and "/jwks" below the issuer, which ends with the client id. PKCE is S256.',
      source: 'https://oauth2-proxy.github.io/oauth2-proxy/configuration/providers/cisco_duo',
    },
  ],
} satisfies Profile;
