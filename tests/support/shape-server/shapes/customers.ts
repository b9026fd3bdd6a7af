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
  {
    profile: 'stytch',
    team: { issuer: 'https://login.acme.example' },
    source: { url: 'https://stytch.com/docs/b2b/api/connected-app-openid-configuration', date: '2026-11-25' },
    document: toDocument('https://login.acme.example', 'https://login.acme.example', {
      authorize: 'https://app.acme.example/oauth/authorize',
      token: '/v1/oauth2/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/v1/oauth2/userinfo',
    }),
    unlistedRevocation: 'https://login.acme.example/v1/oauth2/revoke',
    claims: { aud: ['client-1'] },
    // As with a domain of the team's own.
    redirectIssuer: 'https://login.acme.example',
    prompts: ['consent'],
    otherPrompts: 'ignored',
    silent: 'ignored',
    expected: {
      anotherAccount: 'same account',
      silentSignIn: 'page shown',
      revocation: 'unsupported',
      logout: 'none',
    },
  },
];
