// Gets new tokens for a session: with the refresh token, then by silent sign-in, which also runs ahead of time for refresh tokens
// with a fixed lifetime. Plain OAuth 2 has no silent sign-in, so an access token without a refresh token is checked there.

import type { Records } from '../record/records.ts';
import type { SignIn } from '../provider/run-flow.ts';
import type { Revocations } from './revocations.ts';
import type { PlainTokens, Renewed, Ended } from '../part.ts';
import { type StoredSession, type FormerToken, type Tried, findApi, isSameTokens } from '../record/record.ts';
import type { TokenAccess } from '../provider/provider.ts';
import { isDue } from '../record/pause.ts';
import { isStale, renewClaims } from '../../oidc/tokens.ts';
import { toOwnParameters, isUnprovenRefusal, toApiKey, toApiParameters } from '../../oidc/authorize.ts';
import { redeemRefreshToken, type UsableSession } from './usable.ts';
import { ProblemError } from '../../session/problem.ts';
import type { Obtained } from '../../oidc/code-flow.ts';
import { isLoginRequired, isInteractionRequired, findOAuthError, isTransient } from '../../oidc/problems.ts';
import { detail } from '../../session/detail.ts';
import type { Api } from '../../config/provider.ts';
import type { TokenAnswer } from '../../oidc/renew.ts';

export interface NewTokensParts {
  readonly records: Records;
  readonly signIn: Pick<SignIn, 'silently'>;
  readonly revocations: Pick<Revocations, 'receive'>;
  /** Missing in a build whose configuration has no plain OAuth 2. */
  readonly plainTokens?: PlainTokens | undefined;
  readonly nowMs: () => number;
}

/** Share of the refresh token's lifetime before silent sign-in is tried. */
const silentRenewalShare = 0.75;
/** The pause between two attempts ahead of time. */
const aheadPauseMs = 10 * 60_000;

/** Whether the refresh token expires soon, however often it is used, and silent sign-in is to be tried. */
export function isRefreshTokenEnding(
  { session: { authenticatedAtMs, silentTriedAtMs }, access }: UsableSession,
  nowMs: number,
): boolean {
  const { refreshTokenSeconds } = access.client.provider;
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
  parts: NewTokensParts,
  usable: UsableSession<TokenAccess>,
  isRefused: boolean,
): Promise<Renewed | Ended | null> {
  const { session, access } = usable;
  const { provider } = access.client;
  const ahead = isRefreshTokenEnding(usable, parts.nowMs()) ? await renewEarly(parts, usable) : null;
  if (ahead !== null) return ahead;
  const { tokens, dpopKey, authenticatedAtMs, originalClaims, additionalScope, grantedScope } = session;
  if (!isRefused && !isStale(tokens, parts.nowMs())) return null;
  if (tokens.refreshToken === null) {
    const oauth = provider.userApi && parts.plainTokens;
    return oauth?.check(usable) ?? signInSilently(parts, usable, 'works');
  }
  const parameters = toOwnParameters(provider, { own: additionalScope }, grantedScope);
  const answer = await redeemRefreshToken(usable, parameters, () => markRequest(parts.records, usable));
  if (answer === 'gone') return null;
  switch (answer.outcome) {
    case 'renewed': {
      const news = renewClaims(provider, session, answer.tokens);
      const renewed = { tokens: answer.tokens, dpopKey, authenticatedAtMs, originalClaims, ...news };
      return { outcome: 'renewed', renewed, former: 'used' };
    }
    case 'refresh-token-only': {
      const renewed = { tokens: answer.tokens, dpopKey, authenticatedAtMs, originalClaims };
      return { outcome: 'renewed', renewed, former: 'used', problem: answer.problem };
    }
    case 'ended':
      return { outcome: 'ended', problem: answer.problem, former: 'works' };
    case 'refused':
      return signInSilently(parts, usable, 'used');
    case 'rejected':
      return signInSilently(parts, usable, 'works').catch(() => {
        // The faulty response to the renewal is the real reason, and says more.
        throw answer.problem;
      });
  }
}

/**
 * Signs the user in silently for new tokens; null if the record holds others or none. Ends the session if the provider requires the
 * user to interact. Throws {@link ProblemError} for any other failure.
 */
async function signInSilently(
  { records, signIn, nowMs }: NewTokensParts,
  usable: UsableSession<TokenAccess>,
  former: FormerToken,
): Promise<Renewed | Ended | null> {
  const { session, access } = usable;
  // Stored before it is sent, so that it isn't repeated ahead of time at each start if the worker dies before the response. If the
  // refresh token was sent just now, the provider has responded.
  const { renewalSentAtMs } = session;
  const tried: Tried = { silentTriedAtMs: nowMs(), renewalSentAtMs };
  if ((await markAttempt(records, session, tried)) === 'gone') return null;
  try {
    const obtained = await usable.askSilently(signIn.silently);
    const { tokens, issuer, profile, dpopKey, originalClaims } = await narrow(session, access, obtained);
    if (issuer === session.issuer && profile.subject === session.profile.subject) {
      const news = renewClaims(access.client.provider, session, tokens);
      const renewed = { tokens, dpopKey, authenticatedAtMs: nowMs(), originalClaims, ...news };
      return { outcome: 'renewed', renewed, former };
    }
    return { outcome: 'ended', problem: new ProblemError('expired'), former };
  } catch (error) {
    const problem = findEnd(session, former, error);
    if (problem === null) throw error;
    return { outcome: 'ended', problem, former };
  }
}

