// Supabase Auth, as an OpenID provider.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Supabase Auth',
  settings: { scope: 'openid profile email' },
  asks: [
    { setting: 'issuer', expected: 'the issuer of your project, "https://<project>.supabase.co/auth/v1"' },
  ],
  issuers: {
    example: 'https://<project>.supabase.co/auth/v1',
    patterns: [/^https:\/\/[^/]+\.supabase\.(co|in)(\/|$)/],
    mistakes: [
      { pattern: /\.supabase\.(co|in)\/?$/, advice: 'Add "/auth/v1", without a slash at the end.' },
      { pattern: /\/auth\/v1\/.*/, advice: 'That is an endpoint. The issuer ends with "/auth/v1".' },
    ],
  },
  registration: {
    console: 'Supabase dashboard, "Authentication"',
    steps: [
      'Under "OAuth Server", enable the server, and set "Authorization Path" to the consent page that you build.',
      'Under "Project Settings", "JWT Keys", use an asymmetric signing key (ES256 or RS256).',
      'Under "OAuth Apps", choose "Add a new client", with "Public" as "Client type", and {redirectUri:chrome} and {redirectUri:firefox} as redirect URIs.',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'In a project that signs with HS256 the sign-in fails as a whole. It needs an asymmetric signing key.',
    },
    { kind: 'other', text: 'The OAuth server is in beta.' },
    {
      kind: 'other',
      text: 'The server reads no prompt, so "Use another account" works only if your consent page offers it.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at Supabase.' },
    { kind: 'other', text: 'Whether a silent sign-in succeeds depends on your consent page.' },
    {
      kind: 'other',
      text: 'Scopes restrict only what the ID token tells. The access token can do whatever the person can, within your row level security.',
    },
  ],
  read: '2026-09',
  facts: [
    {
      text: 'The OAuth server is in beta; its endpoints are below "/auth/v1/oauth", its keys below "/auth/v1/.well-known".',
      source: 'https://supabase.com/docs/guides/auth/oauth-server/getting-started',
      date: '2026-11-22',
    },
    {
      text: 'A project can be an OAuth 2.1 and OpenID Connect provider.',
      source: 'https://supabase.com/docs/guides/auth/oauth-server',
      date: '2026-11-22',
    },
    {
      text: 'The authorization endpoint reads no prompt.',
      source: 'https://github.com/supabase/auth/tree/bc32168e',
    },
    {
      text: 'The discovery document names neither an endpoint for revocation nor a logout page. With HS256 a token request with "openid" is refused.',
      source: 'https://github.com/supabase/auth/tree/bc32168e',
    },
    {
      text: '"offline_access" is accepted since 30 July 2026. A refresh token comes without it too.',
      source: 'https://github.com/supabase/auth/pull/2630',
    },
    {
      text: 'CORS only adds headers. A request with a different origin still gets a response.',
      source: 'https://github.com/supabase/auth/blob/master/internal/api/api.go',
      date: '2026-11-25',
    },
    {
      text: 'Clients are registered under "OAuth Apps". A redirect URI has to match exactly, and a client has at most ten.',
      source: 'https://supabase.com/docs/guides/auth/oauth-server/getting-started',
      date: '2026-11-28',
    },
    {
      text: 'Keys are managed under "Project Settings", "JWT Keys".',
      source: 'https://supabase.com/docs/guides/auth/signing-keys',
      date: '2026-11-28',
    },
    {
      text: "Scopes don't restrict an access token. An ID token comes only with the code, and refresh tokens rotate.",
      source: 'https://supabase.com/docs/guides/auth/oauth-server/oauth-flows',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
