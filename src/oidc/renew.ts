// A refresh token becomes a new token set of the same person.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import { findExclusion } from './allowed.ts';
import { detectWrongClock } from './clock.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, withProof } from './dpop.ts';
import { abandonToken } from './end.ts';
import { toUnreadableCode } from './exchange.ts';
import { checkIdToken, verifySignature, type KeySource } from './id-token.ts';
import { toResourceParameters } from './redeem.ts';
import { isTransient, toProblemErrors, toErrorCode } from './rejection.ts';
import { toTokenSet, type TokenSet } from './tokens.ts';

/** The provider has renewed the tokens of one person with those of another: the session is not to go on. */
export class AnotherSubject extends ProblemError {
  constructor() {
    super('response-rejected', 'renewal: another subject [sub]');
  }
}

/**
 * Redeems the refresh token (RFC 6749 section 6). A renewed ID token must be of the same issuer, audience and
 * subject (OpenID Connect Core 12.2), and of a person who is still let in; a provider need not send one, and one whose
 * signature cannot be verified for want of a network is not kept.
 *
 * Throws {@link ProblemError}. Three of them end a session: `expired` when the provider itself refuses the
 * refresh token, or when the key that it is bound to is gone, `not-permitted`, and {@link AnotherSubject}; the
 * refresh token is revoked by the last two. Anything else leaves the session as it is.
 */
export function renewTokens(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  tokens: TokenSet & { readonly refreshToken: string },
  subject: string,
  dpopKey: CryptoKeyPair | null = null,
): Promise<TokenSet> {
  const { options, world, provider } = client;
  const redeem = async (proof: oauth.DPoPRequestOptions) => {
    const response = await oauth.refreshTokenGrantRequest(
      metadata,
      client.oauthClient(),
      oauth.None(),
      tokens.refreshToken,
      { ...options, ...proof, additionalParameters: toResourceParameters(provider) },
    );
    const copy = response.clone();
    try {
      const answer = await oauth.processRefreshTokenResponse(metadata, client.oauthClient(), response);
      return { response, answer };
    } catch (cause) {
      if (oauth.isDPoPNonceError(cause) || !(await isRefusal(copy))) throw cause;
      throw new ProblemError('expired', `renewal: HTTP ${copy.status}`, { cause });
    }
  };
  const verify = async () => {
    if (tokens.type === 'DPoP' && dpopKey === null)
      throw new ProblemError('expired', 'renewal: the key of the tokens is gone');
    const { response, answer } = await withProof(client, dpopKey, redeem);
    expectTokenType(provider, answer, dpopKey);
    const renewed = toTokenSet(answer, world.nowMs(), tokens);
    if (answer.id_token === undefined) return renewed;
    const claims = await checkIdToken(client, answer);
    const isVerified = await canVerify(metadata, keys, response);
    const refusal = claims.sub === subject ? findExclusion(provider, claims) : new AnotherSubject();
    if (refusal !== null) {
      abandonToken(client, metadata, renewed.refreshToken);
      throw refusal;
    }
    return isVerified ? renewed : { ...renewed, idToken: tokens.idToken };
  };
  return toProblemErrors('renewal', () => detectWrongClock(client, verify));
}

/**
 * Whether the ID token could be verified. Where its key cannot be had now, the tokens are kept without it: the old
 * refresh token may be spent, and the answer has come from the token endpoint itself (OpenID Connect Core 3.1.3.7).
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
 * Whether an answer that is no token answer refuses the refresh token. Providers do so with `invalid_grant`
 * (RFC 6749 section 5.2), with other errors, or with no body at all; so a 400 or 401 does, unless it names a
 * fault of the request, of the registration, of the proof or of the provider itself, or is a page, which may
 * come from anything in between.
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
    // What cannot be read names no other fault.
    return undefined;
  }
}
