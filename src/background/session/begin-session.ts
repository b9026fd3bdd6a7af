// Begins the session that a sign-in has brought: the record first, then the board, then the rest of the profile.

import { findDenied } from '../../oidc/scope.ts';
import { isIncomplete } from '../../oidc/tokens.ts';
import { trusted, words, type Detail } from '../../session/detail.ts';
import { ProblemError, toProblem } from '../../session/problem.ts';
import { isSamePerson, type SigningIn } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignInResult } from '../provider/sign-in.ts';
import type { Grant, SignedIn } from '../record/record.ts';
import type { Revocations } from './revocations.ts';
import type { SessionStore } from './store.ts';
import type { SessionParts } from './parts.ts';

/** An attempt to sign in that this worker runs. */
interface OwnAttempt {
  /** The attempt's id on the board. */
  readonly attempt: string;
  readonly access: ProviderAccess;
  /** The scope requested beyond the configured one; null at an ordinary sign-in. */
  readonly additionalScope: string | null;
}

export interface BeginSession {
  /**
   * Makes what `obtain` resolves with the session, or shows on the board why the attempt failed: also with `denied` if a
   * requested scope was not granted. If the attempt was overtaken, by a cancel or a sign-out, its tokens are revoked
   * instead. Throws {@link ProblemError} `storage-failed` if the board cannot be written.
   */
  begin(own: OwnAttempt, obtain: () => Promise<SignInResult>): Promise<void>;
  /**
   * Makes what a silent sign-in has brought the session, which no page has seen coming. Rejects if the storage fails.
   */
  beginSilently(access: ProviderAccess, result: SignInResult): Promise<void>;
  /** Revokes the tokens of a result that is not used. */
  discard(access: ProviderAccess, result: SignInResult): Promise<void>;
  /**
   * Resolves when the session of this attempt is stored, or could not be; null if storing it has not begun. From there on
   * the attempt cannot be cancelled. Never rejects.
   */
  storing(attempt: string): Promise<void> | null;
}

export function createBeginSession({
  store,
  tasks,
  records,
  revocations,
  completeProfile,
  nowMs,
}: SessionParts & {
  readonly revocations: Revocations;
  readonly completeProfile: () => Promise<void>;
}): BeginSession {
  /** The attempt whose session is being stored. */
  let storing: { readonly attempt: string; readonly isDone: Promise<void> } | null = null;

  /** Stores the session. Resolves when the board shows it. */
  const keep = async (session: SignedIn) => {
    await records.dispatch({ type: 'granted', session });
    await store.catchUp();
    tasks.runInBackground(completeProfile());
  };

  const toSession = (
    access: ProviderAccess,
    result: SignInResult,
    about: Pick<SignedIn, 'id' | 'startedAtMs' | 'additionalScope'>,
  ): SignedIn => ({
    ...about,
    ...toGrant(access, result),
    dpopKey: result.dpopKey,
    originalClaims: result.originalClaims,
    authenticatedAtMs: nowMs(),
    generation: 1,
    renewalSentAtMs: null,
    silentTriedAtMs: null,
    pause: null,
    userInfoDueMs: isIncomplete(result.profile) ? nowMs() : null,
  });

  const use = async ({ attempt, access, additionalScope }: OwnAttempt, result: SignInResult) => {
    const current = findAttempt(store, attempt);
    if (current === null) return revocations.discard(toGrant(access, result));
    const denial = findDenial(current, additionalScope, result);
    if (denial !== null) {
      await revocations.discard(toGrant(access, result));
      throw new ProblemError('denied', denial);
    }
    const { startedAtMs } = current;
    const about = { id: attempt, startedAtMs, additionalScope: additionalScope ?? '' };
    const kept = keep(toSession(access, result, about));
    storing = { attempt, isDone: kept.catch(() => undefined) };
    await kept;
  };

  return {
    async begin(own, obtain) {
      try {
        await use(own, await obtain());
      } catch (error) {
        await store.dispatch({ type: 'sign-in-failed', attempt: own.attempt, problem: toProblem(error) });
      }
    },
    beginSilently(access, result) {
      const about = { id: crypto.randomUUID(), startedAtMs: nowMs(), additionalScope: '' };
      return keep(toSession(access, result, about));
    },
    discard: (access, result) => revocations.discard(toGrant(access, result)),
    storing: (attempt) => (storing?.attempt === attempt ? storing.isDone : null),
  };
}

function toGrant({ client }: ProviderAccess, { tokens, issuer, profile }: SignInResult): Grant {
  return { profile, issuer, clientId: client.provider.clientId, tokens };
}

/** The attempt on the board, if it is still this one; null if it was overtaken. */
export function findAttempt(store: Pick<SessionStore, 'current'>, attempt: string): SigningIn | null {
  const session = store.current();
  return session.status === 'signing-in' && session.attempt === attempt ? session : null;
}

/** Why a request for more than the configured scope fails; null if it does not, and at an ordinary sign-in. */
function findDenial(
  { before }: SigningIn,
  additionalScope: string | null,
  { profile, grantedScope }: SignInResult,
): Detail | null {
  if (additionalScope === null) return null;
  // The request was for the person who was signed in then, and the feature that asked runs as that person.
  const asked = before.status === 'signed-in' ? before.profile : before.lastAccount;
  if (asked === null || !isSamePerson(asked, profile)) {
    return words`scope: allowed by another person than the one signed in`;
  }
  const denied = findDenied(additionalScope, grantedScope);
  return denied === null ? null : words`scope: ${trusted(denied)} was not granted`;
}
