// The shapes of services that a team has a tenant at, for its own people or for its product's customers.

import { ofTeam, refuse } from '../document.ts';
import { byAudience, byResource } from '../purpose.ts';
import type { Shape } from '../shape.ts';

export const services: readonly Shape[] = [
  ofTeam('auth0', 'https://acme.auth0.com/', ['revoke', 'logout'], {
    // The fragment of Facebook behind it.
    fragment: '#_=_',
    // https://support.auth0.com/center/s/article/troubleshoot-refresh-token-unknown-or-invalid-before-expiry-403-unknown-or-invalid-refresh-token
    refusal: refuse(403, 'invalid_grant', 'Unknown or invalid refresh token.'),
    // The policy of the application lists this one.
    purpose: byAudience(['https://pay.acme.example']),
  }),
  ofTeam('okta', 'https://acme.okta.com/oauth2/default', ['revoke', 'logout'], {
    prompts: ['none', 'login', 'consent', 'enroll_authenticator'],
    purpose: byResource,
  }),
  ofTeam('cognito', 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI', ['revoke', 'logout'], {
    team: { origins: ['https://acme.auth.eu-west-1.amazoncognito.com'] },
    elsewhere: {
      all: 'https://acme.auth.eu-west-1.amazoncognito.com',
      keys: 'https://cognito-idp.eu-west-1.amazonaws.com',
    },
    scopes: ['openid', 'profile', 'email', 'phone', 'aws.cognito.signin.user.admin'],
    prompts: ['none', 'login', '*'],
    isOffline: () => true,
    keepsRefreshTokens: true,
    // https://github.com/authts/oidc-client-ts/issues/2107
    renewedClaims: { auth_time: 8 },
    // https://github.com/zitadel/oidc/pull/139
    userInfo: { email_verified: 'true' },
    logout: { required: ['client_id', 'logout_uri'], repeatsState: false },
  }),
  ofTeam('pingone', 'https://auth.pingone.eu/environment-1/as', ['revoke', 'logout', 'par'], {
    // https://developer.pingidentity.com/pingone-api/auth/openid-connect-oauth-2.html
    prompts: ['none', 'login'],
  }),
  ofTeam('logto', 'https://acme.logto.app/oidc', ['revoke', 'logout', 'iss'], {
    isOffline: (sent) => sent.get('prompt') === 'consent',
    origin: 'listed',
    prompts: ['none', 'login', 'consent'],
    purpose: byResource,
  }),
  ofTeam('salesforce', 'https://acme.my.salesforce.com', ['revoke', 'logout'], {
    scopes: ['openid', 'profile', 'email', 'api', 'refresh_token', 'offline_access'],
    isOffline: (sent) => /refresh_token|offline_access/.test(sent.get('scope') ?? ''),
    // https://github.com/segmentio/action-destinations/pull/2300
    refusal: refuse(400, 'invalid_grant', 'expired access/refresh token'),
    response: {
      expires_in: undefined,
      signature: 'made-with-a-secret',
      instance_url: 'https://acme.my.salesforce.com',
    },
    // Both scopes mean the same. Its documents prefer this one.
    idleSettings: ['scope'],
  }),
  ofTeam('supabase', 'https://abcdefgh.supabase.co/auth/v1', [], {
    scopes: ['openid', 'profile', 'email', 'phone'],
    isOffline: () => true,
    response: { token_type: 'bearer' },
    // https://github.com/supabase/auth/issues/2829
    refusal: {
      status: 400,
      body: { code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' },
    },
    prompts: ['*'],
  }),
  ofTeam('clerk', 'https://clerk.acme.example', ['revoke'], {
    scopes: ['openid', 'profile', 'email', 'public_metadata', 'private_metadata', 'offline_access'],
    // https://github.com/clerk/openapi-specs/blob/main/fapi/2026-05-12.yml
    prompts: ['none', 'login', 'consent'],
  }),
  ofTeam('workos', 'https://acme.authkit.app', ['revoke'], {
    scopes: ['openid', 'profile', 'email', 'offline_access'],
  }),
  ofTeam('kinde', 'https://acme.kinde.com', ['revoke', 'logout'], {
    isOffline: (sent) => sent.get('scope')?.endsWith(' offline') ?? false,
    logout: { required: ['redirect'], repeatsState: false },
  }),
  ofTeam('descope', 'https://api.descope.com/P2abc', ['revoke', 'logout'], {
    silent: 'ignored',
  }),
  ofTeam('supertokens', 'https://api.acme.example/auth', ['revoke', 'logout'], {
    // The client's own scopes, as its page says to register them.
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // Those of Ory Hydra 2.2.
    prompts: ['none', 'login', 'consent'],
    claims: { aud: ['client-1'], name: undefined },
    renewedClaims: { email: undefined, email_verified: undefined },
    response: { token_type: 'bearer', status: 'OK' },
    keepsRefreshTokens: true,
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  }),
  ofTeam('stytch', 'https://login.acme.example', [], {
    elsewhere: { authorize: 'https://app.acme.example' },
    unlistedRevocation: 'https://login.acme.example/v1/oauth2/revoke',
    claims: { aud: ['client-1'] },
    // As with a domain of the team's own.
    redirectIssuer: 'https://login.acme.example',
    prompts: ['consent', '*'],
    silent: 'ignored',
  }),
];
