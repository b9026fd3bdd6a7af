// Compares what a provider says about itself in its discovery document with the configuration.

import * as v from 'valibot';
import type { Provider } from '../../src/config/provider.ts';
import type { DiscoveryDocument, Metadata } from '../../src/oidc/discover.ts';
import { wantsDpop } from '../../src/oidc/dpop.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { everywhere, quoteAnswer, quoteProblem, type Finding } from './finding.ts';
import type { Part } from './flow.ts';
import { findLeftOut } from './left-out.ts';

/** A list that is malformed says nothing. */
const names = v.fallback(v.optional(v.array(v.string())), undefined);

const advertisedSchema = v.object({
  scopes_supported: names,
  response_types_supported: names,
  grant_types_supported: names,
  claims_supported: names,
  code_challenge_methods_supported: names,
  id_token_signing_alg_values_supported: names,
  token_endpoint_auth_methods_supported: names,
});

type Advertised = v.InferOutput<typeof advertisedSchema>;

/** The algorithms that the extension verifies. */
const verifiable = /^([RPE]S(256|384|512)|Ed25519|EdDSA)$/;

/** Finds what the document promises too little for the configuration. `parts` are those of a sign-in with it. */
export function examineAdvertised(
  provider: Provider,
  document: DiscoveryDocument,
  metadata: Metadata,
  parts: readonly Part[],
): readonly Finding[] {
  const advertised = readAdvertised(document);
  const code = [
    ...findResponseTypes(advertised),
    ...findChallengeMethods(advertised),
    ...findRefreshToken(provider, advertised),
    ...findDpop(provider, metadata),
  ];
  const idToken = [
    ...findAlgorithms(provider, advertised),
    ...findOpenid(advertised),
    ...findEmailClaim(provider, advertised),
  ];
  return [
    ...findLeftOut(provider, document, metadata),
    ...(parts.includes('id-token') ? idToken : []),
    ...(parts.includes('code') ? code : []),
    ...findScopes(provider, advertised),
    ...findSignOut(metadata),
  ];
}

/** Whether the document lists the ways in which a client proves who it is, and no way for a public one. */
export function wantsClientSecret(document: DiscoveryDocument): boolean {
  const { token_endpoint_auth_methods_supported: methods } = readAdvertised(document);
  return methods !== undefined && methods.length > 0 && !methods.includes('none');
}

function readAdvertised(document: DiscoveryDocument): Advertised {
  const result = v.safeParse(advertisedSchema, document);
  return result.success ? result.output : v.parse(advertisedSchema, {});
}

function findAlgorithms({ metadata }: Provider, advertised: Advertised): Finding[] {
  const algorithms =
    metadata?.id_token_signing_alg_values_supported ?? advertised.id_token_signing_alg_values_supported;
  if (algorithms === undefined || algorithms.length === 0) return [];
  if (algorithms.some((name) => verifiable.test(name))) return [];
  return [
    everywhere(
      'error',
      'algorithms',
      `The provider signs ID tokens with ${list(algorithms)} only. A public client cannot verify "none" and "HS…", which need a secret.`,
      'Let the provider sign with a public-key algorithm, such as RS256 or ES256.',
    ),
  ];
}

function findResponseTypes({ response_types_supported: types }: Advertised): Finding[] {
  if (types === undefined || types.includes('code')) return [];
  return [
    everywhere(
      'warning',
      'code-flow-missing',
      `The provider offers the response types ${list(types)}, and not "code".`,
      'Enable the authorization code flow for this client.',
    ),
  ];
}

function findChallengeMethods({ code_challenge_methods_supported: methods }: Advertised): Finding[] {
  if (methods === undefined || methods.includes('S256')) return [];
  return [
    everywhere(
      'warning',
      'pkce',
      `The provider offers PKCE with ${list(methods)}, and Latchkey always uses S256.`,
      'Enable PKCE with S256 for this client.',
    ),
  ];
}

