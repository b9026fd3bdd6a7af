// The shapes of servers that a team can host, and of libraries with which it writes its own.

import { ofTeam, refuse } from '../document.ts';
import { byResource, byScope } from '../purpose.ts';
import type { Shape } from '../shape.ts';

/** Gitea, and Forgejo, which comes from it. */
function toForge(profile: string, issuer: string): Shape {
  return ofTeam(profile, issuer, [], {
    isOffline: () => true,
    reusable: true,
    response: { token_type: 'bearer' },
    claims: { aud: ['client-1'] },
    silent: 'ignored',
    prompts: ['*'],
    // The scope protects the user's repositories: without it the token may do more.
    idleSettings: ['scope'],
  });
}

export const servers: readonly Shape[] = [
  ofTeam('keycloak', 'https://id.acme.example/realms/acme', ['revoke', 'logout', 'par', 'iss'], {
    claims: { azp: 'client-1' },
    origin: 'listed',
    prompts: ['none', 'login', 'consent', '*'],
    // https://github.com/marcospereirampj/python-keycloak/issues/53
    refusal: refuse(400, 'invalid_grant', 'Stale refresh token'),
    purpose: byScope,
  }),
  ofTeam('zitadel', 'https://acme.zitadel.cloud', ['revoke', 'logout'], {
    claims: { aud: ['client-1', 'client-2', 'project-1'], azp: 'client-1' },
    purpose: byScope,
  }),
  ofTeam('ory', 'https://slug.projects.oryapis.com', ['revoke', 'logout'], {
    claims: { aud: ['client-1'] },
    response: { token_type: 'bearer' },
    // https://github.com/ory/hydra/issues/3004
    refusal: refuse(
      401,
      'token_inactive',
      'Token is inactive because it is malformed, expired or otherwise invalid.',
    ),
    // As before June 2026.
    prompts: ['none', 'login', 'consent'],
  }),
  ofTeam('authentik', 'https://id.acme.example/application/o/acme/', ['revoke', 'logout'], {
    prompts: ['none', 'login', 'consent', '*'],
    // As until 2022: https://github.com/panva/openid-client/pull/532
    renewedClaims: { nonce: null, at_hash: null, c_hash: null },
    offlineConsent: true,
  }),
  ofTeam('authelia', 'https://auth.acme.example', ['revoke', 'par', 'iss'], {
    prompts: ['none', 'login', 'consent', '*'],
    claims: { email: undefined, email_verified: undefined },
    offlineConsent: true,
  }),
  ofTeam('pocket-id', 'https://id.acme.example', ['logout', 'par', 'iss'], {
    isOffline: () => true,
    claims: { type: 'id-token' },
    // https://github.com/pocket-id/pocket-id/issues/921
    renewedResponse: { id_token: undefined },
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  }),
  ofTeam('better-auth', 'https://app.acme.example/api/auth', ['revoke', 'logout', 'iss'], {
    prompts: ['none', 'login', 'consent', 'create'],
    claims: { name: undefined, email: undefined, email_verified: undefined },
    // https://github.com/better-auth/better-auth/pull/8103
    refusal: refuse(400, 'invalid_request', 'session not found'),
    purpose: byResource,
  }),
  ofTeam('dex', 'https://id.acme.example/dex', [], {
    response: { token_type: 'bearer' },
    // Dex has no session of its own.
    silent: 'ignored',
    prompts: ['*'],
  }),
  ofTeam('fusionauth', 'https://id.acme.example', ['logout'], {
    fragment: '#_=_',
    prompts: ['none', 'login', '*'],
  }),
  ofTeam('casdoor', 'https://door.acme.example', ['logout'], {
    silent: 'ignored',
    prompts: ['*'],
  }),
  toForge('gitea', 'https://git.acme.example/'),
  toForge('forgejo', 'https://forge.acme.example'),
  ofTeam('kanidm', 'https://idm.acme.example/oauth2/openid/client-1', ['revoke'], {
    scopes: ['openid', 'profile', 'email'],
    isOffline: () => true,
    // "login" asks the user who is signed in, and "select_account" asks no one.
    prompts: ['none', 'consent', '*'],
    claims: { azp: 'client-1' },
  }),
  ofTeam('rauthy', 'https://auth.acme.example/auth/v1/', ['revoke', 'logout'], {
    isOffline: () => true,
    // For five seconds.
    reusable: true,
    origin: 'listed',
    originRefusal: { status: 400, error: 'BadRequest' },
    prompts: ['none', 'login', 'consent', '*'],
    claims: { azp: 'client-1', name: undefined, given_name: 'Ada', family_name: 'Lovelace' },
  }),
  ofTeam('nextcloud', 'https://cloud.acme.example', ['logout'], {
    team: { discoveryUrl: 'https://cloud.acme.example/index.php/apps/oidc/openid-configuration' },
    prompts: ['none', 'login', '*'],
    // Only those that are asked for.
    claims(sent) {
      const { id_token: asked = {} } = JSON.parse(sent.get('claims') ?? '{}') as { id_token?: object };
      const left = ['name', 'email', 'email_verified'].filter((claim) => !(claim in asked));
      return Object.fromEntries(left.map((claim) => [claim, undefined]));
    },
    // Only "allowed" needs the claims: see shapes.test.ts.
    idleSettings: ['authorizationParameters'],
  }),
  ofTeam('duende', 'https://id.acme.example', ['revoke', 'logout', 'par', 'iss'], {
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: { name: undefined, email: undefined, email_verified: undefined },
    purpose: byResource,
  }),
  ofTeam('openiddict', 'https://id.acme.example/', ['revoke', 'logout', 'iss'], {
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // For half a minute.
    reusable: true,
  }),
];
