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
 * {@link findDroppedToken} finds the token of that response in the error, as `read` finds it.
 */
export async function withDroppedToken<T>(
  check: (received: (response: Response) => void) => Promise<T>,
  read = readDroppedToken,
): Promise<T> {
  let copy: Response | null = null;
  const received = (response: Response) => {
    copy = response.clone();
  };
  try {
    return await check(received);
  } catch (error) {
    const dropped = copy === null ? null : await read(copy);
    if (dropped !== null && error instanceof Error) droppedTokens.set(error, dropped);
    throw error;
  }
}

/** The refresh token of a token response; null if it brought none. */
export async function readDroppedToken(response: Response): Promise<DroppedToken | null> {
  const answer = parseObject(await response.text());
  const { refresh_token: refreshToken, id_token: idToken } = answer ?? {};
  if (typeof refreshToken !== 'string' || refreshToken === '') return null;
  const { iss, sub } = (typeof idToken === 'string' && readClaims(idToken)) || {};
  return {
    refreshToken,
    issuer: typeof iss === 'string' ? iss : null,
    subject: typeof sub === 'string' ? sub : null,
  };
}

/** The same; if there is no refresh token, the access token, which may never expire then. */
export async function readDroppedGrant(response: Response): Promise<DroppedToken | null> {
  const dropped = await readDroppedToken(response.clone());
  const accessToken = parseObject(await response.text())?.['access_token'];
  if (dropped !== null || typeof accessToken !== 'string' || accessToken === '') return dropped;
  return { refreshToken: accessToken, issuer: null, subject: null };
}
