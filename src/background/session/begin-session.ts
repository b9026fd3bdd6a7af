// Begins the session that a sign-in has brought: the record first, then the board, then the rest of the profile.

import type { Api } from '../../config/provider.ts';
import { isGranted, toApiKey, toApiParameters } from '../../oidc/access.ts';
import { isIncomplete } from '../../oidc/tokens.ts';
import { words, type Detail } from '../../session/detail.ts';
import { ProblemError, toProblem } from '../../session/problem.ts';
import { isSamePerson, type SigningIn } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignInResult } from '../provider/sign-in.ts';
import { findApi, splitTokens, type ApiGrant, type Grant, type SignedIn } from '../record/record.ts';
import { redeemRefreshToken } from './new-tokens.ts';
import type { Revocations } from './revocations.ts';
import type { SessionStore } from './store.ts';
import type { SessionParts } from './parts.ts';

/** An attempt to sign in that this worker runs. */
export interface OwnAttempt {
  /** The attempt's id on the board. */
  readonly attempt: string;
  readonly access: ProviderAccess;
  readonly asked: Asked | null;
}

/** A request to the signed-in person, which no one else can answer; null at an ordinary sign-in. */
export interface Asked extends Pick<SignedIn, 'additionalScope' | 'apis'> {
  /** The API that the scope is for, if it has a token of its own; null for the token of the sign-in. */
  readonly api: Api | null;
}

export interface BeginSession {
  /**
   * Begins the session with the result of `obtain`, or shows on the board why the attempt failed, which is `denied` if a
   * requested scope was not granted. If a cancel or a sign-out overtook the attempt, its tokens are revoked
   * instead. Throws {@link ProblemError} `storage-failed` if the board cannot be written.
   */
  begin(own: OwnAttempt, obtain: () => Promise<SignInResult>): Promise<void>;
  /**
   * Begins the session with the result of a silent sign-in, which no page has seen coming. Rejects if the storage fails.
   */
  beginSilently(
    access: ProviderAccess,
    obtain: () => Promise<SignInResult>,
    mayBegin: () => boolean,
  ): Promise<void>;
  /**
   * Resolves when the session of this attempt is stored, or could not be; null if storing it has not begun. From there on
   * the attempt cannot be cancelled. Never rejects.
   */
  storing(attempt: string): Promise<void> | null;
}

export function createBeginSession(
  parts: SessionParts & {
    readonly revocations: Revocations;
    readonly completeProfile: () => Promise<void>;
  },
): BeginSession {
  const { store, tasks, records, revocations, completeProfile, nowMs } = parts;
  /** The attempt whose session is being stored. */
  let storing: { readonly attempt: string; readonly isDone: Promise<void> } | null = null;

  /** Stores the session. Resolves when the board shows it. */
  const keep = async (session: SignedIn) => {
    await records.dispatch({ type: 'granted', session });
    await store.catchUp();
    tasks.runInBackground(completeProfile());
  };

  const refuse = async (access: ProviderAccess, result: SignInResult, denial: Detail): Promise<never> => {
    await revocations.discard(toGrant(access, result));
    throw new ProblemError('denied', denial);
  };

  /** The result with a token for the API that was asked for, which shows whether the scope was granted. */
  const complete = async (
    { attempt, access, asked }: OwnAttempt,
    result: SignInResult,
  ): Promise<{ readonly result: SignInResult; readonly apis: readonly ApiGrant[] }> => {
    const { api = null, apis = [] } = asked ?? {};
    if (api === null) return { result, apis };
    const grant = findApi({ apis }, toApiKey(api));
    const maySend = async () => (findAttempt(store, attempt) === null ? 'gone' : 'kept');
    const parameters = toApiParameters(api, grant.additionalScope);
    const requested = redeemRefreshToken(parts, result, access, parameters, maySend);
    const answer = await requested.catch(async (error: unknown) => {
      await revocations.discard(toGrant(access, result));
      throw error;
    });
    if (answer === 'gone' || answer.outcome !== 'renewed')
      return refuse(access, result, words`scope: no token for the API`);
    const { tokens, grantedScope } = answer;
    if (!isGranted(grant.additionalScope, grantedScope))
      return refuse(access, { ...result, tokens }, scopeDenied);
    const { own, token } = splitTokens(result.tokens, tokens);
    return {
      result: { ...result, tokens: own },
      apis: apis.map((one) => (one.key === grant.key ? { ...one, token } : one)),
    };
  };

  const use = async (own: OwnAttempt, obtained: SignInResult) => {
    const { attempt, access, asked } = own;
    const current = findAttempt(store, attempt);
    if (current === null) return revocations.discard(toGrant(access, obtained));
    const denial = findDenial(current, asked, obtained);
    if (denial !== null) return refuse(access, obtained, denial);
    const { result, apis } = await complete(own, obtained);
    // It may have been cancelled in the meantime.
    if (findAttempt(store, attempt) === null) return revocations.discard(toGrant(access, result));
    const { startedAtMs } = current;
    const about = { id: attempt, startedAtMs, additionalScope: asked?.additionalScope ?? '', apis };
    const kept = keep(toSession(access, result, about, nowMs()));
    storing = { attempt, isDone: kept.catch(() => undefined) };
    await kept;
  };

  return {
    begin(own, obtain) {
      const fail = (error: unknown) =>
        store.dispatch({ type: 'sign-in-ended', attempt: own.attempt, problem: toProblem(error) });
      const begun = obtain().then((obtained) => use(own, obtained));
      return revocations.holdBack(own.access, begun.catch(fail));
    },
    beginSilently(access, obtain, mayBegin) {
      const begun = obtain().then((result) => {
        if (!mayBegin()) return revocations.discard(toGrant(access, result));
        const about = { id: crypto.randomUUID(), startedAtMs: nowMs(), additionalScope: '', apis: [] };
        return keep(toSession(access, result, about, nowMs()));
      });
      return revocations.holdBack(access, begun);
    },
    storing: (attempt) => (storing?.attempt === attempt ? storing.isDone : null),
  };
}

function toSession(
  access: ProviderAccess,
  result: SignInResult,
  about: Pick<SignedIn, 'id' | 'startedAtMs' | 'additionalScope' | 'apis'>,
  nowMs: number,
): SignedIn {
  return {
    ...about,
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

/** The attempt on the board, if it is still this one; null if it was overtaken. */
export function findAttempt(store: Pick<SessionStore, 'current'>, attempt: string): SigningIn | null {
  const session = store.current();
  return session.status === 'signing-in' && session.attempt === attempt ? session : null;
}

/** Names no scope, because an API may have chosen its name. */
const scopeDenied = words`scope: less was granted than asked for`;

/** Why a request for more than the configured scope fails; null if it does not, and at an ordinary sign-in. */
function findDenial(
  { before }: SigningIn,
  asked: Asked | null,
  { profile, grantedScope }: SignInResult,
): Detail | null {
  if (asked === null) return null;
  // The request was for the person who was signed in then, and the feature that asked runs as that person.
  const person = before.status === 'signed-in' ? before.profile : before.lastAccount;
  if (person === null || !isSamePerson(person, profile)) {
    return words`answered by another person than the one signed in`;
  }
  return asked.api !== null || isGranted(asked.additionalScope, grantedScope) ? null : scopeDenied;
}
