// Begins the session that a sign-in has brought: the record first, then the board, then the rest of the profile.

import type { Api } from '../../config/provider.ts';
import { isGranted, toApiKey, toApiParameters } from '../../oidc/access.ts';
import { isIncomplete } from '../../oidc/tokens.ts';
import { detail, type Detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { isSameUser, type AccountHint } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignInResult } from '../provider/sign-in.ts';
import { findApi, splitTokens, type ApiGrant, type Grant, type StoredSession } from '../record/record.ts';
import { redeemRefreshToken } from './new-tokens.ts';
import type { SessionParts } from './parts.ts';

/** An attempt of this worker to sign the user in. */
export interface Attempt {
  /** The session that it brings has this id. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly access: ProviderAccess;
  readonly asked: AccessRequest | null;
  /** Whether nothing has overtaken it. */
  readonly isWanted: () => boolean;
}

/** A request to the signed-in user, which no one else can answer; null at an ordinary sign-in. */
export interface AccessRequest extends Pick<StoredSession, 'additionalScope' | 'apis'> {
  readonly user: AccountHint | null;
  /** The API that the scope is for, if it has a token of its own; null for the token of the sign-in. */
  readonly api: Api | null;
}

export interface BeginSession {
  /**
   * Begins the session with the result of `obtain`. If the attempt is no longer wanted then, its tokens are revoked instead. Throws
   * {@link ProblemError}: `denied` if a requested scope was not granted, `storage-failed`, and what `obtain` throws.
   */
  begin(attempt: Attempt, obtain: () => Promise<SignInResult>): Promise<void>;
  /**
   * Resolves when the session of this attempt is stored, or could not be; null if storing it has not begun. From there on
   * the attempt cannot be cancelled. Never rejects.
   */
  storing(attempt: string): Promise<void> | null;
}

export function createBeginSession(
  parts: SessionParts & { readonly completeProfile: () => Promise<void> },
): BeginSession {
  const { store, tasks, records, revocations, completeProfile, nowMs } = parts;
  /** The attempt whose session is being stored. */
  let storing: { readonly attempt: string; readonly isDone: Promise<void> } | null = null;

  /** Stores the session. Resolves when the board shows it. */
  const keep = async (session: StoredSession) => {
    await records.dispatch({ type: 'granted', session });
    await store.flushBoard();
    tasks.runInBackground(completeProfile());
  };

  const refuse = async (access: ProviderAccess, result: SignInResult, denial: Detail): Promise<never> => {
    await revocations.discard(toGrant(access, result));
    throw new ProblemError('denied', denial);
  };

  /** The result with a token for the API that was asked for, which shows whether the scope was granted. */
  const complete = async (
    { access, asked, isWanted }: Attempt,
    result: SignInResult,
  ): Promise<{ readonly result: SignInResult; readonly apis: readonly ApiGrant[] }> => {
    const { api = null, apis = [] } = asked ?? {};
    if (api === null) return { result, apis };
    const grant = findApi({ apis }, toApiKey(api));
    const maySend = async () => (isWanted() ? 'kept' : 'gone');
    const parameters = toApiParameters(api, grant.additionalScope);
    const requested = redeemRefreshToken(parts, result, access, parameters, maySend);
    const answer = await requested.catch(async (error: unknown) => {
      await revocations.discard(toGrant(access, result));
      throw error;
    });
    if (answer === 'gone' || answer.outcome !== 'renewed')
      return refuse(access, result, detail`scope: no token for the API`);
    const { tokens, grantedScope } = answer;
    if (!isGranted(grant.additionalScope, grantedScope))
      return refuse(access, { ...result, tokens }, scopeDenied);
    const { own, token } = splitTokens(result.tokens, tokens);
    return {
      result: { ...result, tokens: own },
      apis: apis.map((one) => (one.key === grant.key ? { ...one, token } : one)),
    };
  };

  const use = async (attempt: Attempt, obtained: SignInResult) => {
    const { id, access, asked, isWanted } = attempt;
    if (!isWanted()) return revocations.discard(toGrant(access, obtained));
    const denial = findDenial(asked, obtained);
    if (denial !== null) return refuse(access, obtained, denial);
    const { result, apis } = await complete(attempt, obtained);
    // It may have been cancelled in the meantime.
    if (!isWanted()) return revocations.discard(toGrant(access, result));
    const kept = keep(toSession(attempt, result, apis, nowMs()));
    storing = { attempt: id, isDone: kept.catch(() => undefined) };
    await kept;
  };

  return {
    begin: (attempt, obtain) =>
      revocations.holdBack(
        attempt.access,
        obtain().then((obtained) => use(attempt, obtained)),
      ),
    storing: (attempt) => (storing?.attempt === attempt ? storing.isDone : null),
  };
}

function toSession(
  { id, startedAtMs, access, asked }: Attempt,
  result: SignInResult,
  apis: readonly ApiGrant[],
  nowMs: number,
): StoredSession {
  return {
    id,
    startedAtMs,
    additionalScope: asked?.additionalScope ?? '',
    apis,
    ...toGrant(access, result),
    dpopKey: result.dpopKey,
    originalClaims: result.originalClaims,
    authenticatedAtMs: nowMs,
    generation: 1,
    renewalSentAtMs: null,
    silentTriedAtMs: null,
    pause: null,
    userInfoDueMs: isIncomplete(result.profile) ? nowMs : null,
  };
}

function toGrant({ client }: ProviderAccess, { tokens, issuer, profile }: SignInResult): Grant {
  return { profile, issuer, clientId: client.provider.clientId, tokens };
}

/** Names no scope, because an API may have chosen its name. */
const scopeDenied = detail`scope: less was granted than asked for`;

/** Why a request for more than the configured scope fails; null if it does not, and at an ordinary sign-in. */
function findDenial(asked: AccessRequest | null, { profile, grantedScope }: SignInResult): Detail | null {
  if (asked === null) return null;
  const { user, additionalScope, api } = asked;
  // The feature that asked runs as that user.
  if (user === null || !isSameUser(user, profile)) {
    return detail`answered by another user than the one signed in`;
  }
  return api !== null || isGranted(additionalScope, grantedScope) ? null : scopeDenied;
}
