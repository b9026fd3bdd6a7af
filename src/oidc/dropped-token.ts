// Remembers the refresh token of a token response that fails a check. It belongs to no session, but it works, so the
// caller must revoke it.

import { parseObject, readClaims } from './encoding.ts';

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

/**
 * Runs the checks of a token response, which must pass on the response before they read it. If they throw,
 * {@link findDroppedToken} finds the token of that response in the error.
 */
export async function withDroppedToken<T>(
  check: (received: (response: Response) => void) => Promise<T>,
  kind: DroppedKind = 'refresh-token',
): Promise<T> {
  let copy: Response | null = null;
  const received = (response: Response) => {
    copy = response.clone();
  };
  try {
    return await check(received);
  } catch (error) {
    const dropped = copy === null ? null : await readDroppedToken(copy, kind);
    if (dropped !== null && error instanceof Error) droppedTokens.set(error, dropped);
    throw error;
  }
}

/** The refresh token; or, if there is none, any token: the access token, which may never expire then. */
type DroppedKind = 'refresh-token' | 'any-token';

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
