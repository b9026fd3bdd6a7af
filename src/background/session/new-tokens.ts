// The ways to new tokens: the refresh token, then silent sign-in; and silent sign-in ahead of time for refresh tokens
// with a fixed lifetime. Plain OAuth 2 has no silent sign-in: there an access token without a refresh token is checked.

import { toOwnParameters } from '../../oidc/access.ts';
import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import { withTenantIssuer } from '../../oidc/tenant-issuer.ts';
import { findOAuthError, isInteractionRequired, isLoginRequired, isTransient } from '../../oidc/rejection.ts';
import { renewTokens, type TokenAnswer } from '../../oidc/renew.ts';
import { isStale } from '../../oidc/tokens.ts';
import { detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { revokeOnFailure } from '../provider/revoke-on-failure.ts';
import { isDue } from '../record/pause.ts';
import { isSameTokens, toAdditional, type StoredSession } from '../record/record.ts';
import type { FormerToken, Tried } from '../record/event.ts';
import type { Records } from '../vault/records.ts';
import type { Ended, Renewed } from './oauth-tokens.ts';
import type { SessionParts } from './parts.ts';

/** Share of the refresh token's lifetime before silent sign-in is tried. */
const silentRenewalShare = 0.75;
/** The pause between two attempts ahead of time. */
const aheadPauseMs = 10 * 60_000;

/** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
export function isRefreshTokenEnding(
  { authenticatedAtMs, silentTriedAtMs }: StoredSession,
  { client: { provider } }: ProviderAccess,
  nowMs: number,
): boolean {
  const { refreshTokenSeconds } = provider;
  if (refreshTokenSeconds === null) return false;
  const goodForMs = refreshTokenSeconds * 1000 * silentRenewalShare;
  return (
    isDue(authenticatedAtMs + goodForMs, goodForMs, nowMs) &&
    (silentTriedAtMs === null || isDue(silentTriedAtMs + aheadPauseMs, aheadPauseMs, nowMs))
  );
}

/**
 * Tries each way in turn; null if the present tokens are still good, or the record holds others or none. `isRefused` says that an
 * API rejected them before they expired. Throws {@link ProblemError} if no way worked this time, which leaves the session as it is.
 */
export async function obtainTokens(
  parts: SessionParts,
  session: StoredSession,
  access: ProviderAccess,
  isRefused: boolean,
): Promise<Renewed | Ended | null> {
  const ahead = isRefreshTokenEnding(session, access, parts.nowMs())
    ? await renewEarly(parts, session, access)
    : null;
  if (ahead !== null) return ahead;
  const { tokens } = session;
  if (!isRefused && !isStale(tokens, parts.nowMs())) return null;
  if (tokens.refreshToken === null) {
    const oauth = access.client.provider.userApi && parts.oauthTokens;
    return oauth?.check(session, access) ?? signInSilently(parts, session, access, 'works');
  }
  const { dpopKey, authenticatedAtMs, originalClaims } = session;
  const parameters = toOwnParameters(access.client.provider, { own: session.additionalScope });
  const noteSent = () => markRequest(parts, session, access);
  const answer = await redeemRefreshToken(parts, session, access, parameters, noteSent);
  if (answer === 'gone') return null;
  switch (answer.outcome) {
    case 'renewed': {
      const renewed = { tokens: answer.tokens, dpopKey, authenticatedAtMs, originalClaims };
      return { outcome: 'renewed', renewed, former: 'used' };
    }
    case 'ended':
      return { outcome: 'ended', problem: answer.problem, former: 'works' };
    case 'refused':
      return signInSilently(parts, session, access, 'used');
    case 'rejected':
      return signInSilently(parts, session, access, 'works').catch(() => {
        // The provider's wrong answer is the real reason, and says more.
        throw answer.problem;
      });
  }
}

/**
 * Redeems the refresh token of a session, or of the result of a sign-in, unless `maySend` says, when everything else is there, that
 * it is gone. `parameters` are those of `renewTokens`. A refresh token in an answer that is not used is queued for revocation.
 * Throws {@link ProblemError}: `not-supported` without a refresh token, and what `renewTokens` throws.
 */
export async function redeemRefreshToken(
  { revocations }: Pick<SessionParts, 'revocations'>,
  holder: Pick<StoredSession, 'tokens' | 'profile' | 'issuer' | 'originalClaims' | 'dpopKey'>,
  access: ProviderAccess,
  parameters: Readonly<Record<string, string>>,
  maySend: () => Promise<'kept' | 'gone'>,
): Promise<TokenAnswer | 'gone'> {
  const { profile, issuer, originalClaims, dpopKey } = holder;
  const { client, keys } = access;
  const { refreshToken } = holder.tokens;
  if (holder.tokens.type === 'id_token' || refreshToken === null)
    throw new ProblemError('not-supported', detail`renewal: there is no refresh token`);
  const tokens = { ...holder.tokens, refreshToken };
  const metadata = withTenantIssuer(await access.metadata(), issuer);
  if ((await maySend()) === 'gone') return 'gone';
  const authentication = { subject: profile.subject, claims: originalClaims };
  const sent = renewTokens(client, metadata, keys, tokens, authentication, dpopKey, parameters);
  const answer = await revokeOnFailure(revocations, access, sent);
  if ('dropped' in answer && answer.dropped !== null) await revocations.drop(access, answer.dropped);
  return answer;
}

/**
 * Stores that the refresh token is about to be sent. If that cannot be stored, nothing may be sent: the answer could not be stored
 * either. Without a network the token stays here.
 */
export async function markRequest(
  { records, nowMs }: Pick<SessionParts, 'records' | 'nowMs'>,
  session: StoredSession,
  { client }: ProviderAccess,
): Promise<'kept' | 'gone'> {
  return client.world.isOnline() ? markAttempt(records, session, { renewalSentAtMs: nowMs() }) : 'kept';
}

/**
 * Signs the user in silently for new tokens; null if the record holds others or none. Ends the session if the provider wants to see the user. Throws
 * {@link ProblemError} for any other failure.
 */
async function signInSilently(
  { records, signIn, revocations, nowMs }: SessionParts,
  session: StoredSession,
  access: ProviderAccess,
  former: FormerToken,
): Promise<Renewed | Ended | null> {
  // Stored before it is sent, so that it isn't repeated ahead of time at each start if the worker dies before the answer. A
  // refresh token that was sent just now was answered.
  const { renewalSentAtMs } = session;
  const tried: Tried = { silentTriedAtMs: nowMs(), renewalSentAtMs };
  if ((await markAttempt(records, session, tried)) === 'gone') return null;
  try {
    const { tokens, issuer, profile, dpopKey, originalClaims } = await signIn.silently(
      access,
      toSilentOptions(session, access),
    );
    if (issuer === session.issuer && profile.subject === session.profile.subject) {
      const renewed = { tokens, dpopKey, authenticatedAtMs: nowMs(), originalClaims };
      return { outcome: 'renewed', renewed, former };
    }
    await revocations.discard({ ...session, issuer, profile, tokens });
    return { outcome: 'ended', problem: new ProblemError('expired'), former };
  } catch (error) {
    const problem = findEnd(session, former, error);
    if (problem === null) throw error;
    return { outcome: 'ended', problem, former };
  }
}

/**
 * New tokens before the refresh token expires. Null if the present ones stay: silent sign-in failed, or brought no refresh
 * token. Ends the session only if the user is no longer allowed, or signed out at the provider with `endWithProvider` set.
 */
async function renewEarly(
  parts: SessionParts,
  session: StoredSession,
  access: ProviderAccess,
): Promise<Renewed | Ended | null> {
  // The present tokens are used as long as they last.
  const result = await signInSilently(parts, session, access, 'works').catch(() => null);
  // The session could not be renewed without a refresh token, and the present one is good for a while.
  const isWorse = result?.outcome === 'renewed' && isWithout(result.renewed) && !isWithout(session);
  const stays = result?.outcome === 'ended' && !endsEarly(access, result.problem);
  return isWorse || stays ? null : result;
}

/** Whether this ends the session although its tokens are still good. */
function endsEarly({ client: { provider } }: ProviderAccess, { code, cause }: ProblemError): boolean {
  return code === 'not-permitted' || (provider.endWithProvider && isLoginRequired(cause));
}

/** Stores that the tokens are about to be renewed; `gone` if it is no longer this very session. Rejects if that fails. */
export async function markAttempt(
  records: Pick<Records, 'dispatch'>,
  session: StoredSession,
  tried: Tried,
): Promise<'kept' | 'gone'> {
  const held = await records.dispatch({ type: 'renewal-tried', cause: session, tried });
  return isSameTokens(held.session, session) ? 'kept' : 'gone';
}

/** The options of a silent request for the user of the session. */
export function toSilentOptions(
  session: StoredSession,
  { client }: ProviderAccess,
): Omit<AuthorizationOptions, 'prompt'> {
  const { tokens, profile } = session;
  return {
    loginHint: profile.email ?? undefined,
    // It may have expired. An ID token that APIs accept stays out of every address.
    idTokenHint: tokens.type === 'id_token' ? undefined : (tokens.idToken ?? undefined),
    additional: toAdditional(session, client.provider),
  };
}

function isWithout({ tokens }: Pick<StoredSession, 'tokens'>): boolean {
  return tokens.refreshToken === null;
}

/** The problem to end the session with after a failed silent sign-in; null if the provider could not be asked. */
function findEnd(session: StoredSession, former: FormerToken, error: unknown): ProblemError | null {
  if (error instanceof ProblemError && error.code === 'not-permitted') return error;
  const isOver =
    isInteractionRequired(error) ||
    // The browser says so: the provider showed a page.
    (error instanceof ProblemError && error.code === 'expired') ||
    // The refresh token was refused as well, or there is none and the provider says no: only a network failure is worth
    // another try.
    ((former === 'used' || (isWithout(session) && findOAuthError(error) !== null)) && !isTransient(error));
  if (!isOver) return null;
  // Distinguishes a session that the provider ended from one that was lost on the way: the provider may have replaced the refresh
  // token in an answer that never arrived.
  const isLost = former === 'used' && session.renewalSentAtMs !== null;
  const reason = isLost ? detail`renewal: the answer to an earlier renewal may have been lost` : null;
  return new ProblemError('expired', reason, { cause: error });
}
