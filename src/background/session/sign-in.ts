// Sign-ins: starts one, ends it early if the user cancels it or a policy no longer allows it, begins the session, and completes the
// profile.

import { singleFlight } from '../../concurrency.ts';
import { type AuthorizationOptions, isGranted, toApiKey, toApiParameters } from '../../oidc/authorize.ts';
import { detail, type Detail } from '../../session/detail.ts';
import { problem, ProblemError, toProblem, type Problem } from '../../session/problem.ts';
import { accountOf, type ProviderId, isSameUser, type AccountHint } from '../../session/view.ts';
import type { SignIn } from '../provider/run-flow.ts';
import type { Obtained } from '../../oidc/code-flow.ts';
import { isDue } from '../record/pause.ts';
import {
  toAdditional,
  withoutTokens,
  type CodeSignIn,
  type StoredSession,
  findApi,
  splitTokens,
  type ApiGrant,
} from '../record/record.ts';
import {
  isClientOf,
  redeemRefreshToken,
  refuseNotOffered,
  toNotOffered,
  type ReadSession,
} from './usable.ts';
import type { Api } from '../../config/provider.ts';
import { isTransient } from '../../oidc/problems.ts';
import { isIncomplete } from '../../oidc/tokens.ts';
import type { ProviderAccess, TokenAccess } from '../provider/provider.ts';
import { readClaims } from '../../oidc/jwt.ts';
import type { ViewStore } from './store.ts';
import type { AuthWindow } from '../provider/window.ts';
import type { Work } from '../work.ts';
import type { Records } from '../record/records.ts';
import type { Revocations } from './revocations.ts';
import type { SignInOrder } from '../../session/sign-in-order.ts';
import type { Settings, DeviceSignIn } from '../part.ts';

/** A sign-in that a page has asked for. */
interface NewAttempt {
  readonly providerId: ProviderId;
  readonly order: SignInOrder;
  readonly options: Omit<AuthorizationOptions, 'additional'>;
  /** The request to the signed-in user; null at an ordinary sign-in. */
  readonly asked: AccessRequest | null;
  /** The name of the API that asks the user to confirm who they are, or to allow more. */
  readonly apiName?: string;
}

export interface SignInFlow {
  /**
   * Starts a sign-in, or raises the window of the one that is running. Resolves when the board shows it. Throws
   * {@link ProblemError}: `not-permitted` for a provider that isn't offered; `not-supported` if a code can't do what is asked;
   * `storage-failed`, and then nothing is running.
   */
  start(next: NewAttempt): Promise<void>;
  /**
   * Starts the running attempt once more in its own place, so that a page that waits for it gets the outcome of the new one.
   * Does nothing if the attempt has ended, or shows a code of another worker. If it has begun to store its session, this waits
   * for it, and the user is signed in. Throws as {@link start} does.
   */
  tryAgain(attempt: string): Promise<void>;
  /**
   * Goes on with the sign-in on the board, whose code another worker has shown, while `session` was signed in. False if the code can
   * no longer be entered: because it has expired, its provider's settings have changed, or the board shows no sign-in or a
   * different one.
   */
  goOn(codeSignIn: CodeSignIn, session: StoredSession | null): boolean;
  /**
   * Cancels the running sign-in, if there is one, even one that a dead worker left behind, and closes its window. If the sign-in
   * has already begun to store its session, it's too late: this waits for it, and the user is signed in.
   */
  cancel(): Promise<void>;
  /**
   * Ends the sign-in on the board, and closes its window, unless this worker runs it with the settings of now: as `not-permitted`
   * if a policy no longer offers its provider, or else as `interrupted`. If it has begun to store its session, this waits for it.
   */
  endOther(): Promise<void>;
}

interface SignInFlowParts {
  readonly store: ViewStore;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly policy: Settings;
  readonly authWindow: AuthWindow;
  /** The sign-in of this build: in the window, or with a code. */
  readonly signIn: SignIn;
  /** The one that never shows a code. */
  readonly windowSignIn: SignIn;
  /** The one with a code; missing if no provider is used with one. */
  readonly device?: DeviceSignIn | undefined;
  readonly reopenPopup: () => Promise<void>;
  readonly work: Pick<Work, 'runInBackground'>;
  readonly nowMs: () => number;
  readonly beginSession: BeginSession;
}

