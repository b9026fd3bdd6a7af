// The token of an API that has one of its own: requested with the session's refresh token when the feature first calls the API, and
// again when it ends.

import type { Api } from '../../config/provider.ts';
import { toApiKey, toApiParameters } from '../../oidc/access.ts';
import type { TokenAnswer } from '../../oidc/renew.ts';
import { findApi, isSameTokens, type StoredSession } from '../record/record.ts';
import { markRequest, redeemRefreshToken } from './new-tokens.ts';
import type { SessionParts } from './parts.ts';
import type { UsableSession } from './permission.ts';

/**
 * The session as an API sees it: with the token for that API. Null if there is none. Without an API, the session itself, with
 * the token of the sign-in.
 */
export function viewFor(session: StoredSession, api: Api | null): StoredSession | null {
  if (api === null) return session;
  const { token } = findApi(session, toApiKey(api));
  const { tokens } = session;
  return token === null || tokens.type === 'id_token'
    ? null
    : { ...session, tokens: { ...tokens, ...token } };
}

/**
 * Requests the token of an API (RFC 6749 section 6, RFC 8707 section 2.2), and stores it. `gone` if the record holds another
 * session, none, or other tokens by then. Throws {@link ProblemError}, as {@link redeemRefreshToken} does.
 */
export async function obtainApiToken(
  parts: SessionParts,
  { session, access }: UsableSession,
  api: Api,
): Promise<TokenAnswer | 'gone'> {
  const { key, additionalScope } = findApi(session, toApiKey(api));
  const noteSent = () => markRequest(parts, session, access);
  const parameters = toApiParameters(api, additionalScope);
  const answer = await redeemRefreshToken(parts, session, access, parameters, noteSent);
  if (answer === 'gone' || answer.outcome !== 'renewed') return answer;
  const held = await parts.records.dispatch({
    type: 'api-granted',
    cause: session,
    api: { key, additionalScope },
    tokens: answer.tokens,
  });
  const next = { id: session.id, generation: session.generation + 1 };
  return isSameTokens(held.session, next) ? answer : 'gone';
}
