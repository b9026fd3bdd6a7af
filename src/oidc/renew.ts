// Renews a session's tokens with its refresh token.

import * as oauth from 'oauth4webapi';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { isWider, toOwnParameters } from './authorize.ts';
import type { ProviderClient, TokenClient } from './http.ts';
import type { Metadata } from './discover.ts';
import { type KeySource, checkRenewedIdToken, type Authentication } from './id-token.ts';
import { parseObject } from './jwt.ts';
import { findOAuthError, findRefusal, toProblemError, toUnreadableCode } from './problems.ts';
import { requestTokens, tellOfWidth } from './code-flow.ts';
import { toTokenSet, type AccessTokenSet } from './tokens.ts';

/**
 * The provider's response to a refresh token:
 * - `renewed`: new tokens of the same user;
 * - `refused`: the refresh token no longer works, though the user may still be signed in at the provider;
 * - `refresh-token-only`: the response has a new refresh token, and nothing else that can be used. The session goes on with it and
 *   its present access token, and `problem` passes;
 * - `rejected`: the renewed ID token is for another user or client, or is forged, so the new tokens aren't used.
 *   The refresh token may be spent; the user may still be signed in at the provider;
 * - `ended`: the user is no longer allowed (`not-permitted`). The session must end.
 */
export type TokenAnswer =
  | {
      readonly outcome: 'renewed';
      readonly tokens: AccessTokenSet;
      /** The scope the provider says it granted; null if it says nothing. */
      readonly grantedScope: string | null;
    }
  | {
      readonly outcome: 'refresh-token-only';
      readonly tokens: AccessTokenSet;
      readonly problem: ProblemError;
    }
  | { readonly outcome: 'refused' | 'rejected' | 'ended'; readonly problem: ProblemError };

/**
 * Redeems the refresh token (RFC 6749 section 6). A new one is discarded only if it's for a different user or client, because the
 * provider no longer takes the present one. An ID token is optional, and used if {@link checkRenewedIdToken} verifies it. `parameters`
 * say what the access token is for.
 *
 * Throws {@link ProblemError} if the response says nothing about the session, such as `offline` or a response that
 * isn't a token response. The session then stays as it is.
 */
export async function renewTokens(
  client: TokenClient,
  metadata: Metadata,
  keys: KeySource,
  tokens: AccessTokenSet & { readonly refreshToken: string },
  authentication: Authentication,
  dpopKey: CryptoKeyPair | null = null,
  parameters: Readonly<Record<string, string>> = toOwnParameters(client.provider, {}),
): Promise<TokenAnswer> {
  if (tokens.type === 'DPoP' && dpopKey === null)
    return {
      outcome: 'refused',
      problem: new ProblemError('expired', detail`${step}: the key of the tokens is gone`),
    };
  let received = null as Response | null;
  const send = async (proof: oauth.DPoPRequestOptions) => {
    const { oauthClient, authentication: method, tokenOptions } = client;
    const options = { ...tokenOptions, ...proof, additionalParameters: parameters };
    const { refreshToken } = tokens;
    received = await oauth.refreshTokenGrantRequest(metadata, oauthClient, method, refreshToken, options);
    return received.clone();
  };
  let answer: oauth.TokenEndpointResponse | ProblemError;
  try {
    answer = await requestTokens(client, dpopKey, send);
  } catch (error) {
    answer = toProblemError(client, step, error);
    const refused = findRefused(client, answer);
    if (refused !== null) return { outcome: 'refused', problem: refused };
  }
  const members = parseObject((await received?.text()) ?? '') ?? {};
  const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken } = members;
  if (answer instanceof ProblemError && typeof refreshToken !== 'string') throw answer;
  const checked =
    typeof idToken === 'string'
      ? await checkRenewedIdToken(client, metadata, keys, authentication, idToken, String(accessToken))
      : null;
  if (checked !== null && 'problem' in checked) return checked;
  if (answer instanceof ProblemError)
    return {
      outcome: 'refresh-token-only',
      tokens: { ...tokens, refreshToken: String(refreshToken) },
      problem: new ProblemError('provider-unreachable', answer.detail, { cause: answer.cause }),
    };
  const grantedScope = answer.scope ?? null;
  if (isWider(client.provider, parameters['scope'], grantedScope)) tellOfWidth(client, step);
  const { id_token: _unchecked, ...usable } = answer;
  const renewed = toTokenSet(usable, client.world.nowMs(), tokens);
  return {
    outcome: 'renewed',
    tokens: checked?.outcome === 'verified' ? { ...renewed, idToken: String(idToken) } : renewed,
    grantedScope,
  };
}

const step = detail`renewal`;

/** The codes that are about what the access token is for, and never about the refresh token (RFC 6749 section 6, RFC 8707 section 2). */
const aboutParameters: readonly (string | null)[] = ['invalid_scope', 'invalid_target'];

/**
 * The problem of a response that refuses the refresh token; null if it doesn't. Any error code of a 4xx does, except those that
 * pass or are about the proof: many servers use `invalid_request` or `invalid_client` for a dead token (Better Auth:
 * https://github.com/better-auth/better-auth/pull/8103). The silent sign-in then shows the truth; plain OAuth 2 has none, so there
 * such a code ends nothing. A 400 or 401 without a code refuses it too, unless it's a web page, which a proxy may have sent. The
 * problem is `expired`, or `provider-misconfigured` for a code that is about the parameters.
 */
function findRefused({ provider: { userApi } }: ProviderClient, error: ProblemError): ProblemError | null {
  const { cause } = error;
  const refusal = findRefusal(cause);
  const inError = cause instanceof Error && cause.cause;
  const response = cause instanceof oauth.ResponseBodyError ? cause.response : inError;
  if (!(response instanceof Response)) return null;
  const isRefused =
    refusal === null
      ? isBareRefusal(response)
      : refusal === 'refused' || (refusal === 'registration-broken' && userApi === null);
  if (!isRefused) return null;
  if (aboutParameters.includes(findOAuthError(error))) return error;
  return new ProblemError('expired', detail`renewal: HTTP ${response.status}`, { cause });
}

function isBareRefusal(response: Response): boolean {
  const { status, headers } = response;
  const mayBe = (status === 400 || status === 401) && !headers.has('retry-after');
  return mayBe && toUnreadableCode(response) !== 'provider-unreachable';
}
