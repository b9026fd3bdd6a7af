// Begins the session that a sign-in has brought: the vault first, then the session, then the rest of the profile.

import { findDenied } from '../../oidc/scope.ts';
import { isIncomplete } from '../../oidc/tokens.ts';
import { trusted, words, type Detail } from '../../session/detail.ts';
import { ProblemError, toProblem } from '../../session/problem.ts';
import { isSamePerson, type SigningIn } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignInResult } from '../provider/sign-in.ts';
import type { Vault, VaultSession } from '../vault/vault.ts';
import type { Revocations } from './revocations.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

/** An attempt to sign in that this worker runs. */
interface OwnAttempt {
  /** The attempt's number on the board. */
  readonly attempt: number;
  readonly access: ProviderAccess;
  /** The scope requested beyond the configured one; null at an ordinary sign-in. */
  readonly additionalScope: string | null;
}

export interface BeginSessionParts {
  readonly store: SessionStore;
  readonly tasks: Tasks;
  readonly vault: Vault;
  readonly revocations: Revocations;
  /** Completes the profile of the session. */
  readonly completeProfile: () => Promise<void>;
  readonly nowMs: () => number;
}

export interface BeginSession {
  /**
   * Makes what `obtain` resolves with the session, or shows on the board why the attempt failed: also with `denied` if a
   * requested scope was not granted. If the attempt was overtaken, by a cancel or a sign-out, its tokens are revoked
   * instead. Throws {@link ProblemError} `storage-failed` if the board cannot be written.
   */
  begin(own: OwnAttempt, obtain: () => Promise<SignInResult>): Promise<void>;
  /**
   * Makes what a silent sign-in has brought the session, which no page has seen coming. A person who no longer wants it when it
   * is stored is about to sign out. Rejects if the storage fails.
   */
  beginSilently(access: ProviderAccess, result: SignInResult, isWanted: () => boolean): Promise<void>;
  /** Revokes the tokens of a result that is not used. */
  discard(access: ProviderAccess, result: SignInResult): Promise<void>;
  /**
   * Resolves when the session of this attempt is stored, or could not be; null if storing it has not begun. From there on
   * the attempt cannot be cancelled. Never rejects.
   */
  storing(attempt: number): Promise<void> | null;
}

export function createBeginSession({
  store,
  tasks,
  vault,
  revocations,
  completeProfile,
  nowMs,
}: BeginSessionParts): BeginSession {
  /** The attempt whose session is being stored. */
  let storing: { readonly attempt: number; readonly isDone: Promise<void> } | null = null;

  /** Stores the session, and shows it on the board. */
  const keep = async (attempt: number, session: VaultSession) => {
    await vault.begin(session);
    await store.dispatch({ type: 'sign-in-succeeded', attempt, profile: session.profile });
  };

  const toSession = (
    { client }: ProviderAccess,
    { tokens, issuer, profile, dpopKey, originalClaims }: SignInResult,
    additionalScope = '',
    startedAtMs = nowMs(),
  ): VaultSession => {
    const { clientId } = client.provider;
    return {
      id: crypto.randomUUID(),
      issuer,
      clientId,
      profile,
      startedAtMs,
      authenticatedAtMs: nowMs(),
      generation: 1,
      tokens,
      originalClaims,
      additionalScope,
      dpopKey,
      renewalSentAtMs: null,
      silentTriedAtMs: null,
      pause: null,
      userInfoDueMs: isIncomplete(profile) ? nowMs() : null,
    };
  };

  const use = async (own: OwnAttempt, result: SignInResult) => {
    const { attempt, access, additionalScope } = own;
    const current = findAttempt(store, attempt);
    const session = toSession(access, result, additionalScope ?? undefined, current?.startedAtMs);
    if (current === null) return revocations.discard(session);
    const denial = findDenial(current, additionalScope, result);
    if (denial !== null) {
      await revocations.discard(session);
      throw new ProblemError('denied', denial);
    }
    const kept = keep(attempt, session);
    storing = { attempt, isDone: kept.catch(() => undefined) };
    await kept;
    tasks.runInBackground(completeProfile());
  };

  return {
    async begin(own, obtain) {
      try {
        await use(own, await obtain());
      } catch (error) {
        await store.dispatch({ type: 'sign-in-failed', attempt: own.attempt, problem: toProblem(error) });
      }
    },
    async beginSilently(access, result, isWanted) {
      const session = toSession(access, result);
      await vault.begin(session);
      if (!isWanted()) return;
      await store.dispatch({ type: 'signed-in', profile: session.profile, sinceMs: session.startedAtMs });
      tasks.runInBackground(completeProfile());
    },
    discard: (access, result) => revocations.discard(toSession(access, result)),
    storing: (attempt) => (storing?.attempt === attempt ? storing.isDone : null),
  };
}

/** The attempt on the board, if it is still this one; null if it was overtaken. */
export function findAttempt(store: Pick<SessionStore, 'current'>, attempt: number): SigningIn | null {
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
