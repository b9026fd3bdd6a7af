// Runs the session: takes commands, moves the session by its transition function, and writes vault and board. The
// truth is in those two; what is held here in memory may be lost at any moment.

import type { Board, BoardStore } from '../../bridge/session/board.ts';
import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import { requestUserInfo } from '../../oidc/redeem.ts';
import { findDenied, joinScopes } from '../../oidc/scope.ts';
import { isIncomplete, type ProfileClaims } from '../../oidc/tokens.ts';
import type { Command, Reply } from '../../session/commands.ts';
import { problem, ProblemError, toProblem } from '../../session/problem.ts';
import { reconcile } from '../../session/reconcile.ts';
import {
  isSamePerson,
  noticeOf,
  signedOut,
  settledSession,
  transition,
  type Profile,
  type ProviderId,
  type Session,
  type SessionEvent,
  type SigningIn,
} from '../../session/session.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Attempts } from './attempts.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import { toStateNote, type Journal } from '../journal.ts';
import type { CurrentUser } from './current-user.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { Renewal } from './renewal.ts';
import type { Revocations } from './revocations.ts';
import type { SignInResult, SignIn } from '../provider/sign-in.ts';
import type { SignOutWindow } from '../provider/sign-out-window.ts';
import type { Toolbar } from '../toolbar/toolbar.ts';
import type { VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';

export interface SessionServiceParts {
  readonly boards: BoardStore;
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Attempts;
  readonly authWindow: AuthWindow;
  readonly signIn: SignIn;
  readonly signOutWindow: SignOutWindow;
  readonly renewal: Renewal;
  readonly revocations: Revocations;
  readonly reopenPopup: ReopenPopup;
  readonly toolbar: Toolbar;
  readonly currentUser: Pick<CurrentUser, 'follow'>;
  readonly journal: Journal;
  readonly nowMs: () => number;
}

export interface SessionService {
  /** Brings board and vault into agreement, once in a worker's life. Everything else waits for it. */
  start(): Promise<void>;
  /** Moves the session by what another part has done. */
  tell(event: SessionEvent): Promise<void>;
  /** Accepts or refuses a command. What comes of it is told by the board. */
  handle(command: Command): Promise<Reply>;
  /** What failed for want of a permission is over, and tried again where nobody need ask for it. */
  onHostsAllowed(): Promise<void>;
  /** Resolves when no sign-in and no renewal is under way. */
  whenIdle(): Promise<void>;
}

/** With more providers than this, a popup that opens warms none that was not used before. */
const maxWarmedProviders = 5;

const accepted: Reply = { ok: true };

export function createSessionService(parts: SessionServiceParts): SessionService {
  const { boards, vault, providers, attempts, authWindow, revocations, nowMs } = parts;
  let session: Session = signedOut;
  let started: Promise<void> | null = null;
  let lastAttempt = 0;
  /** The sign-in that the last worker has left under way. It is taken up when the person asks for the popup. */
  let leftOver: SigningIn | null = null;
  /** What a page has told: the next page to open need not tell it again. */
  let seen: ReturnType<typeof noticeOf> = null;
  let writing: Promise<unknown> = Promise.resolve();
  const underWay = new Set<Promise<void>>();

  const toBoard = (): Board => ({
    version: 1,
    session,
    providers: [...providers.values()].map(({ client: { provider }, known }) => ({
      id: provider.id,
      name: provider.name,
      endsSession: known()?.end_session_endpoint !== undefined,
    })),
    managed: false,
  });

  /** Boards are written in the order of the sessions they show; the newest is the last. */
  const writeBoard = () => {
    parts.toolbar.show(session);
    const board = toBoard();
    const written = writing.then(() => boards.write(board));
    writing = written.catch(() => undefined);
    return written.catch((cause: unknown) => {
      throw new ProblemError('storage-failed', null, { cause });
    });
  };

  const noteMove = (before: Session, after: Session) => {
    const note = toStateNote(before, after, [...providers.keys()], nowMs());
    if (note !== null) parts.journal.note(note);
  };

  /** Moves the session at once, and resolves when the board shows it. */
  const dispatch = async (event: SessionEvent) => {
    const next = transition(session, event);
    if (next === session) return;
    noteMove(session, next);
    session = next;
    parts.currentUser.follow(session);
    await writeBoard();
  };

  /** Lets work go on after its command was answered. Whatever goes wrong in it is on the board by then. */
  const runInBackground = (work: Promise<void>) => {
    const settled = work.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
  };

  const findCurrent = (attempt: number) =>
    session.status === 'signing-in' && session.attempt === attempt ? session : null;
  const isCurrent = (attempt: number) => findCurrent(attempt) !== null;

  const start = () =>
    (started ??= (async () => {
      const [board, held] = await Promise.all([boards.read(), readStored()]);
      await providers.get(held?.profile.providerId ?? '')?.recall();
      const before = board?.session ?? null;
      const isLeftOver =
        before?.status === 'signing-in' && (await attempts.find(before.startedAtMs)) !== null;
      session = reconcile(before, held, isLeftOver);
      noteMove(before ?? signedOut, session);
      if (session.status === 'signing-in') {
        leftOver = session;
        lastAttempt = session.attempt;
      }
      parts.currentUser.follow(session);
      if (session.status === 'signed-out' && held !== null) await vault.end(nowMs());
      await writeBoard();
    })().catch((error: unknown) => {
      started = null;
      throw error;
    }));

  /** The session in the vault, if it still belongs to a provider as it is configured today. */
  const readStored = async (): Promise<VaultSession | null> => {
    const held = await vault.read();
    const provider = held === null ? undefined : providers.get(held.profile.providerId)?.client.provider;
    return provider?.issuer === held?.issuer && provider?.clientId === held?.clientId ? held : null;
  };

  const signIn = async (providerId: ProviderId, wishes: AuthorizationOptions): Promise<Reply> => {
    if (leftOver !== null && isCurrent(leftOver.attempt)) {
      await dispatch({ type: 'sign-in-failed', attempt: leftOver.attempt, problem: problem('interrupted') });
    }
    if (session.status === 'signing-in') {
      await authWindow.show();
      return accepted;
    }
    const access = providers.get(providerId);
    if (access === undefined) throw new ProblemError('unexpected', `There is no provider "${providerId}".`);
    // The window of a sign-out that nobody waits for any more.
    await authWindow.cancel();
    const attempt = (lastAttempt += 1);
    const startedAtMs = nowMs();
    const shown = dispatch({ type: 'sign-in-started', providerId, attempt, startedAtMs });
    const { loginHint = null, additionalScope = null } = wishes;
    await Promise.all([shown, attempts.keep({ startedAtMs, loginHint, additionalScope })]);
    const toTokens = () => parts.signIn.inWindow(access, wishes, () => isCurrent(attempt));
    runInBackground(
      finish(attempt, access, additionalScope, toTokens).finally(() => parts.reopenPopup.show()),
    );
    return accepted;
  };

  /** Takes up the sign-in of a worker that died: the person has usually finished it at the provider. */
  const resume = async ({ attempt, providerId, startedAtMs, before }: SigningIn) => {
    const access = providers.get(providerId);
    const kept = await attempts.find(startedAtMs);
    const toTokens = async () => {
      if (access === undefined || kept === null) throw new ProblemError('interrupted');
      const wishes = {
        loginHint: kept.loginHint ?? undefined,
        additionalScope: kept.additionalScope ?? undefined,
      };
      const signedIn = await parts.signIn.silently(access, wishes).catch((cause: unknown) => {
        throw new ProblemError('interrupted', null, { cause });
      });
      // The person was about to change to another account, and has not got there.
      const isStill = before.status === 'signed-in' && isSamePerson(before.profile, signedIn.profile);
      if (isStill && kept.additionalScope === null) throw new ProblemError('interrupted');
      return signedIn;
    };
    await finish(attempt, access, kept?.additionalScope ?? null, toTokens);
  };

  const finish = async (
    attempt: number,
    access: ProviderAccess | undefined,
    additionalScope: string | null,
    toTokens: () => Promise<SignInResult>,
  ) => {
    try {
      const signedIn = await toTokens();
      if (access !== undefined) await begin(attempt, access, additionalScope, signedIn);
    } catch (error) {
      await dispatch({ type: 'sign-in-failed', attempt, problem: toProblem(error) });
    }
  };

  const begin = async (
    attempt: number,
    access: ProviderAccess,
    additionalScope: string | null,
    { tokens, claims, profile, grantedScope, dpopKey }: SignInResult,
  ) => {
    const { issuer, clientId } = access.client.provider;
    const current = findCurrent(attempt);
    const next: VaultSession = {
      version: 1,
      id: crypto.randomUUID(),
      issuer,
      clientId,
      profile,
      startedAtMs: current?.startedAtMs ?? nowMs(),
      authenticatedAtMs: nowMs(),
      generation: 1,
      tokens,
      additionalScope: additionalScope ?? '',
      dpopKey,
    };
    const denial = current === null ? null : findDenial(current, additionalScope, profile, grantedScope);
    if (current === null || denial !== null) {
      await vault.discard(next, nowMs());
      revocations.run();
      if (denial !== null) throw new ProblemError('denied', denial);
      return;
    }
    await vault.begin(next).catch((error: unknown) => {
      // There is no queue to keep it in, so it is tried here and now.
      void revocations.revokeAtOnce(access, next);
      throw error;
    });
    await dispatch({ type: 'sign-in-succeeded', attempt, profile });
    revocations.run();
    if (isIncomplete(profile)) runInBackground(completeProfile(access, next, claims));
  };

  const completeProfile = async (access: ProviderAccess, begun: VaultSession, claims: ProfileClaims) => {
    // Where it fails, the profile stays what the ID token says.
    const profile = await requestUserInfo(
      access.client,
      await access.metadata(),
      begun.tokens,
      claims,
      begun.dpopKey,
    );
    if ((await vault.complete(begun, profile)) === 'gone') return;
    await dispatch({ type: 'profile-completed', profile });
  };

  /** Renews what is stale, and takes away what was told and has nothing to do with it. */
  const keepFresh = async (isSeen: boolean) => {
    await parts.renewal.expectFresh();
    if (isSeen) await dispatch({ type: 'notice-dismissed' });
  };

  const signOut = async (everywhere: boolean) => {
    const settled = settledSession(session);
    const providerId = everywhere && settled.status === 'signed-in' ? settled.profile.providerId : null;
    const access = providers.get(providerId ?? '');
    const providerSession = providerId === null ? null : { providerId, status: 'ending' as const };
    // First in memory, so that whatever is under way finds itself overtaken before it can write.
    const shown = dispatch({ type: 'signed-out', providerSession });
    // What cannot be read gives no hint, and stands in the way of no sign-out.
    const held = vault.read().catch(() => null);
    const wiped = vault.end(nowMs());
    const noteWiped = (result: 'done' | 'failed') =>
      parts.journal.note({ what: 'device-signed-out', result });
    wiped.then(
      () => noteWiped('done'),
      () => noteWiped('failed'),
    );
    await Promise.all([held, wiped, shown, authWindow.cancel()]);
    revocations.run();
    if (access !== undefined)
      runInBackground(endProviderSession(access, (await held)?.tokens.idToken ?? null));
    return accepted;
  };

  const endProviderSession = async (access: ProviderAccess, idToken: string | null) => {
    const status = await parts.signOutWindow.open(access, idToken);
    parts.journal.note({ what: 'provider-session', result: status });
    const { id: providerId } = access.client.provider;
    await dispatch({ type: 'provider-session-told', providerSession: { providerId, status } });
    parts.reopenPopup.show();
  };

  const cancel = async () => {
    if (session.status !== 'signing-in') return accepted;
    // Who cancels sees it at once.
    seen = problem('cancelled');
    const shown = dispatch({ type: 'sign-in-failed', attempt: session.attempt, problem: seen });
    await Promise.all([shown, authWindow.cancel()]);
    return accepted;
  };

  const showWindow = async (): Promise<Reply> =>
    (await authWindow.show())
      ? accepted
      : { ok: false, problem: problem('sign-in-page-failed', 'The sign-in window has not appeared yet.') };

  const useAnotherAccount = () => {
    const settled = settledSession(session);
    const providerId =
      settled.status === 'signed-in' ? settled.profile.providerId : settled.lastAccount?.providerId;
    if (providerId === undefined) throw new ProblemError('unexpected', 'There is no account to change.');
    return signIn(providerId, { prompt: 'select_account' });
  };

  const requestScope = async (scope: string) => {
    const held = await vault.read();
    const settled = settledSession(session);
    if (settled.status !== 'signed-in')
      throw new ProblemError('unexpected', 'Nobody is signed in who could allow more.');
    return signIn(settled.profile.providerId, {
      loginHint: settled.profile.email ?? undefined,
      additionalScope: joinScopes(held?.additionalScope ?? '', scope),
    });
  };

  const onPopupOpened = async () => {
    parts.toolbar.looked();
    revocations.run();
    if (leftOver !== null && isCurrent(leftOver.attempt)) runInBackground(resume(leftOver));
    leftOver = null;

    const settled = settledSession(session);
    const isSeen = seen !== null && noticeOf(settled) === seen;
    seen = noticeOf(settled);
    if (settled.status === 'signed-in') {
      runInBackground(keepFresh(isSeen));
      return accepted;
    }
    for (const [id, access] of providers) {
      if (providers.size <= maxWarmedProviders || id === settled.lastAccount?.providerId) access.warm();
    }
    if (isSeen) await dispatch({ type: 'notice-dismissed' });
    return accepted;
  };

  return {
    start,
    tell: dispatch,
    async onHostsAllowed() {
      await start();
      await dispatch({ type: 'notice-dismissed' });
      await onPopupOpened();
    },
    async whenIdle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async handle(command) {
      parts.journal.note({ what: 'command', command: command.type });
      await start();
      switch (command.type) {
        case 'open':
          return onPopupOpened();
        case 'sign-in':
          return signIn(command.providerId, { loginHint: command.hint });
        case 'cancel':
          return cancel();
        case 'show-window':
          return showWindow();
        case 'sign-out':
          return signOut(command.everywhere);
        case 'use-another-account':
          return useAnotherAccount();
        case 'request-scope':
          return requestScope(command.scope);
      }
    },
  };
}

/** Why more than the configured scope was not allowed, or null: by whom it should have been, and all that was asked. */
function findDenial(
  { before }: SigningIn,
  additionalScope: string | null,
  profile: Profile,
  grantedScope: string | null,
): string | null {
  if (additionalScope === null) return null;
  // Who was asked to allow more is the person who is signed in, and the feature that asked is theirs.
  if (before.status === 'signed-in' && !isSamePerson(before.profile, profile))
    return 'scope: allowed by another person than the one signed in';
  const denied = findDenied(additionalScope, grantedScope);
  return denied === null ? null : `scope: ${denied} was not granted`;
}
