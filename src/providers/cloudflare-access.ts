// Cloudflare Access, as an OpenID provider for SaaS applications.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Cloudflare Access',
  settings: { scope: 'openid profile email' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of the application, such as "https://<team>.cloudflareaccess.com/cdn-cgi/access/sso/oidc/<client id>"',
    },
  ],
  issuers: {
    example: 'https://<team>.cloudflareaccess.com/cdn-cgi/access/sso/oidc/<client id>',
    patterns: [/^https:\/\/[^/]+\.cloudflareaccess\.com(\/|$)/],
    mistakes: [
      {
        pattern: /\.cloudflareaccess\.com(?!\/cdn-cgi\/access\/sso\/oidc\/[^/]{1,100}$)/,
        advice:
          'The issuer is "https://<team>.cloudflareaccess.com/cdn-cgi/access/sso/oidc/<client id>", without a slash at the end.',
      },
    ],
  },
  registration: {
    console: 'Cloudflare Zero Trust, "Access", "Applications"',
    steps: [
      'Add an application of the type "SaaS" with OIDC.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URLs".',
      'Select the scopes {scopes}.',
      'Enable PKCE, and allow PKCE without a client secret.',
      'Set a refresh token lifetime, if people are to stay signed in for longer than an access token lasts.',
      'Copy "Client ID" to "clientId", and "Issuer" to "issuer".',
    ],
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'The scopes are openid, profile, email and groups. A refresh token depends on the application. Whether "offline_access" is refused isn\'t known.',
    },
    {
      kind: 'verified-email-missing',
      text: "Whether ID tokens say that an email is verified isn't known.",
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint for revocation is documented. A sign-out deletes the tokens on this device only.',
    },
    { kind: 'no-logout', text: 'No page that ends the session by a request of a client is documented.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: "Each application has its own issuer, with endpoints for authorization, tokens, keys and UserInfo below it. The scopes are openid, email, profile and groups. PKCE without a client secret is for applications that can't store one.",
      source:
        'https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/',
    },
    {
      text: 'The API calls that setting "allow_pkce_without_client_secret", and the grant types "authorization_code_with_pkce" and "refresh_tokens".',
      source: 'https://github.com/cloudflare/cloudflare-python',
    },
    {
      text: 'A refresh token is good as long as its lifetime and the global session allow.',
      source:
        'https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/saas-apps/generic-oidc-saas/',
    },
  ],
} satisfies Profile;
