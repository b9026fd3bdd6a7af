// The token of an API that has one of its own: requested with the session's refresh token when the feature first calls the API, and
// again when it ends.

import type { Api } from '../../config/provider.ts';
import { toApiKey, toApiParameters } from '../../oidc/access.ts';
import { withTenantIssuer } from '../../oidc/issuer.ts';
import { renewTokens, type TokenRenewal } from '../../oidc/renew.ts';
import { words } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { findApi, type SignedIn } from '../record/record.ts';
import { findOauth, noteTry, type RenewalParts } from './new-tokens.ts';
import { revokeOnFailure } from './revoke-on-failure.ts';

/**
 * The session as an API sees it: with the token for that API. Null if there is none. Without an API, the session itself, with
 * the token of the sign-in.
 */
export function viewFor(session: SignedIn, api: Api | null): SignedIn | null {
  if (api === null) return session;
  const { token } = findApi(session, toApiKey(api));
  const { tokens } = session;
  return token === null || tokens.type === 'id_token'
    ? null
    : { ...session, tokens: { ...tokens, ...token } };
}

/**
 * Requests the token of an API, and stores it. `gone` if the record holds another session or none by then. Throws
 * {@link ProblemError}, as {@link requestApiToken} does.
 */
export async function obtainApiToken(
  parts: RenewalParts,
  session: SignedIn,
  access: ProviderAccess,
  api: Api,
): Promise<TokenRenewal | 'gone'> {
  const { key, additionalScope } = findApi(session, toApiKey(api));
  const sent = { renewalSentAtMs: parts.nowMs() };
  const { records } = parts;
  if (access.client.world.isOnline() && (await noteTry(records, session, sent)) === 'gone') return 'gone';
  const answer = await requestApiToken(parts, session, access, api, additionalScope);
  const refreshToken = answer.outcome === 'renewed' ? answer.tokens.refreshToken : null;
  if (answer.outcome !== 'renewed' || refreshToken === null) return answer;
  const tokens = { ...answer.tokens, refreshToken };
  await records.dispatch({ type: 'api-granted', cause: session, api: { key, additionalScope }, tokens });
  return answer;
}

/**
 * Requests a token for an API (RFC 6749 section 6, RFC 8707 section 2.2) with the refresh token of a session, or of the result of
 * a sign-in. `additionalScope` is requested beyond the configured one. A refresh token in an answer that is not used is queued
 * for revocation. Throws {@link ProblemError}: `not-supported` without a refresh token, and what `renewTokens` throws.
 */
export async function requestApiToken(
  parts: Pick<RenewalParts, 'oauthTokens' | 'revocations'>,
  holder: Pick<SignedIn, 'tokens' | 'profile' | 'issuer' | 'originalClaims' | 'dpopKey'>,
  access: ProviderAccess,
  api: Api,
  additionalScope: string,
): Promise<TokenRenewal> {
  const { tokens, profile, issuer, originalClaims, dpopKey } = holder;
  const { client, keys } = access;
  const { refreshToken } = tokens;
  if (tokens.type === 'id_token' || refreshToken === null)
    throw new ProblemError('not-supported', words`token for an API: there is no refresh token`);
  const metadata = withTenantIssuer(await access.metadata(), issuer);
  const redeem = findOauth(parts, access)?.renew ?? renewTokens;
  const authentication = { subject: profile.subject, claims: originalClaims };
  const parameters = toApiParameters(api, additionalScope);
  const sent = redeem(
    client,
    metadata,
    keys,
    { ...tokens, refreshToken },
    authentication,
    dpopKey,
    parameters,
  );
  const answer = await revokeOnFailure(parts.revocations, access, sent);
  if ('dropped' in answer && answer.dropped !== null) await parts.revocations.drop(access, answer.dropped);
  return answer;
}
