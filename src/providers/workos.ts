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
    console: 'WorkOS Dashboard, "Connect", "Applications"',
    steps: [
      'Create a first-party OAuth application, and set it as "Public". That is possible only at its creation.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: 'The reference of the endpoints keeps PKCE to clients that register themselves. The guide and the metadata allow public clients without a secret. Not tried here.',
    },
    {
      kind: 'no-logout',
      text: 'There is no page that ends the session at AuthKit by a request of a client, as far as is documented.',
    },
    {
      kind: 'other',
      text: 'The documents name no prompt and no "login_hint". Whether "Use another account" offers a choice isn\'t known.',
    },
    {
      kind: 'other',
      text: 'AuthKit asks a person in several organizations to choose one.',
    },
  ],
  read: '2026-11-28',
  facts: [
    {
      text: 'The scopes are openid, profile, email and offline_access, and the nonce is required.',
      source: 'https://workos.com/docs/reference/workos-connect/authorize',
      date: '2026-11-22',
    },
    {
      text: 'A public client revokes its refresh token with its id alone, as at the token endpoint. The metadata lists the endpoint. Refresh tokens rotate.',
      source: 'https://workos.com/docs/reference/workos-connect/revocation',
      date: '2026-11-25',
    },
    {
      text: "A public client with PKCE is part of WorkOS's own library.",
      source: 'https://github.com/workos/workos-node/issues/1435',
      date: '2026-09',
    },
    {
      text: 'An OAuth application is confidential unless it was created as "Public". A public one must use PKCE. A third-party one belongs to an organization, and asks for consent.',
      source: 'https://workos.com/docs/authkit/connect/oauth',
    },
    {
      text: 'The metadata lists the method "none" of the token endpoint.',
      source: 'https://workos.com/docs/reference/workos-connect/metadata',
    },
    {
      text: 'A person in several organizations is asked to choose one.',
      source: 'https://workos.com/changelog/organization-authorization-with-workos-connect',
    },
  ],
} satisfies Profile;
