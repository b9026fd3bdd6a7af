// A refresh token becomes a new token set of the same person.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discover.ts';
import { verifyIdToken, type KeySource } from './id-token.ts';
import { expectBearer, toResourceParameters } from './redeem.ts';
import { findOAuthError, rejecting } from './rejection.ts';
import { toTokenSet, type TokenSet } from './tokens.ts';

/**
 * Redeems the refresh token (RFC 6749 section 6). A renewed ID token must be of the same issuer, audience and
 * subject (OpenID Connect Core 12.2); a provider need not send one.
 *
 * Throws {@link ProblemError}: `expired` when the provider itself refuses the refresh token, which alone ends
 * a session; anything else leaves it as it is.
 */
export function renewTokens(
  connection: Connection,
  metadata: Metadata,
  keys: KeySource,
  tokens: TokenSet & { readonly refreshToken: string },
  subject: string,
): Promise<TokenSet> {
  const { options, world, provider } = connection;
  return rejecting('renewal', async () => {
    const response = await oauth.refreshTokenGrantRequest(
      metadata,
      connection.client(),
      oauth.None(),
      tokens.refreshToken,
      { ...options, additionalParameters: toResourceParameters(provider) },
    );
    const answer = await oauth.processRefreshTokenResponse(metadata, connection.client(), response);
    expectBearer(answer);
    if (answer.id_token !== undefined) {
      const claims = await verifyIdToken(connection, metadata, keys, response, answer);
      if (claims.sub !== subject)
        throw new ProblemError('response-rejected', 'renewal: another subject [sub]');
    }
    return toTokenSet(answer, world.nowMs(), tokens);
  }).catch((error: unknown) => {
    const refusal = findOAuthError(error);
    throw refusal === 'invalid_grant' ? new ProblemError('expired', null, { cause: error }) : error;
  });
}
