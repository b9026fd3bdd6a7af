// Sends a token request, and remembers the refresh token of an answer that fails a check. It belongs to no session, but it
// works, so the caller must revoke it.

import type { DPoPRequestOptions } from 'oauth4webapi';
import type { Detail } from '../session/detail.ts';
import { withProof } from './dpop.ts';
import { parseObject, readClaims } from './encoding.ts';
import type { ProviderClient } from './provider-client.ts';
import { toProblemErrors } from './rejection.ts';

/** A refresh token, or with plain OAuth 2 perhaps an access token, that was received and must not be used. */
export interface DroppedToken {
  readonly refreshToken: string;
  /** `iss` and `sub` of the ID token beside it, which may be unverified; null if they cannot be read. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** By the error of its answer. It isn't part of the error, so that no log shows it. */
const droppedTokens = new WeakMap<Error, DroppedToken>();

/** The refresh token behind an error, or behind one of its causes; null if there is none. */
export function findDroppedToken(error: unknown): DroppedToken | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const dropped = droppedTokens.get(current);
    if (dropped !== undefined) return dropped;
  }
  return null;
}

/** The refresh token; or, if there is none, any token: the access token, which may never expire then. */
type DroppedKind = 'refresh-token' | 'any-token';

interface TokenRequest<T> {
  /** Names the request in a problem. */
  readonly step: Detail;
  /** The key to bind the tokens to; null for none. */
  readonly dpopKey: CryptoKeyPair | null;
  /** The token that must be revoked if `read` throws. */
  readonly drops: DroppedKind;
  send(proof: DPoPRequestOptions): Promise<Response>;
  /** Reads the answer with all of its checks. */
  read(response: Response): Promise<T>;
}

/**
 * Sends a request for tokens, with a proof if there is a key, and returns what `read` makes of the answer. If that throws,
 * {@link findDroppedToken} finds the token of the answer in the error. Throws {@link ProblemError}.
 */
export async function requestTokens<T>(
  client: ProviderClient,
  { step, dpopKey, drops, send, read }: TokenRequest<T>,
): Promise<T> {
  let copy = null as Response | null;
  const ask = async (proof: DPoPRequestOptions) => {
    const response = await send(proof);
    copy = response.clone();
    return read(response);
  };
  try {
    return await toProblemErrors(client, step, () => withProof(client, dpopKey, ask));
  } catch (error) {
    const dropped = copy && (await readDroppedToken(copy, drops));
    if (dropped !== null && error instanceof Error) droppedTokens.set(error, dropped);
    throw error;
  }
}

/** The token of a token response that has to be revoked; null if it brought none. */
export async function readDroppedToken(
  response: Response,
  kind: DroppedKind = 'refresh-token',
): Promise<DroppedToken | null> {
  const answer = parseObject(await response.text()) ?? {};
  const { refresh_token, access_token, id_token: idToken } = answer;
  const tokens = kind === 'any-token' ? [refresh_token, access_token] : [refresh_token];
  const token = tokens.find((one) => typeof one === 'string');
  if (token === undefined) return null;
  const { iss, sub } = (typeof idToken === 'string' && readClaims(idToken)) || {};
  return {
    refreshToken: token,
    issuer: typeof iss === 'string' ? iss : null,
    subject: typeof sub === 'string' ? sub : null,
  };
}
