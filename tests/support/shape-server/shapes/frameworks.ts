// The shapes of libraries with which a team writes its own server.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

export const frameworks: readonly Shape[] = [
  {
    profile: 'duende',
    team: { issuer: 'https://id.acme.example' },
    source: {
      url: 'https://docs.duendesoftware.com/identityserver/reference/v8/models/client/',
      date: '2026-11-25',
    },
    document: toDocument('https://id.acme.example', 'https://id.acme.example', {
      authorize: '/connect/authorize',
      token: '/connect/token',
      keys: '/.well-known/openid-configuration/jwks',
      userInfo: '/connect/userinfo',
      revoke: '/connect/revocation',
      logout: '/connect/endsession',
      par: '/connect/par',
      sendsIssuer: true,
    }),
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: { name: undefined, email: undefined, email_verified: undefined },
    expected: { refreshTokenSeconds: 2_592_000 },
  },
  {
    profile: 'openiddict',
    team: { issuer: 'https://id.acme.example/' },
    source: { url: 'https://github.com/openiddict/openiddict-core', date: '2026-11-25' },
    document: toDocument('https://id.acme.example/', 'https://id.acme.example', {
      authorize: '/connect/authorize',
      token: '/connect/token',
      keys: '/.well-known/jwks',
      userInfo: '/connect/userinfo',
      revoke: '/connect/revoke',
      logout: '/connect/endsession',
      sendsIssuer: true,
    }),
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // For half a minute.
    reusable: true,
    expected: { spentToken: 'renewed' },
  },
];
