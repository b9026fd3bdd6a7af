// Shopify: the Admin API. Its customer accounts are an OpenID provider with public clients, to which this doesn't apply.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Shopify (Admin API)',
  refusal:
    'Shopify gives tokens for its Admin API only to the client secret of an app, and issues no ID token for them. Keep its tokens on a server of yours that the feature calls, and sign people in with a different provider. The customers of a shop can sign in: use the issuer of its Customer Account API, "https://shopify.com/authentication/<shop>", without a profile.',
  issuers: {
    example: 'https://accounts.shopify.com',
    patterns: [
      /^https:\/\/(?!shopify\.com\/authentication\/)([^/]+\.)?shopify\.com(\/|$)/,
      /^https:\/\/[^/]+\.myshopify\.com\/admin(\/|$)/,
    ],
    mistakes: [],
  },
  registration: {
    console: 'Shopify Dev Dashboard, "Apps"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'The Customer Account API is an OpenID provider with public clients, PKCE, the scopes "openid email customer-account-api:full", and discovery under "https://shopify.com/authentication/<shop>". Not tried here.',
      source: 'https://shopify.dev/docs/api/customer',
      date: '2026-11-28',
    },
    {
      text: 'The code exchange of the official library carries the secret of the app.',
      source:
        'https://github.com/Shopify/shopify-app-js/blob/main/packages/apps/shopify-api/lib/auth/oauth/oauth.ts',
    },
    {
      text: 'So does its renewal of tokens.',
      source:
        'https://github.com/Shopify/shopify-app-js/blob/main/packages/apps/shopify-api/lib/auth/oauth/refresh-token.ts',
    },
  ],
} satisfies Profile;