function findOpenid({ scopes_supported: offered = [] }: Advertised): Finding[] {
  if (offered.length === 0 || offered.includes('openid')) return [];
  return [
    everywhere(
      'warning',
      'no-id-token',
      'The provider does not list the scope "openid", so it may issue no ID token, and nobody could sign in.',
      'Look in its documents for OpenID Connect.',
    ),
  ];
}

function findScopes({ scope }: Provider, { scopes_supported: offered = [] }: Advertised): Finding[] {
  if (offered.length === 0) return [];
  const explained = ['openid', 'offline_access'];
  const missing = scope.split(' ').filter((name) => ![...explained, ...offered].includes(name));
  if (missing.length === 0) return [];
  return [
    everywhere(
      'warning',
      'scope',
      `The provider does not list the scope ${list(missing)}. It may refuse or ignore that.`,
      'Correct "scope", or register the scope at the provider.',
    ),
  ];
}

function findRefreshToken({ scope }: Provider, advertised: Advertised): Finding[] {
  const { scopes_supported: scopes, grant_types_supported: grants } = advertised;
  const isRequested = scope.split(' ').includes('offline_access');
  const consequence = 'Sessions then last as long as the session at the provider, and are renewed silently.';
  const warn = (why: string, remedy: string) => [
    everywhere(
      'warning',
      'no-refresh-token',
      `No refresh token is to be expected: ${why}. ${consequence}`,
      remedy,
    ),
  ];
  if (grants !== undefined && !grants.includes('refresh_token')) {
    return warn(
      `the provider offers the grants ${list(grants)} only`,
      'Enable refresh tokens for this client, if the provider has them.',
    );
  }
  if (isRequested && scopes !== undefined && scopes.length > 0 && !scopes.includes('offline_access')) {
    return warn(
      'the provider does not list the scope "offline_access", and may even refuse it',
      'Look in its documents for what gives a refresh token, and set "scope" or "authorizationParameters".',
    );
  }
  if (!isRequested && scopes?.includes('offline_access') === true) {
    return warn('"scope" does not ask for "offline_access"', 'Add "offline_access" to "scope".');
  }
  return [];
}

function findEmailClaim({ allowed }: Provider, { claims_supported: claims }: Advertised): Finding[] {
  if (allowed['email'] === undefined || claims === undefined || claims.includes('email_verified')) return [];
  return [
    everywhere(
      'warning',
      'email-unverified',
      '"allowed" asks for "email", which counts only with the claim "email_verified", and the provider does not list that.',
      'If its ID tokens have none, nobody can sign in: use another claim in "allowed".',
    ),
  ];
}

function findDpop(provider: Provider, metadata: Metadata): Finding[] {
  try {
    wantsDpop(provider, metadata);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return [everywhere('error', 'dpop', quoteProblem(error), 'Set "dpop" to "auto" or "off".')];
  }
  if (provider.dpop !== 'required' || metadata.dpop_signing_alg_values_supported !== undefined) return [];
  return [
    everywhere(
      'warning',
      'dpop',
      'The configuration requires DPoP, and the provider does not say that it supports it.',
      'If a sign-in fails with "token_type", set "dpop" to "auto" or "off".',
    ),
  ];
}

function findSignOut({
  revocation_endpoint: revocation,
  end_session_endpoint: end,
  leftOutEndpoints = [],
}: Metadata): Finding[] {
  const isLeftOut = leftOutEndpoints.includes('revocation_endpoint');
  return [
    ...(revocation === undefined && !isLeftOut
      ? [
          everywhere(
            'note',
            'no-revocation',
            'The provider names no endpoint to revoke tokens: a sign-out deletes them on this device alone.',
          ),
        ]
      : []),
    ...(end === undefined
      ? [
          everywhere(
            'note',
            'no-logout',
            'The provider names no page that ends its session: "sign out everywhere" is not offered.',
          ),
        ]
      : []),
  ];
}

/** Names from a provider or the configuration, the first few of them. */
function list(values: readonly string[]): string {
  const shown = values.slice(0, 8).map((value) => quoteAnswer(value.slice(0, 60)));
  return `${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`;
}
