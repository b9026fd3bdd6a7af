// Compares what a provider says about itself in its discovery document with the configuration. What its endpoints have
// shown counts for more.

import * as v from 'valibot';
import type { Provider } from '../../src/config/provider.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { wantsDpop } from '../../src/oidc/dpop.ts';
import { futureToleranceSeconds } from '../../src/oidc/provider-client.ts';
import { ProblemError } from '../../src/session/problem.ts';
import type { Part } from './configuration.ts';
import { findAll, quoteNames, quoteProblem, row, type Finding, type Row } from './finding.ts';
import { secretRemedy } from './token-findings.ts';

/** A list that is missing or malformed says nothing. */
const names = v.fallback(v.optional(v.array(v.string()), []), []);

const listsSchema = v.object({
  scopes_supported: names,
  response_types_supported: names,
  grant_types_supported: names,
  claims_supported: names,
  code_challenge_methods_supported: names,
  id_token_signing_alg_values_supported: names,
  token_endpoint_auth_methods_supported: names,
});

/** The provider's metadata, beside the needs of the configuration. */
interface Evidence extends v.InferOutput<typeof listsSchema> {
  readonly provider: Provider;
  readonly metadata: Metadata;
  readonly scopes: readonly string[];
  /** The configured scopes that are not listed, apart from those with rows of their own. */
  readonly unlistedScopes: readonly string[];
  /** Why the configured DPoP cannot work, to be printed; empty if nothing speaks against it. */
  readonly dpopProblem: string;
  /** How far the provider's clock is ahead. */
  readonly skewSeconds: number;
  /** The codes of what the endpoints have shown. */
  readonly shown: readonly Finding['code'][];
}

/** The algorithms that the extension verifies. */
const verifiable = /^([RPE]S(256|384|512)|Ed25519|EdDSA)$/;

/** Whether a list says something, and leaves a name out. */
const lacks = (listed: readonly string[], name: string) => listed.length > 0 && !listed.includes(name);

const idTokenRows: readonly Row<Evidence>[] = [
  row.error(
    'algorithms',
    ({ id_token_signing_alg_values_supported: listed }) =>
      listed.length > 0 && !listed.some((name) => verifiable.test(name)),
    ({ id_token_signing_alg_values_supported: listed }) =>
      `The provider signs ID tokens with ${quoteNames(listed)} only. A public client cannot verify "none" and "HS…", which need a secret.`,
    'Let the provider sign with a public-key algorithm, such as RS256 or ES256.',
  ),
  row.warning(
    'no-id-token',
    ({ scopes_supported: listed }) => lacks(listed, 'openid'),
    'The provider does not list the scope "openid", so it may issue no ID token, and no one could sign in.',
    'Look in its documents for OpenID Connect.',
  ),
  row.warning(
    'email-unverified',
    ({ provider, claims_supported: listed }) =>
      provider.allowed['email'] !== undefined && lacks(listed, 'email_verified'),
    '"allowed" asks for "email", which counts only with the claim "email_verified", and the provider does not list that.',
    'If its ID tokens have none, no one can sign in: use another claim in "allowed".',
  ),
];

const withoutRefreshToken =
  'Sessions then last as long as the session at the provider, and are renewed silently.';
const hasRefreshGrant = ({ grant_types_supported: listed }: Evidence) => !lacks(listed, 'refresh_token');

