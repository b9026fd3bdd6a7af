// Airtable.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Airtable',
  settings: {
    issuer: 'https://airtable.com/oauth2/v1',
    scope: 'user.email:read',
    origins: ['https://api.airtable.com'],
    metadata: {
      authorization_endpoint: 'https://airtable.com/oauth2/v1/authorize',
      token_endpoint: 'https://airtable.com/oauth2/v1/token',
    },
    userApi: {
      url: 'https://api.airtable.com/v0/meta/whoami',
      subject: 'id',
      name: null,
      email: 'email',
      emailVerified: null,
      picture: null,
      headers: {},
    },
  },
  asks: [],
  issuers: {
    example: 'https://airtable.com/oauth2/v1',
    patterns: [/^https:\/\/([^/]+\.)?airtable\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Airtable Builder Hub, "OAuth integrations"',
    steps: [
      'Register an integration with the redirect URLs {redirectUri:chrome} and {redirectUri:firefox}.',
      'Generate no client secret.',
      'Tick the scope "user.email:read".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'Latchkey asks the user API who signed in, and nothing signs that response. It has an ID and an email, and no name.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint that revokes a token is known. A sign-out deletes it on this device only.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Airtable.' },
    { kind: 'verified-email-missing', text: "The user API doesn't say whether the email is verified." },
    {
      kind: 'other',
      text: 'The metadata describes ID tokens too, but lists no scope "openid". Whether an integration gets one wasn\'t tried.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The metadata of Airtable, as fetched in September 2026, offers the authentication method "none" and PKCE with S256, and names no endpoint for revocation.',
      source:
        'https://github.com/api-evangelist/airtable/blob/main/well-known/airtable-airtable-oauth-authorization-server.json',
    },
    {
      how: 'read in another project',
      text: 'A sign-in with the scope "user.email:read" alone resolves the email by "/v0/meta/whoami" and renews its tokens. A client secret is optional there.',
      source: 'https://www.val.town/x/orbem/airtable-approval-form',
    },
    {
      how: 'read in another project',
      text: 'An integration has no client secret until "Generate client secret" is pressed.',
      source: 'https://nango.dev/docs/api-integrations/airtable/how-to-register-your-own-airtable-oauth-app',
    },
  ],
} satisfies Profile;
