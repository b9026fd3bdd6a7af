// Runs the session: takes commands, moves the session by its transition function, and writes vault and board. The
// truth is in those two; what is held here in memory may be lost at any moment.

import type { Board, BoardStore } from '../bridge/board.ts';
import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationWishes,
} from '../oidc/authorize.ts';
import { redeemCode, requestUserInfo, type SignedInTokens } from '../oidc/redeem.ts';
import { isIncomplete, type ProfileClaims } from '../oidc/tokens.ts';
import type { Command, Reply } from '../session/commands.ts';
import { problem, ProblemError, toProblem, type Problem } from '../session/problem.ts';
import { reconcile } from '../session/reconcile.ts';
import {
  signedOut,
  standingOf,
  transition,
  type ProviderId,
  type Session,
  type SessionEvent,
} from '../session/session.ts';
import type { Announcement } from './announcement.ts';
import type { AuthWindow } from './auth-window.ts';
import type { ProviderAccess } from './provider-access.ts';
import type { Renewal } from './renewal.ts';
import type { Revocations } from './revocations.ts';
import type { Vault, VaultSession } from './vault.ts';

export interface SessionServiceParts {
  readonly boards: BoardStore;
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly authWindow: AuthWindow;
  readonly renewal: Renewal;
  readonly revocations: Revocations;
  readonly redirectUri: (providerId: ProviderId) => string;
  readonly nowMs: () => number;
  readonly announcement: Announcement;
}

export interface SessionService {
  /** Brings board and vault into agreement, once in a worker's life. Everything else waits for it. */
  start(): Promise<void>;
  /** Moves the session by what another part has done. */
  tell(event: SessionEvent): Promise<void>;
  /** Accepts or refuses a command. What comes of it is told by the board. */
  handle(command: Command): Promise<Reply>;
}

/** With more providers than this, a popup that opens warms none that was not used before. */
const mostWarmed = 5;

const accepted: Reply = { ok: true };

