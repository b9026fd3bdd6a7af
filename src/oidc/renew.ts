// Renews a session's tokens with its refresh token.

import * as oauth from 'oauth4webapi';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { isWider, toOwnParameters } from './authorize.ts';
import { type ProviderClient, toUnreadableCode } from './http.ts';
import type { Metadata } from './discover.ts';
import { isProofRejected } from './resource.ts';
import { type KeySource, checkRenewedIdToken, type Authentication } from './id-token.ts';
import { parseObject } from './redirect.ts';
import { tellDevelopers, toErrorCode } from './problems.ts';
import { readDroppedToken, requestTokens, tellOfWidth, type DroppedToken } from './code-flow.ts';
import { toTokenSet, type AccessTokenSet } from './tokens.ts';

/**
 * The provider's answer to a refresh token:
 * - `renewed`: new tokens of the same user;
 * - `refused`: the refresh token no longer works, though the user may still be signed in at the provider;
 * - `rejected`: the renewed ID token is not one for this client and this authentication, so the new tokens are not used.
 *   The refresh token may be spent; the user may still be signed in at the provider;
 * - `ended`: the user is no longer allowed (`not-permitted`). The session must end.
 *
 * The caller must revoke `dropped`, a refresh token of an answer that is not used.
 */
export type TokenAnswer =
  | {
      readonly outcome: 'renewed';
      readonly tokens: AccessTokenSet;
      /** The scope the provider says it granted; null if it says nothing. */
      readonly grantedScope: string | null;
    }
  | { readonly outcome: 'refused'; readonly problem: ProblemError }
  | {
      readonly outcome: 'rejected' | 'ended';
      readonly problem: ProblemError;
      readonly dropped: DroppedToken | null;
    };

/**
 * Redeems the refresh token (RFC 6749 section 6). A renewed ID token must be one of the same authentication (OpenID
 * Connect Core 12.2), and its user must still be allowed. A provider need not send one. If its times are wrong, or the
 * provider's keys aren't available now, the ID token is dropped but the tokens beside it are kept, because the old refresh token
 * may be spent, and the answer came from the token endpoint itself (3.1.3.7). `parameters` say what the access token is for.
 *
 * Throws {@link ProblemError} if the answer says nothing about the session, such as `offline` or an answer that
 * isn't a token response. The session then stays as it is; `findDroppedToken` finds a refresh token in the error.
 */
export async function renewTokens(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  tokens: AccessTokenSet & { readonly refreshToken: string },
  authentication: Authentication,
  dpopKey: CryptoKeyPair | null = null,
  parameters: Readonly<Record<string, string>> = toOwnParameters(client.provider, {}),
): Promise<TokenAnswer> {
  const step = detail`renewal`;
  if (tokens.type === 'DPoP' && dpopKey === null)
    return {
      outcome: 'refused',
      problem: new ProblemError('expired', detail`${step}: the key of the tokens is gone`),
    };
  let received;
  try {
    received = await requestTokens(client, {
      step,
      dpopKey,
      drops: 'refresh-token',
      send: (proof) =>
        oauth.refreshTokenGrantRequest(
          metadata,
          client.oauthClient(),
          client.authentication,
          tokens.refreshToken,
          { ...client.options, ...proof, additionalParameters: parameters },
        ),
      process: (response) => readAnswer(client, metadata, response),
    });
  } catch (error) {
    // Nothing else has this code.
    if (error instanceof ProblemError && error.code === 'expired')
      return { outcome: 'refused', problem: error };
    throw error;
  }
  const { id_token: idToken, ...answer } = received.answer;
  const renewed = toTokenSet(answer, client.world.nowMs(), tokens);
  const grantedScope = answer.scope ?? null;
  if (isWider(client.provider, parameters['scope'], grantedScope)) tellOfWidth(client, step);
  if (idToken === undefined) return { outcome: 'renewed', tokens: renewed, grantedScope };
  const checked = await checkRenewedIdToken(client, metadata, keys, authentication, received.response);
  if ('problem' in checked) return { ...checked, dropped: await readDroppedToken(received.copy) };
  const whole = checked.outcome === 'verified' ? { ...renewed, idToken } : renewed;
  return { outcome: 'renewed', tokens: whole, grantedScope };
}

/**
 * The answer in `response`, which stays unread, and whose ID token is not checked: its faults are not the answer's. Throws
 * {@link ProblemError} `expired` if the provider refuses the refresh token, and what oauth4webapi throws.
 */
async function readAnswer(
  client: ProviderClient,
  metadata: Metadata,
  response: Response,
): Promise<oauth.TokenEndpointResponse> {
  const { id_token: idToken, ...others } = parseObject(await response.clone().text()) ?? {};
  const { status, headers } = response;
  // oauth4webapi names the fault of an answer that is no object.
  const rest =
    idToken === undefined ? response.clone() : new Response(JSON.stringify(others), { status, headers });
  try {
    const answer = await oauth.processRefreshTokenResponse(metadata, client.oauthClient(), rest);
    return idToken === undefined ? answer : { ...answer, id_token: String(idToken) };
  } catch (cause) {
    if (oauth.isDPoPNonceError(cause) || isProofRejected(cause) || !(await isRefusal(response))) throw cause;
    tellDevelopers(client, detail`renewal`, cause);
    throw new ProblemError('expired', detail`renewal: HTTP ${status}`, { cause });
  }
}

/**
 * Whether an error answer refuses the refresh token. Providers do so with `invalid_grant` (RFC 6749 section 5.2),
 * with other errors, or without a body. So any 400 or 401 counts, unless it names a fault of the request, the
 * registration, the proof or the provider itself, or is a web page, which a proxy may have sent.
 */
async function isRefusal(answer: Response): Promise<boolean> {
  if (answer.status !== 400 && answer.status !== 401) return false;
  if (toUnreadableCode(answer) === 'provider-unreachable') return false;
  const error = parseObject(await answer.text())?.['error'];
  return error !== 'invalid_dpop_proof' && !otherFaults.includes(toErrorCode(error));
}

const otherFaults: readonly string[] = ['provider-misconfigured', 'provider-unreachable'];