/** The result of a silent sign-in, with a token for the sign-in's APIs alone: see `narrowFirst`. Throws {@link ProblemError}. */
async function narrow(
  { additionalScope }: StoredSession,
  access: TokenAccess,
  obtained: Obtained,
): Promise<Obtained> {
  if (obtained.tokens.expiresAtMs > 0) return obtained;
  const parameters = toOwnParameters(access.client.provider, { own: additionalScope }, obtained.grantedScope);
  const answer = await redeemRefreshToken({ session: obtained, access }, parameters, async () => 'kept');
  if (answer !== 'gone' && answer.outcome === 'renewed') return { ...obtained, tokens: answer.tokens };
  throw answer === 'gone' ? new ProblemError('interrupted') : answer.problem;
}

/**
 * New tokens before the refresh token expires; null if the present ones stay, because silent sign-in failed. Ends the session only
 * if the user is no longer allowed, or signed out at the provider with `endWithProvider` set.
 */
async function renewEarly(
  parts: NewTokensParts,
  usable: UsableSession<TokenAccess>,
): Promise<Renewed | Ended | null> {
  // The present tokens are used as long as they last.
  const result = await signInSilently(parts, usable, 'works').catch(() => null);
  if (result?.outcome !== 'ended') return result;
  const { code, cause } = result.problem;
  const { endWithProvider } = usable.access.client.provider;
  return code === 'not-permitted' || (endWithProvider && isLoginRequired(cause)) ? result : null;
}

/**
 * The problem to end the session with after a failed silent sign-in; null if it stays. Only the provider ends it: by a refusal, or
 * by a page that asks. A lost network, a browser that closes, or one odd response says nothing about the session.
 */
function findEnd(session: StoredSession, former: FormerToken, error: unknown): ProblemError | null {
  if (error instanceof ProblemError && error.code === 'not-permitted') return error;
  const isWithoutToken = former === 'used' || session.tokens.refreshToken === null;
  const isOver =
    isInteractionRequired(error) ||
    // The browser reports that the provider showed a page.
    (error instanceof ProblemError && error.code === 'expired') ||
    (isWithoutToken && (findOAuthError(error) !== null || isUnprovenRefusal(error)) && !isTransient(error));
  if (!isOver) return null;
  // Distinguishes a session that the provider ended from one that was lost on the way: the provider may have replaced the refresh
  // token in a response that never arrived.
  const isLost = former === 'used' && session.renewalSentAtMs !== null;
  const reason = isLost ? detail`renewal: the answer to an earlier renewal may have been lost` : null;
  return new ProblemError('expired', reason, { cause: error });
}

/**
 * Requests the token of an API (RFC 6749 section 6, RFC 8707 section 2.2), and stores it. `gone` if the record holds another
 * session, none, or other tokens by then. Throws {@link ProblemError}, as {@link redeemRefreshToken} does.
 */
export function obtainApiToken(
  { revocations, records }: Pick<NewTokensParts, 'revocations' | 'records'>,
  usable: UsableSession,
  api: Api,
): Promise<TokenAnswer | 'gone'> {
  return usable.receive(revocations, async (own) => {
    const { session, access } = own;
    const { key, additionalScope } = findApi(session, toApiKey(api));
    const parameters = toApiParameters(api, additionalScope);
    const answer = await redeemRefreshToken(own, parameters, () => markRequest(records, own));
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
      news: renewClaims(access.client.provider, session, answer.tokens),
    });
    const next = { id: session.id, generation: session.generation + 1 };
    return isSameTokens(held.session, next) ? answer : 'gone';
  });
}

/**
 * Stores that the refresh token is about to be sent. If that can't be stored, nothing may be sent: the response couldn't be stored
 * either. Without a network the token stays here.
 */
async function markRequest(
  records: Pick<Records, 'dispatch'>,
  { session, access }: UsableSession,
): Promise<'kept' | 'gone'> {
  const { world } = access.client;
  return world.isOnline() ? markAttempt(records, session, { renewalSentAtMs: world.nowMs() }) : 'kept';
}

/** Stores that the tokens are about to be renewed; `gone` if it is no longer this very session. Rejects if that fails. */
export async function markAttempt(
  records: Pick<Records, 'dispatch'>,
  session: StoredSession,
  tried: Tried,
): Promise<'kept' | 'gone'> {
  const id = crypto.randomUUID();
  const held = await records.dispatch({ type: 'renewal-tried', cause: session, tried }, id);
  return held.applied.includes(id) ? 'kept' : 'gone';
}
