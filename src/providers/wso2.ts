// WSO2 Identity Server, and Asgardeo, its service.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'WSO2 Identity Server, and Asgardeo',
  settings: { scope: 'openid profile email', otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer, such as "https://api.asgardeo.io/t/<organization>/oauth2/token" or "https://<host>/oauth2/token"',
    },
  ],
  issuers: {
    example: 'https://api.asgardeo.io/t/<organization>/oauth2/token',
    patterns: [/^https:\/\/api(\.[a-z]{2})?\.asgardeo\.io(\/|$)/, /^https:\/\/[^/]+\/oauth2\/token$/],
    mistakes: [
      {
        pattern: /\.asgardeo\.io(?!\/t\/[^/]{1,100}\/oauth2\/token$)/,
        advice:
          'The issuer is "https://api.asgardeo.io/t/<organization>/oauth2/token", without a slash at the end.',
      },
    ],
  },
  registration: {
    console: 'WSO2 Identity Server or Asgardeo Console, "Applications"',
    steps: [
      'Create an application of the type "Single-Page Application", which is a public client with PKCE.',
      'Allow the grant types "Code" and "Refresh Token" under "Protocol".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Authorized redirect URLs".',
      'Add {origin:chrome} to "Allowed origins".',
      'Select the attributes for name and email under "User Attributes".',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'listed-or-any',
  },
  limits: [
    {
      kind: 'origin-checked',
      text: "The server refuses an origin that it doesn't list. WSO2 Identity Server can allow any origin in \"deployment.toml\", for all clients; Asgardeo can't, so Firefox can't sign in there.",
    },
    {
      kind: 'scope-refused',
      text: 'A refresh token comes with the grant type, without "offline_access".',
    },
    {
      kind: 'verified-email-missing',
      text: "Whether ID tokens say that an email is verified isn't known.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A single-page application gets no client secret, and PKCE is on by default.',
      source:
        'https://github.com/wso2/docs-is/blob/master/en/includes/guides/applications/register-single-page-app.md',
    },
    {
      text: 'The refresh token is a grant type to allow. Redirects after a logout use the authorized redirect URLs too.',
      source:
        'https://github.com/wso2/docs-is/blob/master/en/includes/references/app-settings/oidc-settings-for-app.md',
    },
    {
      text: 'A request from an origin that is neither listed nor allowed for all is denied. An origin of any scheme can be listed.',
      source:
        'https://github.com/wso2/carbon-identity-framework/tree/master/components/cors-mgt/org.wso2.carbon.identity.cors.mgt.core',
    },
    {
      text: 'The issuer is the address of the token endpoint. "select_account" is treated like no prompt, and an unknown prompt is an error.',
      source:
        'https://github.com/wso2-extensions/identity-inbound-auth-oauth/blob/master/components/org.wso2.carbon.identity.oauth.endpoint/src/main/java/org/wso2/carbon/identity/oauth/endpoint/util/AuthzUtil.java',
    },
    {
      how: 'read in another project',
      text: 'The discovery document of Asgardeo is below its "/oauth2/token".',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/asgardeo.ts',
    },
  ],
} satisfies Profile;