export function createSessionService(parts: SessionServiceParts): SessionService {
  const { boards, vault, providers, authWindow, renewal, revocations, nowMs } = parts;
  let session: Session = signedOut;
  let started: Promise<void> | null = null;
  let lastAttempt = 0;
  /** The problem that a page has shown: the next page to open need not tell it again. */
  let seen: Problem | null = null;
  let writing: Promise<unknown> = Promise.resolve();

  const toBoard = (): Board => ({
    version: 1,
    session,
    providers: [...providers.values()].map(({ connection: { provider } }) => ({
      id: provider.id,
      name: provider.name,
    })),
    managed: false,
  });

  /** Boards are written in the order of the sessions they show; the newest is the last. */
  const writeBoard = () => {
    const board = toBoard();
    const written = writing.then(() => boards.write(board));
    writing = written.catch(() => undefined);
    return written.catch((cause: unknown) => {
      throw new ProblemError('storage-failed', null, { cause });
    });
  };

  /** Moves the session at once, and resolves when the board shows it. */
  const dispatch = async (event: SessionEvent) => {
    const next = transition(session, event);
    if (next === session) return;
    session = next;
    await writeBoard();
  };

  const isCurrent = (attempt: number) => session.status === 'signing-in' && session.attempt === attempt;

  const start = () =>
    (started ??= (async () => {
      const [board, held] = await Promise.all([boards.read(), readHeld()]);
      session = reconcile(board?.session ?? null, held);
      if (session.status === 'signed-out' && held !== null) await vault.end(nowMs());
      await writeBoard();
    })().catch((error: unknown) => {
      started = null;
      throw error;
    }));

  /** The session in the vault, if it still belongs to a provider as it is configured today. */
  const readHeld = async (): Promise<VaultSession | null> => {
    const held = await vault.read();
    const provider = held === null ? undefined : providers.get(held.profile.providerId)?.connection.provider;
    return provider?.issuer === held?.issuer && provider?.clientId === held?.clientId ? held : null;
  };

  const signIn = async (providerId: ProviderId, wishes: AuthorizationWishes): Promise<Reply> => {
    if (session.status === 'signing-in') {
      await authWindow.show();
      return accepted;
    }
    const access = providers.get(providerId);
    if (access === undefined) throw new ProblemError('unexpected', `There is no provider "${providerId}".`);
    const attempt = (lastAttempt += 1);
    await dispatch({ type: 'sign-in-started', providerId, attempt, startedAtMs: nowMs() });
    void runSignIn(attempt, access, wishes);
    return accepted;
  };

  const runSignIn = async (attempt: number, access: ProviderAccess, wishes: AuthorizationWishes) => {
    try {
      const signedIn = await obtainTokens(access, wishes);
      await begin(attempt, access, signedIn);
    } catch (error) {
      // A board that cannot be written cannot tell so either; the next worker finds the sign-in interrupted.
      await dispatch({ type: 'sign-in-failed', attempt, problem: toProblem(error) }).catch(() => undefined);
    }
    parts.announcement.show();
  };

  const obtainTokens = async (
    access: ProviderAccess,
    wishes: AuthorizationWishes,
  ): Promise<SignedInTokens> => {
    const { connection, keys } = access;
    const metadata = await access.metadata();
    const redirectUri = parts.redirectUri(connection.provider.id);
    const request = await createAuthorizationRequest(connection, metadata, redirectUri, wishes);
    // Fetched while the person types, if they are old.
    access.warm();
    const responseUrl = await authWindow.open(request.url);
    const parameters = await readAuthorizationResponse(connection, metadata, request, responseUrl);
    return redeemCode(connection, metadata, keys, request, parameters);
  };

  const begin = async (
    attempt: number,
    access: ProviderAccess,
    { tokens, claims, profile }: SignedInTokens,
  ) => {
    const { issuer, clientId } = access.connection.provider;
    const signedInAtMs = nowMs();
    const next: VaultSession = {
      version: 1,
      id: crypto.randomUUID(),
      issuer,
      clientId,
      profile,
      signedInAtMs,
      generation: 1,
      tokens,
    };
    if (!isCurrent(attempt)) {
      await vault.discard(next, signedInAtMs);
      revocations.run();
      return;
    }
    await vault.begin(next);
    await dispatch({ type: 'sign-in-succeeded', attempt, profile });
    revocations.run();
    if (isIncomplete(profile)) void completeProfile(access, next, claims);
  };

  const completeProfile = async (access: ProviderAccess, begun: VaultSession, claims: ProfileClaims) => {
    try {
      const profile = await requestUserInfo(access.connection, await access.metadata(), begun.tokens, claims);
      if ((await vault.complete(begun, profile)) === 'kept')
        await dispatch({ type: 'profile-completed', profile });
    } catch {
      // The person is signed in either way; the profile stays what the ID token says.
    }
  };

  /** Renews what is stale, and takes away a problem that was seen and that no renewal has to do with. */
  const keepFresh = async (isSeen: boolean) => {
    await renewal.expectFresh();
    if (isSeen) await dispatch({ type: 'problem-seen' });
  };

  const signOut = async () => {
    // First in memory, so that whatever is under way finds itself overtaken before it can write.
    const shown = dispatch({ type: 'signed-out' });
    await Promise.all([vault.end(nowMs()), shown, authWindow.cancel()]);
    revocations.run();
    return accepted;
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
    const standing = standingOf(session);
    const providerId =
      standing.status === 'signed-in' ? standing.providerId : standing.lastAccount?.providerId;
    if (providerId === undefined) throw new ProblemError('unexpected', 'There is no account to change.');
    return signIn(providerId, { prompt: 'select_account' });
  };

  const welcome = async () => {
    parts.announcement.clear();
    revocations.run();
    const standing = standingOf(session);
    const isSeen = standing.problem !== null && standing.problem === seen;
    seen = standing.problem;
    if (standing.status === 'signed-in') {
      // Whatever goes wrong is on the board by then.
      void keepFresh(isSeen).catch(() => undefined);
    } else {
      for (const [id, access] of providers) {
        if (providers.size <= mostWarmed || id === standing.lastAccount?.providerId) access.warm();
      }
      if (isSeen) await dispatch({ type: 'problem-seen' });
    }
    return accepted;
  };

  return {
    start,
    tell: dispatch,
    async handle(command) {
      await start();
      switch (command.type) {
        case 'open':
          return welcome();
        case 'sign-in':
          return signIn(command.providerId, { loginHint: command.hint });
        case 'cancel':
          return cancel();
        case 'show-window':
          return showWindow();
        case 'sign-out':
          return signOut();
        case 'use-another-account':
          return useAnotherAccount();
      }
    },
  };
}