export function createSignInFlow(parts: SignInFlowParts): SignInFlow {
  const { store, providers, authWindow, device, beginSession, nowMs } = parts;
  /** The newest attempt of this worker, and what it was started with unless another worker has begun it. */
  let newest: (Attempt & { readonly next: NewAttempt | null }) | null = null;
  /** The attempt that the user has canceled last. */
  let cancelled: string | null = null;

  /** Whether the board shows this attempt as running. */
  const isRunning = (id: string) => {
    const session = store.view;
    return session.status === 'signing-in' && session.attempt === id;
  };

  const isWanted = (id: string) => isRunning(id) && id !== cancelled;

  const begin = async (next: NewAttempt, replaces?: string) => {
    const { providerId, order, options, asked, apiName } = next;
    const { access, way, firstView } = prepare(parts, next);
    const about = { id: crypto.randomUUID(), startedAtMs: nowMs(), access, asked };
    const attempt: Attempt = { ...about, isWanted: () => isWanted(about.id) };
    newest = { ...attempt, next };
    const view = { ...(apiName !== undefined && { apiName }), ...firstView };
    const signIn = { providerId, order, attempt: about.id, startedAtMs: about.startedAtMs, ...view };
    // The view changes before anything is awaited.
    const moved = store.dispatch({ type: 'sign-in-started', signIn, replaces });
    // The window of a sign-out, or of the attempt before, may still be open, and no one is waiting for it.
    const shown = Promise.all([moved, authWindow.cancel()]).then(() => undefined);
    const additional = asked === null ? {} : { additional: toAdditional(asked, access.client.provider) };
    // The request is prepared in the meantime. Only the window waits for the board.
    await run(parts, attempt, shown, (own) =>
      way.inWindow(own, { ...options, ...additional }, shown, attempt.isWanted),
    );
  };

  /**
   * Ends the attempt and its window, unless it has ended already or has begun to store its session. Without a problem, the
   * user has canceled it.
   */
  const end = async (attempt: string, reason: Problem | null): Promise<void> => {
    const stored = beginSession.storing(attempt);
    if (stored !== null) return stored;
    // The window may be the one of the next attempt by now.
    if (!isRunning(attempt)) return;
    const ended = store.dispatch({ type: 'sign-in-ended', attempt, problem: reason });
    await Promise.all([ended, authWindow.cancel()]);
  };

  return {
    async start(next) {
      if (store.view.status === 'signing-in') await authWindow.show();
      else await begin(next);
    },

    async tryAgain(attempt) {
      const stored = beginSession.storing(attempt);
      if (stored !== null) return stored;
      if (isWanted(attempt) && newest?.id === attempt && newest.next !== null)
        await begin(newest.next, attempt);
    },

    goOn(codeSignIn, session) {
      const shown = store.view;
      const access = providers.get(codeSignIn.providerId);
      const { startedAtMs, additionalScope } = codeSignIn;
      if (shown.status !== 'signing-in' || shown.startedAtMs !== startedAtMs) return false;
      if (!device || access === undefined || !mayBeEntered(codeSignIn, access, nowMs())) return false;
      const { attempt: id, before } = shown;
      const apis = withoutTokens(session?.apis ?? []);
      const asked =
        additionalScope === null ? null : { user: accountOf(before), additionalScope, apis, api: null };
      newest = { id, startedAtMs, access, asked, isWanted: () => isWanted(id), next: null };
      // The provider's page closes the popup.
      void run(parts, newest, Promise.resolve(), (own) => device.goOn(own, codeSignIn));
      return true;
    },

    async cancel() {
      const session = store.view;
      if (session.status !== 'signing-in') return authWindow.cancel();
      const { attempt } = session;
      if (beginSession.storing(attempt) !== null) return end(attempt, null);
      // Its response no longer counts, even if it arrives while Latchkey looks for the window.
      cancelled = attempt;
      const left = { ...problem('cancelled'), window: 'left-open' } as const;
      const ended = end(attempt, (await authWindow.mayStayOpen()) ? left : null);
      // The page with the cancel button shows the notice at once.
      if (!isRunning(attempt)) store.markNotice();
      await ended;
    },

    async endOther() {
      const session = store.view;
      if (session.status !== 'signing-in') return;
      const access = providers.get(session.providerId);
      if (access !== undefined && access === newest?.access) return;
      const reason = access === undefined ? toNotOffered(parts.policy.inForce) : null;
      await end(session.attempt, reason ?? problem('interrupted'));
    },
  };
}

/** Every code expires sooner. */
const longestMs = 60 * 60_000;

/**
 * Whether a code hasn't expired, and its provider still uses codes. If its expiry is too far ahead, the clock has been set back.
 */
function mayBeEntered(code: CodeSignIn, { client: { provider } }: ProviderAccess, nowMs: number): boolean {
  return (
    isClientOf(code, provider) &&
    provider.deviceFlow !== 'off' &&
    !isDue(code.grant.shown.expiresAtMs, longestMs, nowMs)
  );
}

/**
 * The provider of a new attempt, the sign-in that can do what is asked, and what the board shows first. Throws
 * {@link ProblemError}.
 */
