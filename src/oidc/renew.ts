// Renews a session's tokens with its refresh token.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import { findExclusion } from './allowed.ts';
import { detectWrongClock } from './clock.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, isProofRejected, withProof } from './dpop.ts';
import { abandonToken } from './end.ts';
import { toUnreadableCode } from './exchange.ts';
import { checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import { toResourceParameters } from './redeem.ts';
import { isTransient, toProblemErrors, toErrorCode } from './rejection.ts';
import { toTokenSet, type TokenSet } from './tokens.ts';

/**
 * The provider's answer to a refresh token:
 * - `renewed`: new tokens of the same person;
 * - `refused`: the refresh token is of no use any more, though the person may still be signed in at the provider;
 * - `ended`: the new tokens belong to another person (`response-rejected`), or to one who is no longer allowed
 *   (`not-permitted`). They are being revoked, and the session must end.
 */
export type TokenRenewal =
  | { readonly outcome: 'renewed'; readonly tokens: TokenSet }
  | { readonly outcome: 'refused'; readonly problem: ProblemError }
  | { readonly outcome: 'ended'; readonly problem: ProblemError };

/**
 * Redeems the refresh token (RFC 6749 section 6). A renewed ID token must have the same issuer, audience and
 * subject (OpenID Connect Core 12.2), and its person must still be allowed. A provider need not send one, and one
 * whose signature cannot be verified while the network is down is not kept.
 *
 * Throws {@link ProblemError} if the answer says nothing about the session, such as `offline` or an answer that
 * fails a check. The session then stays as it is.
 */
export function renewTokens(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  tokens: TokenSet & { readonly refreshToken: string },
  subject: string,
  dpopKey: CryptoKeyPair | null = null,
): Promise<TokenRenewal> {
  const { world, provider } = client;
  const renew = async (): Promise<TokenRenewal> => {
    if (tokens.type === 'DPoP' && dpopKey === null) return refused('renewal: the key of the tokens is gone');
    const redeemed = await withProof(client, dpopKey, (proof) => redeem(client, metadata, tokens, proof));
    if ('outcome' in redeemed) return redeemed;
    const { response, answer } = redeemed;
    expectTokenType(provider, answer, dpopKey);
    const renewed = toTokenSet(answer, world.nowMs(), tokens);
    if (answer.id_token === undefined) return { outcome: 'renewed', tokens: renewed };
    const claims = await checkIdToken(client, answer);
    const isVerified = await canVerify(metadata, keys, response);
    const problem = claims.sub === subject ? findExclusion(provider, claims) : anotherSubject();
    if (problem !== null) {
      abandonToken(client, metadata, renewed.refreshToken);
      return { outcome: 'ended', problem };
    }
    return { outcome: 'renewed', tokens: isVerified ? renewed : { ...renewed, idToken: tokens.idToken } };
  };
  return toProblemErrors('renewal', () => detectWrongClock(client, renew));
}

interface Redeemed {
  readonly response: Response;
  readonly answer: oauth.TokenEndpointResponse;
}

async function redeem(
  { options, provider, oauthClient }: ProviderClient,
  metadata: Metadata,
  { refreshToken }: { readonly refreshToken: string },
  proof: oauth.DPoPRequestOptions,
): Promise<Redeemed | (TokenRenewal & { readonly outcome: 'refused' })> {
  const response = await oauth.refreshTokenGrantRequest(metadata, oauthClient(), oauth.None(), refreshToken, {
    ...options,
    ...proof,
    additionalParameters: toResourceParameters(provider),
  });
  const copy = response.clone();
  try {
    return { response, answer: await oauth.processRefreshTokenResponse(metadata, oauthClient(), response) };
  } catch (cause) {
    if (oauth.isDPoPNonceError(cause) || isProofRejected(cause) || !(await isRefusal(copy))) throw cause;
    return refused(`renewal: HTTP ${copy.status}`, cause);
  }
}

function refused(detail: string, cause?: unknown): TokenRenewal & { readonly outcome: 'refused' } {
  return { outcome: 'refused', problem: new ProblemError('expired', detail, { cause }) };
}

function anotherSubject(): ProblemError {
  return new ProblemError('response-rejected', 'renewal: another subject [sub]');
}

/**
 * Whether the ID token's signature was verified. False if the provider's keys cannot be fetched now: the tokens are
 * then kept without the ID token, because the old refresh token may be spent, and the answer came from the token
 * endpoint itself (OpenID Connect Core 3.1.3.7). Throws {@link ProblemError} for a wrong signature.
 */
async function canVerify(metadata: Metadata, keys: KeySource, response: Response): Promise<boolean> {
  try {
    await verifySignature(metadata, keys, response);
    return true;
  } catch (error) {
    if (isTransient(error)) return false;
    throw error;
  }
}

/**
 * Whether an error answer refuses the refresh token. Providers do so with `invalid_grant` (RFC 6749 section 5.2),
 * with other errors, or without a body. So any 400 or 401 does, unless it names a fault of the request, the
 * registration, the proof or the provider itself, or is a web page, which a proxy may have sent.
 */
async function isRefusal(answer: Response): Promise<boolean> {
  if (answer.status !== 400 && answer.status !== 401) return false;
  if (toUnreadableCode(answer) === 'provider-unreachable') return false;
  const error = readOAuthError(await answer.text());
  return error !== 'invalid_dpop_proof' && !otherFaults.includes(toErrorCode(error));
}

const otherFaults: readonly string[] = ['provider-misconfigured', 'provider-unreachable'];

function readOAuthError(body: string): unknown {
  try {
    return (JSON.parse(body) as { error?: unknown }).error;
  } catch {
    // An unreadable body names no other fault.
    return undefined;
  }
}
