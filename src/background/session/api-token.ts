// The token of an API that has one of its own: requested with the session's refresh token when the feature first calls the API, and
// again when it ends.

import type { Api } from '../../config/provider.ts';
import type { DropToken } from '../provider/run-flow.ts';
import type { Records } from '../record/records.ts';
import { type UsableSession, markRequest, redeemRefreshToken } from './usable.ts';
import type { TokenAnswer } from '../../oidc/renew.ts';
import { findApi, isSameTokens } from '../record/record.ts';
import { toApiKey, toApiParameters } from '../../oidc/authorize.ts';

/**
 * Requests the token of an API (RFC 6749 section 6, RFC 8707 section 2.2), and stores it. `gone` if the record holds another
 * session, none, or other tokens by then. Throws {@link ProblemError}, as {@link redeemRefreshToken} does.
 */
export async function obtainApiToken(
  revocations: DropToken,
  records: Pick<Records, 'dispatch' | 'dispatchOrHold'>,
  { session, access }: UsableSession,
  api: Api,
): Promise<TokenAnswer | 'gone'> {
  const { key, additionalScope } = findApi(session, toApiKey(api));
  const noteSent = () => markRequest(records, session, access);
  const parameters = toApiParameters(api, additionalScope);
  const answer = await redeemRefreshToken(revocations, session, access, parameters, noteSent);
  if (answer === 'gone') return answer;
  if (answer.outcome === 'refresh-token-only') {
    const renewed = { ...session, tokens: answer.tokens };
    await records.dispatchOrHold({ type: 'renewed', cause: session, renewed, former: 'used' });
  }
  if (answer.outcome !== 'renewed') return answer;
  const held = await records.dispatchOrHold({
    type: 'api-granted',
    cause: session,
    api: { key, additionalScope },
    tokens: answer.tokens,
  });
  const next = { id: session.id, generation: session.generation + 1 };
  return isSameTokens(held.session, next) ? answer : 'gone';
}