const codeRows: readonly Row<Evidence>[] = [
  row.warning(
    'code-flow-missing',
    ({ response_types_supported: listed }) => lacks(listed, 'code'),
    ({ response_types_supported: listed }) =>
      `The provider offers the response types ${quoteNames(listed)}, and not "code".`,
    'Enable the authorization code flow for this client.',
  ),
  row.warning(
    'pkce',
    ({ code_challenge_methods_supported: listed }) => lacks(listed, 'S256'),
    ({ code_challenge_methods_supported: listed }) =>
      `The provider offers PKCE with ${quoteNames(listed)}, and Latchkey always uses S256.`,
    'Enable PKCE with S256 for this client.',
  ),
  row.warning(
    'no-refresh-token',
    (evidence) => !hasRefreshGrant(evidence),
    ({ grant_types_supported: listed }) =>
      `There may be no refresh token: the provider lists the grants ${quoteNames(listed)} only. ${withoutRefreshToken}`,
    'Enable refresh tokens for this client, if the provider has them.',
  ),
  row.warning(
    'no-refresh-token',
    (evidence) =>
      hasRefreshGrant(evidence) &&
      evidence.scopes.includes('offline_access') &&
      lacks(evidence.scopes_supported, 'offline_access'),
    `There may be no refresh token: the provider does not list the scope "offline_access", and may even refuse it. ${withoutRefreshToken}`,
    'Look in its documents for what gives a refresh token, and set "scope" or "authorizationParameters".',
  ),
  row.warning(
    'no-refresh-token',
    (evidence) =>
      hasRefreshGrant(evidence) &&
      !evidence.scopes.includes('offline_access') &&
      evidence.scopes_supported.includes('offline_access'),
    `There may be no refresh token: "scope" does not ask for "offline_access". ${withoutRefreshToken}`,
    'Add "offline_access" to "scope".',
  ),
  row.error(
    'dpop',
    ({ dpopProblem }) => dpopProblem !== '',
    ({ dpopProblem }) => dpopProblem,
    'Set "dpop" to "auto" or "off".',
  ),
  row.warning(
    'dpop',
    ({ provider, metadata }) =>
      provider.dpop === 'required' && metadata.dpop_signing_alg_values_supported === undefined,
    'The configuration requires DPoP, and the provider does not say that it supports it.',
    'If a sign-in fails with "token_type", set "dpop" to "auto" or "off".',
  ),
  row.warning(
    'secret-wanted',
    ({ token_endpoint_auth_methods_supported: listed, shown }) =>
      lacks(listed, 'none') &&
      !shown.some((code) => ['token-endpoint', 'secret-wanted', 'client-unknown'].includes(code)),
    'The provider lists only ways to sign in with a client secret, which an extension cannot keep.',
    secretRemedy,
  ),
];

/** A request for a device code would leave one open at the provider. */
const deviceRow = row.warning<Evidence>(
  'not-checked',
  () => true,
  'The device flow is not checked.',
  'Sign in once and see.',
);

const rows: readonly Row<Evidence>[] = [
  row.warning(
    'scope',
    ({ unlistedScopes, shown }) => unlistedScopes.length > 0 && !shown.includes('scope'),
    ({ unlistedScopes }) =>
      `The provider does not list the scope ${quoteNames(unlistedScopes)}. It may refuse or ignore that.`,
    'Correct "scope", or register the scope at the provider.',
  ),
  row.note(
    'no-revocation',
    ({ metadata: { revocation_endpoint: endpoint, leftOutEndpoints = [] } }) =>
      endpoint === undefined && !leftOutEndpoints.includes('revocation_endpoint'),
    'The provider names no endpoint to revoke tokens: a sign-out deletes them on this device alone.',
  ),
  row.note(
    'no-logout',
    ({ metadata }) => metadata.end_session_endpoint === undefined,
    'The provider names no page that ends its session: "sign out everywhere" is not offered.',
  ),
  row.warning(
    'clock',
    ({ skewSeconds }) => Math.abs(skewSeconds) > futureToleranceSeconds,
    ({ skewSeconds }) =>
      `The clock of the provider is ${Math.round(Math.abs(skewSeconds) / 60)} minutes ${skewSeconds > 0 ? 'ahead of' : 'behind'} that of this computer.`,
    'Set date and time of the wrong one automatically. A device whose clock is wrong can fail to sign in.',
  ),
];

/** Finds what the provider promises too little for the configuration. `parts` are those of a sign-in with it. */
export function examineAdvertised(
  given: Pick<Evidence, 'provider' | 'metadata' | 'skewSeconds' | 'shown'>,
  document: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
): readonly Finding[] {
  const { provider, metadata } = given;
  const lists = v.parse(listsSchema, { ...document, ...provider.metadata });
  const scopes = provider.scope.split(' ').filter(Boolean);
  const listed = lists.scopes_supported;
  const known = ['openid', 'offline_access', ...listed];
  const evidence = {
    ...given,
    ...lists,
    scopes,
    unlistedScopes: listed.length === 0 ? [] : scopes.filter((name) => !known.includes(name)),
    dpopProblem: findDpopProblem(provider, metadata),
  };
  const find = (table: readonly Row<Evidence>[]) => findAll(table, evidence);
  return [
    ...(parts.includes('id-token') ? find(idTokenRows) : []),
    ...(parts.includes('code') ? find(codeRows) : []),
    ...(parts.includes('window') ? [] : find([deviceRow])),
    ...find(rows),
  ];
}

function findDpopProblem(provider: Provider, metadata: Metadata): string {
  try {
    wantsDpop(provider, metadata);
    return '';
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return quoteProblem(error);
  }
}
