// WorkOS Connect with AuthKit.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'WorkOS Connect',
  settings: {},
  asks: [{ setting: 'issuer', expected: 'the AuthKit domain, such as "https://<subdomain>.authkit.app"' }],
  issuers: {
    example: 'https://<subdomain>.authkit.app',
    patterns: [/^https:\/\/[^/]+\.authkit\.app(\/|$)/],
    mistakes: [
      {
        pattern: /\/oauth2\/(authorize|token)/,
        advice: 'That is an endpoint. The issuer is the AuthKit domain alone.',
      },
      { pattern: /\.authkit\.app\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'WorkOS Dashboard, "Connect"',
    steps: [
      'Create an OAuth application, and let it use PKCE without a secret.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: 'The reference shows the token endpoint with a secret, and says elsewhere that a public client sends its id alone.',
    },
    {
      kind: 'no-logout',
      text: 'There is no page that ends the session at AuthKit by a request of a client, as far as is documented.',
    },
  ],
  facts: [
    {
      how: "read in the provider's documents",
      text: 'The scopes are openid, profile, email and offline_access, and the nonce is required.',
      source: 'https://workos.com/docs/reference/workos-connect/authorize',
      date: '2026-11-22',
    },
    {
      how: "read in the provider's documents",
      text: 'A public client revokes its refresh token with its id alone, as at the token endpoint. The metadata lists the endpoint. Refresh tokens rotate.',
      source: 'https://workos.com/docs/reference/workos-connect/revocation',
      date: '2026-11-25',
    },
    {
      how: "read in the provider's documents",
      text: "A public client with PKCE is part of WorkOS's own library.",
      source: 'https://github.com/workos/workos-node/issues/1435',
      date: '2026-09',
    },
  ],
} satisfies Profile;