function prepare(
  { providers, policy, device, signIn, windowSignIn }: SignInFlowParts,
  { providerId, options, asked }: NewAttempt,
) {
  const access = providers.get(providerId);
  // A policy is awaited, or has just taken it away.
  if (access === undefined) throw refuseNotOffered(policy.inForce);
  const needsWindow = options.stepUp !== undefined || (asked !== null && asked.api !== null);
  const firstView = device?.firstView(access);
  if (needsWindow && firstView !== undefined)
    throw new ProblemError('not-supported', detail`sign-in with a code: it cannot ask for this`);
  return { access, way: needsWindow ? windowSignIn : signIn, firstView };
}

/**
 * Runs an attempt in the background, and opens the popup again at its end. Settles as `shown` does, and if that fails, nothing is
 * running.
 */
async function run(
  { store, work, beginSession, reopenPopup }: SignInFlowParts,
  attempt: Attempt,
  shown: Promise<void>,
  obtain: Obtain,
): Promise<void> {
  const fail = (error: unknown) =>
    store.dispatch({ type: 'sign-in-ended', attempt: attempt.id, problem: toProblem(error) });
  const finished = beginSession.begin(attempt, obtain).catch(fail);
  work.runInBackground(finished.finally(() => shown.then(reopenPopup, () => undefined)));
  try {
    await shown;
  } catch (error) {
    await fail(error).catch(() => undefined);
    throw error;
  }
}

// Begins the session that a sign-in has brought: the record first, then the board, then the rest of the profile.

/** An attempt of this worker to sign the user in. */
export interface Attempt {
  /** The session that it brings has this id. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly access: ProviderAccess;
  readonly asked: AccessRequest | null;
  /** Whether it's still the running attempt. */
  readonly isWanted: () => boolean;
}

/** A request that only the signed-in user can answer; null at an ordinary sign-in. */
export interface AccessRequest extends Pick<StoredSession, 'additionalScope' | 'apis'> {
  readonly user: AccountHint | null;
  /** The API that the scope is for, if it has a token of its own; null for the token of the sign-in. */
  readonly api: Api | null;
}

type Obtain = (access: TokenAccess) => Promise<Obtained>;

interface BeginSessionParts {
  readonly store: Pick<ViewStore, 'flushBoard'>;
  readonly records: Records;
  readonly revocations: Revocations;
  readonly completeProfile: (newId: string) => Promise<void>;
  readonly work: Pick<Work, 'runInBackground'>;
  readonly nowMs: () => number;
}

export type BeginSession = ReturnType<typeof createBeginSession>;

export function createBeginSession(parts: BeginSessionParts) {
  const { store, work, records, revocations, completeProfile, nowMs } = parts;
  /** The attempt whose session is being stored. */
  let storing: { readonly attempt: string; readonly isDone: Promise<void> } | null = null;

  /** Stores the session. Resolves when the board shows it. */
  const keep = async (session: StoredSession) => {
    await records.dispatch({ type: 'granted', session });
    await store.flushBoard();
    work.runInBackground(completeProfile(session.id));
  };

  const use = async (attempt: Attempt, access: TokenAccess, obtained: Obtained) => {
    const { id, asked, isWanted } = attempt;
    access.identify(obtained.profile.subject);
    if (!isWanted()) return;
    const denial = findDenial(asked, obtained);
    if (denial !== null) throw new ProblemError('denied', denial);
    const { result, apis } = await complete(attempt, access, obtained);
    // It may have been canceled in the meantime.
    if (!isWanted()) return;
    const kept = keep(toSession(attempt, result, apis, nowMs()));
    storing = { attempt: id, isDone: kept.catch(() => undefined) };
    await kept;
  };

  return {
    /**
     * Begins the session with the result of `obtain`, unless the attempt is no longer wanted then. Throws {@link ProblemError}: `denied`
     * if a requested scope wasn't granted, `storage-failed`, and what `obtain` throws.
     */
    begin: (attempt: Attempt, obtain: Obtain): Promise<void> =>
      revocations.holdBack(
        attempt.access,
        revocations.receive(attempt.access, async (own) => use(attempt, own, await obtain(own))),
      ),
    /**
     * Resolves when the session of this attempt is stored, or couldn't be; null if storing it hasn't begun. From there on
     * the attempt can't be canceled. Never rejects.
     */
    storing: (attempt: string): Promise<void> | null =>
      storing?.attempt === attempt ? storing.isDone : null,
  };
}

