// LINE.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'LINE',
  refusal:
    "LINE requires the channel secret for a code, and signs the ID tokens of web logins with that secret unless the token request asks for another key, which Latchkey can't. Use a broker that knows it, or sign people in with a different provider.",
  issuers: {
    example: 'https://access.line.me',
    patterns: [/^https:\/\/([^/]+\.)?line\.me(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'LINE Developers Console, the channel "LINE Login"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires the channel secret, even with PKCE.' },
    {
      kind: 'no-id-token',
      text: 'ID tokens of web logins are signed with the channel secret (HS256), unless the token request has "id_token_key_type=JWK". Neither Latchkey nor the relay can send it.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'With "id_token_key_type=JWK" in the token request, a web login gets an ID token with ES256.',
      source: 'https://github.com/dennislin9999/LINELoginIDTokenValidator',
      date: '2026-11-28',
    },
    {
      how: 'read in another project',
      text: 'The sign-in of Auth.js expects ID tokens with HS256.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/line.ts',
    },
    {
      how: 'read in another project',
      text: 'The discovery document names ES256 and PKCE with S256. ES256 holds for native apps, and for web logins that ask for it.',
      source: 'https://github.com/api-evangelist/line/blob/main/well-known/line-openid-configuration.json',
    },
    {
      text: 'The channel secret is required for a code. Not tried here.',
    },
  ],
} satisfies Profile;
