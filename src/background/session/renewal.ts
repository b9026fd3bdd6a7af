// Keeps the tokens usable: renewed when somebody needs them and they are about to end, once for all who ask.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { AnotherSubject, renewTokens } from '../../oidc/renew.ts';
import { isInteractionRequired, isTransient } from '../../oidc/rejection.ts';
import { isStale } from '../../oidc/tokens.ts';
import { ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { ProviderId, SessionEvent } from '../../session/session.ts';
import type { Journal } from '../journal.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import { isSameTokens, type VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';

export interface Renewal {
  /**
   * The session with tokens that can be used now; null when nobody is signed in (any more). What a renewal does
   * to the session, good or bad, is told to everyone by `tell`.
   * Throws {@link ProblemError}: when the provider itself has ended the session, and then it has ended here too;
   * or when the tokens could not be renewed this time, which costs nothing.
   */
  expectFresh(): Promise<VaultSession | null>;
  /**
   * The session with other tokens than those of `refused`, which an API does not take although their time is not
   * up. They are renewed once for all who were refused. Throws as {@link expectFresh} does.
   */
  replace(refused: VaultSession): Promise<VaultSession | null>;
}

/** The session is at its end, and why. */
class SessionOver extends ProblemError {
  constructor(cause: ProblemError) {
    super(cause.code, cause.detail, { cause });
  }
}

/** Whether a renewal has shown that the person may not go on: they are another, or are not let in any more. */
function isDismissal(error: unknown): error is ProblemError {
  return (
    error instanceof SessionOver ||
    error instanceof AnotherSubject ||
    (error instanceof ProblemError && error.code === 'not-permitted')
  );
}

export interface RenewalParts {
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly signIn: SignIn;
  readonly nowMs: () => number;
  readonly tell: (event: SessionEvent) => Promise<void>;
  readonly journal: Journal;
}

export function createRenewal({ vault, providers, signIn, nowMs, tell, journal }: RenewalParts): Renewal {
  /** When the silent way was last tried ahead of need: where it fails, not each request is to wait for it. */
  let triedAheadAtMs = -Infinity;

  /** New tokens with the refresh token; null where there is none, or where the provider refuses it. */
  const redeemRefreshToken = async (session: VaultSession, access: ProviderAccess) => {
    const { tokens, profile, dpopKey, authenticatedAtMs } = session;
    const { refreshToken } = tokens;
    if (refreshToken === null) return null;
    try {
      const current = { ...tokens, refreshToken };
      const { client, keys } = access;
      const metadata = await access.metadata();
      return {
        tokens: await renewTokens(client, metadata, keys, current, profile.subject, dpopKey),
        dpopKey,
        authenticatedAtMs,
      };
    } catch (error) {
      if (toProblem(error).code === 'expired') return null;
      throw isDismissal(error) ? new SessionOver(error) : error;
    }
  };

  /** New tokens by the silent way, of the same person. */
  const signInAgain = async (session: VaultSession, access: ProviderAccess) => {
    try {
      const { tokens, profile, dpopKey } = await signIn.silently(access, {
        loginHint: session.profile.email ?? undefined,
        additionalScope: session.additionalScope,
      });
      if (profile.subject === session.profile.subject) {
        return { tokens, dpopKey, authenticatedAtMs: nowMs() };
      }
      await vault.discard({ ...session, profile, tokens }, nowMs());
      throw new SessionOver(new ProblemError('expired'));
    } catch (error) {
      if (isDismissal(error)) throw new SessionOver(error);
      throw isEnd(session, error)
        ? new SessionOver(new ProblemError('expired', null, { cause: error }))
        : error;
    }
  };

  /** Whether this session's refresh tokens end soon, whatever is done with them, and it is time to try the silent way. */
  const isDueAhead = ({ authenticatedAtMs }: VaultSession, { client }: ProviderAccess) => {
    const { refreshTokenSeconds } = client.provider;
    return (
      refreshTokenSeconds !== null &&
      nowMs() >= authenticatedAtMs + refreshTokenSeconds * 1000 * silentRenewalShare &&
      Math.abs(nowMs() - triedAheadAtMs) >= minPauseMs
    );
  };

  /** New tokens by the silent way before the refresh token ends; null where there is time, or where it fails. */
  const signInAhead = async (session: VaultSession, access: ProviderAccess) => {
    if (!isDueAhead(session, access)) return null;
    triedAheadAtMs = nowMs();
    try {
      return await signInAgain(session, access);
    } catch {
      // The tokens are still there, and are used as long as they last.
      return null;
    }
  };

  /** Whether a failed silent way says that the session is over, and not merely that it could not be asked. */
  const isEnd = ({ tokens }: VaultSession, error: unknown) =>
    isInteractionRequired(error) ||
    // The refresh token has been refused as well, so there is nothing left to wait for but a network.
    (tokens.refreshToken !== null && !isTransient(error));

  const renew = async (
    session: VaultSession,
    access: ProviderAccess,
    isRefused: boolean,
  ): Promise<VaultSession | null> => {
    const ahead = await signInAhead(session, access);
    if (ahead === null && !isRefused && !isStale(session.tokens, nowMs())) return session;
    const renewed =
      ahead ?? (await redeemRefreshToken(session, access)) ?? (await signInAgain(session, access));
    if ((await vault.renew(session, renewed)) === 'kept') {
      await tell({ type: 'session-marked', problem: null });
    } else {
      // A sign-out or another sign-in came first, and it wins.
      await vault.discard({ ...session, ...renewed }, nowMs());
    }
    return vault.read();
  };

  const expectUsable = async (refused: VaultSession | null) => {
    const session = await vault.read();
    const access = session === null ? undefined : providers.get(session.profile.providerId);
    if (session === null || access === undefined) return session;
    const isRefused = isSameTokens(refused, session);
    if (!isRefused && !isStale(session.tokens, nowMs()) && !isDueAhead(session, access)) return session;
    const startedAtMs = nowMs();
    const note = (problem: ProblemCode | null) =>
      journal.note({ what: 'renewal', problem, tookMs: nowMs() - startedAtMs });
    try {
      const renewed = await renew(session, access, isRefused);
      if (renewed !== session) note(null);
      return renewed;
    } catch (error) {
      const problem = toProblem(error);
      note(problem.code);
      if (!(error instanceof SessionOver)) await tell({ type: 'session-marked', problem });
      else if ((await vault.expire(session)) === 'ended') await tell({ type: 'session-ended', problem });
      throw error;
    }
  };

  const once = singleFlight(expectUsable);

  return {
    expectFresh: () => once(null),
    async replace(refused) {
      // What is under way may bring them, or may have found those that are refused to be fresh.
      const current = await once(refused);
      return isSameTokens(current, refused) ? once(refused) : current;
    },
  };
}

/** Of a refresh token's life, what is let pass before the silent way is tried. */
const silentRenewalShare = 0.75;

/** Between two tries of the silent way ahead of need. */
const minPauseMs = 10 * 60_000;
