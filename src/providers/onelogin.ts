// OneLogin.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'OneLogin',
  settings: { scope: 'openid profile email', otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of your account, such as "https://<subdomain>.onelogin.com/oidc/2"',
    },
  ],
  issuers: {
    example: 'https://<subdomain>.onelogin.com/oidc/2',
    patterns: [/^https:\/\/[^/]+\.onelogin\.com(\/|$)/],
    mistakes: [
      { pattern: /\.onelogin\.com(\/oidc)?\/?$/, advice: 'The issuer ends with "/oidc/2".' },
      { pattern: /\.onelogin\.com\/oidc\/2\/$/, advice: 'Remove the slash at the end.' },
      {
        pattern: /\.onelogin\.com\/oidc\/2\/.+/,
        advice: 'That is an endpoint. The issuer ends with "/oidc/2".',
      },
    ],
  },
  registration: {
    console: 'OneLogin Administration, "Applications", "Applications"',
    steps: [
      'Choose "Add App", and add "OpenId Connect (OIDC)".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URI\'s" and to "Post Logout Redirect URIs" on the tab "Configuration". OneLogin may need ten minutes to take them.',
      'On the tab "SSO", choose "None (PKCE)" as "Authentication Method" of the token endpoint, and set the lifetime of refresh tokens. Terraform sets one minute if you name none.',
      'Give people access to the application.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'A refresh token comes without "offline_access". OneLogin supports that scope for passwords only: with it a sign-in ends in an error, a silent one in "consent_required".',
    },
    {
      kind: 'other',
      text: "A web page at the origin of its redirect URI redeems codes. Whether OneLogin takes the origin of an extension isn't known.",
    },
    {
      kind: 'other',
      text: 'The prompts are "login" and "none". "Use another account" asks for "login".',
    },
    {
      kind: 'other',
      text: 'A sign-out with the logout page also revokes the tokens of the other OpenID applications of the same session.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A client with the method "none" redeems a code with PKCE and its id.',
      source: 'https://developers.onelogin.com/openid-connect/api/authorization-code-grant',
    },
    {
      text: 'The discovery document is below "https://<subdomain>.onelogin.com/oidc/2".',
      source: 'https://developers.onelogin.com/openid-connect/api/provider-config',
    },
    {
      text: 'In these samples a refresh token comes with the scope "openid profile", and a page without a server signs in from the origin of its redirect URI.',
      source: 'https://github.com/onelogin/onelogin-oidc-node',
    },
    {
      text: 'The token endpoint of an application has the method "None (PKCE)", and its refresh tokens have a lifetime that is set there.',
      source:
        'https://github.com/onelogin/terraform-provider-onelogin/blob/main/docs/resources/onelogin_oidc_apps.md',
    },
    {
      text: 'A silent request with "id_token_hint" ends in "login_required".',
      source: 'https://github.com/onelogin/onelogin-oidc-node/issues/7',
      date: '2026-11-28',
    },
    {
      how: 'read in another project',
      text: 'The prompts are "login" and "none", as this project quotes from the documents of OneLogin.',
      source: 'https://github.com/dexidp/dex/pull/1656',
    },
    {
      how: 'read in another project',
      text: 'With "offline_access", "prompt=none" ends in "consent_required".',
      source: 'https://github.com/dexidp/dex/pull/4086',
    },
    {
      text: '"offline_access" is only for the password grant. In the code flow it ends in an error.',
      source: 'https://developers.onelogin.com/openid-connect/scopes',
      date: '2026-11-28',
    },
    {
      text: 'A client with the method "none" renews with its id and no secret. The response has a new refresh token.',
      source: 'https://developers.onelogin.com/openid-connect/api/refresh-token',
      date: '2026-11-28',
    },
    {
      text: 'A new redirect URI may need ten minutes to be taken. It has to be an "https" address.',
      source: 'https://developers.onelogin.com/openid-connect/connect-to-onelogin',
      date: '2026-11-28',
    },
    {
      text: 'The logout page takes "post_logout_redirect_uri" with "id_token_hint" only, returns the state, and revokes the tokens of all OpenID applications of the session.',
      source: 'https://developers.onelogin.com/openid-connect/api/logout',
      date: '2026-11-28',
    },
    {
      text: 'Without a setting, "refresh_token_expiration_minutes" is 1.',
      source:
        'https://github.com/onelogin/terraform-provider-onelogin/blob/main/docs/resources/onelogin_oidc_apps.md',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
