// The shapes of services with which a team signs in the customers of its own product.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

export const customers: readonly Shape[] = [
  {
    profile: 'supertokens',
    team: { issuer: 'https://api.acme.example/auth' },
    source: {
      url: 'https://github.com/supertokens/supertokens-node/tree/master/lib/ts/recipe/oauth2provider',
      date: '2026-11-25',
    },
    document: toDocument('https://api.acme.example/auth', 'https://api.acme.example/auth', {
      authorize: '/oauth/auth',
      token: '/oauth/token',
      keys: '/jwt/jwks.json',
      userInfo: '/oauth/userinfo',
      revoke: '/oauth/revoke',
      logout: '/oauth/end_session',
    }),
    // The client's own scopes, as its page says to register them.
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // Those of Ory Hydra 2.2.
    prompts: ['none', 'login', 'consent'],
    claims: { aud: ['client-1'], name: undefined },
    renewedClaims: { email: undefined, email_verified: undefined },
    response: { token_type: 'bearer', status: 'OK' },
    keepsRefreshTokens: true,
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
    expected: { spentToken: 'renewed' },
  },
];
