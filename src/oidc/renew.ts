// A refresh token becomes a new token set of the same person.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import { findExclusion } from './allowed.ts';
import { blamingClock } from './clock.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discover.ts';
import { expectTokenType, withProof } from './dpop.ts';
import { abandonToken } from './end.ts';
import { toUnreadableCode } from './exchange.ts';
import { verifyIdToken, type KeySource } from './id-token.ts';
import { toResourceParameters } from './redeem.ts';
import { rejecting, toErrorCode } from './rejection.ts';
import { toTokenSet, type TokenSet } from './tokens.ts';

/** The provider has renewed the tokens of one person with those of another: the session is not to go on. */
export class AnotherSubject extends ProblemError {
  constructor() {
    super('response-rejected', 'renewal: another subject [sub]');
  }
}

/**
 * Redeems the refresh token (RFC 6749 section 6). A renewed ID token must be of the same issuer, audience and
 * subject (OpenID Connect Core 12.2), and of a person who is still let in; a provider need not send one.
 *
 * Throws {@link ProblemError}. Three of them end a session: `expired` when the provider itself refuses the
 * refresh token, or when the key that it is bound to is gone, `not-permitted`, and {@link AnotherSubject}; the
 * refresh token is revoked by the last two. Anything else leaves the session as it is.
 */
export function renewTokens(
  connection: Connection,
  metadata: Metadata,
  keys: KeySource,
  tokens: TokenSet & { readonly refreshToken: string },
  subject: string,
  dpopKey: CryptoKeyPair | null = null,
): Promise<TokenSet> {
  const { options, world, provider } = connection;
  const redeem = async (proof: oauth.DPoPRequestOptions) => {
    const response = await oauth.refreshTokenGrantRequest(
      metadata,
      connection.client(),
      oauth.None(),
      tokens.refreshToken,
      { ...options, ...proof, additionalParameters: toResourceParameters(provider) },
    );
    const copy = response.clone();
    try {
      const answer = await oauth.processRefreshTokenResponse(metadata, connection.client(), response);
      return { response, answer };
    } catch (cause) {
      if (oauth.isDPoPNonceError(cause) || !(await isRefusal(copy))) throw cause;
      throw new ProblemError('expired', `renewal: HTTP ${copy.status}`, { cause });
    }
  };
  const verify = async () => {
    if (tokens.type === 'DPoP' && dpopKey === null)
      throw new ProblemError('expired', 'renewal: the key of the tokens is gone');
    const { response, answer } = await withProof(connection, dpopKey, redeem);
    expectTokenType(provider, answer, dpopKey);
    if (answer.id_token !== undefined) {
      const claims = await verifyIdToken(connection, metadata, keys, response, answer);
      const refusal = claims.sub === subject ? findExclusion(provider, claims) : new AnotherSubject();
      if (refusal !== null) {
        abandonToken(connection, metadata, answer.refresh_token ?? tokens.refreshToken);
        throw refusal;
      }
    }
    return toTokenSet(answer, world.nowMs(), tokens);
  };
  return rejecting('renewal', () => blamingClock(connection, verify));
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
  return error === null || !(error === 'invalid_dpop_proof' || otherFaults.includes(toErrorCode(error)));
}

const otherFaults: readonly string[] = ['provider-misconfigured', 'provider-unreachable'];

function readOAuthError(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : null;
  } catch {
    // What cannot be read names no other fault.
    return null;
  }
}