/** The result with a token for the API that was asked for, which shows whether the scope was granted. Throws {@link ProblemError}. */
async function complete(
  { asked, isWanted }: Attempt,
  access: TokenAccess,
  result: Obtained,
): Promise<{ readonly result: Obtained; readonly apis: readonly ApiGrant[] }> {
  const { api = null, apis = [] } = asked ?? {};
  if (api === null) return { result, apis };
  const grant = findApi({ apis }, toApiKey(api));
  const maySend = async () => (isWanted() ? 'kept' : 'gone');
  const parameters = toApiParameters(api, grant.additionalScope);
  const answer = await redeemRefreshToken({ session: result, access }, parameters, maySend);
  if (answer === 'gone') throw new ProblemError('cancelled');
  if (answer.outcome !== 'renewed') {
    // The provider refused what the token is for.
    if (answer.outcome === 'refused' && answer.problem.code !== 'expired') throw answer.problem;
    throw new ProblemError('denied', detail`scope: no token for the API`);
  }
  if (!isGranted(grant.additionalScope, answer.grantedScope)) throw new ProblemError('denied', scopeDenied);
  const { own, token } = splitTokens(result.tokens, answer.tokens);
  return {
    result: { ...result, tokens: own },
    apis: apis.map((one) => (one.key === grant.key ? { ...one, token } : one)),
  };
}

function toSession(
  { id, startedAtMs, access, asked }: Attempt,
  result: Obtained,
  apis: readonly ApiGrant[],
  nowMs: number,
): StoredSession {
  return {
    id,
    startedAtMs,
    additionalScope: asked?.additionalScope ?? '',
    apis,
    profile: result.profile,
    issuer: result.issuer,
    clientId: access.client.provider.clientId,
    tokens: result.tokens,
    dpopKey: result.dpopKey,
    originalClaims: result.originalClaims,
    authenticatedAtMs: nowMs,
    generation: 1,
    renewalSentAtMs: null,
    silentTriedAtMs: null,
    pause: null,
    grantedScope: result.grantedScope,
    refusals: [],
    // Right after this it's asked for the first time.
    userInfoDueMs: isIncomplete(result.profile, access.client.provider) ? nowMs + pauseMs : null,
  };
}

/** The detail names no scope, because an API may have chosen its name. */
const scopeDenied = detail`scope: less was granted than asked for`;

/** Why a request for more than the configured scope fails; null if it doesn't, and at an ordinary sign-in. */
function findDenial(asked: AccessRequest | null, { profile, grantedScope }: Obtained): Detail | null {
  if (asked === null) return null;
  const { user, additionalScope, api } = asked;
  // The feature that asked runs as that user.
  if (user === null || !isSameUser(user, profile)) {
    return detail`answered by another user than the one signed in`;
  }
  return api !== null || isGranted(additionalScope, grantedScope) ? null : scopeDenied;
}

// Completes the profile of the signed-in user with UserInfo: right after the sign-in, and if that fails, when a page opens
// later. An ID token often has neither name nor picture.

/** The pause after a request, so that not every popup sends one to a provider that fails. */
const pauseMs = 10 * 60_000;
/** The pause after a response that a second request wouldn't change. */
const faultPauseMs = 24 * 60 * 60_000;

/**
 * A function that asks UserInfo if that is due, once for all callers, or for the new session with the id `newId`. Rejects if the
 * provider can't be asked, and asks again later.
 */
export function createCompleteProfile(
  readSession: ReadSession,
  records: Pick<Records, 'dispatch'>,
  nowMs: () => number,
): (newId?: string) => Promise<void> {
  const ask = async (newId?: string) => {
    const usable = await readSession();
    if (usable === null) return;
    const { session, access } = usable;
    const { tokens, userInfoDueMs, profile } = session;
    const isNew = session.id === newId;
    const isWanted = userInfoDueMs !== null && (isNew || isDue(userInfoDueMs, faultPauseMs, nowMs()));
    const claims = tokens.idToken === null ? null : readClaims(tokens.idToken);
    // UserInfo only accepts an access token.
    if (!isWanted || tokens.type === 'id_token' || claims === null) return;
    const metadata = await access.metadata();
    if (metadata.userinfo_endpoint === undefined) return;
    const pause = (lengthMs: number) =>
      records.dispatch({ type: 'user-info-asked', cause: session, nextAtMs: nowMs() + lengthMs });
    if (!isNew) await pause(pauseMs);
    // The user may have signed out in the meantime.
    if ((await readSession())?.session.id !== session.id) return;
    const known = { ...claims, sub: profile.subject };
    const completed = await usable.askUserInfo(metadata, known).catch(async (error: unknown) => {
      if (!isTransient(error)) await pause(faultPauseMs);
      throw error;
    });
    await records.dispatch({ type: 'profile-completed', cause: session, profile: completed });
  };
  const completeOnce = singleFlight(() => ask());
  return (newId) => (newId === undefined ? completeOnce() : ask(newId));
}
