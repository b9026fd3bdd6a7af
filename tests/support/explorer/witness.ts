// The worker as the user, the pages and the provider see it, and the faults in that at this moment.

import type { Command, Reply } from '../../../src/session/commands.ts';
import { settledView, type SignedIn, type SignedOut, type View } from '../../../src/session/view.ts';
import type { Held } from '../held.ts';
import { apiOrigin } from '../scripted-api.ts';
import type { WorkerLife } from './gates.ts';
import type { Violation } from './invariants.ts';
import type { Stage } from './stage.ts';

/** Something that the user or a page has asked for, and waits for. */
export interface Asked {
  readonly what: Command['type'] | 'fetch';
  readonly life: WorkerLife;
  readonly reply: () => Reply | 'settled' | null;
}

export class Witness {
  readonly asked: Asked[] = [];
  /** The sign-ins that the board has shown as cancelled or failed, by the time of their start. */
  readonly cancelled = new Set<number>();
  /** Whether the user has ended a sign-in, by a click or by closing its window. */
  hasUserEnded = false;
  /** Whether a policy or an update has been there that ends sessions. */
  mayAnyEnd = false;
  /** The violations that were seen. */
  readonly seen: Violation[] = [];
  private shown: View | null = null;
  /** The session that a write has left last, and how much had been asked for when it was new. */
  private written: { readonly session: NonNullable<Held['session']>; readonly asked: number } | null = null;
  private readonly stage: Stage;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** The user on the board and in the record; null between the two writes of a change. */
  user(): string | null {
    const shown = shownIn(this.stage.session());
    return this.written?.session.subject === shown ? shown : null;
  }

  /** Looks at what a write has left. */
  async look(): Promise<Held> {
    const [before, session] = [this.shown, this.stage.session()];
    this.shown = session;
    const isBack = before?.status === 'signed-out' && shownIn(session) !== null && this.isSigningOut();
    if (isBack && this.asked.at(-1)?.life === this.stage.life)
      this.seen.push({ invariant: 'wish', detail: `${shownIn(session)} is shown again` });
    const isCancelled =
      before?.status === 'signing-in' &&
      session !== null &&
      session.status !== 'signing-in' &&
      toBegin(session) === toBegin(before.before);
    const problem = session === null ? null : settledView(session).problem;
    if (isCancelled && problem?.code === 'cancelled' && !this.hasUserEnded)
      this.seen.push({ invariant: 'own', detail: 'one is shown as cancelled' });
    if (isCancelled) this.cancelled.add(before.startedAtMs);
    // Another one began in the same millisecond.
    else if (session?.status === 'signing-in') this.cancelled.delete(session.startedAtMs);
    const held = await this.stage.held();
    this.noteReplaced(held);
    return held;
  }

  /** Compares the session in the record with the one before. */
  private noteReplaced({ session }: Held): void {
    const { written: former } = this;
    if (former !== null && former.session.startedAtMs === session?.startedAtMs) {
      const { accessToken } = former.session;
      // A renewal replaces an access token that is about to end, or that an API has refused. It isn't revoked.
      if (accessToken !== null && accessToken !== session.accessToken)
        this.stage.provider.replace(accessToken);
    } else if (former !== null && session === null && !this.mayEnd(former)) {
      this.seen.push({ invariant: 'lasts', detail: `that of ${former.session.subject} has ended` });
    }
    const isSame = former !== null && former.session.startedAtMs === session?.startedAtMs;
    this.written = session && { session, asked: isSame ? former.asked : this.asked.length };
  }

  /** Whether something has happened for which a session may end. */
  private mayEnd({ session, asked }: NonNullable<Witness['written']>): boolean {
    const { refreshToken, startedAtMs } = session;
    return (
      this.mayAnyEnd ||
      this.asked.slice(asked).some(({ what }) => what === 'sign-out') ||
      this.isSigningOut() ||
      this.cancelled.has(startedAtMs) ||
      refreshToken === null ||
      !this.stage.provider.isLive(refreshToken)
    );
  }

  /** Whether the user has asked for a sign-out, answered or not, and for no sign-in since. */
  isSigningOut(): boolean {
    return this.asked.findLast(({ what }) => /^sign-|account/.test(what))?.what === 'sign-out';
  }

  /** Whether a sign-out is the last thing that was asked for. One without a reply, or a refused sign-in, counts for nothing. */
  isSignedOut(): boolean {
    const last = this.asked.findLast(({ what, reply }) => {
      const answer = reply();
      if (what === 'sign-out' || what === 'cancel') return true;
      const whenIdle = ['sign-in', 'use-another-account', 'request-scope', 'step-up'].includes(what);
      if (!whenIdle || answer === null || answer === 'settled' || answer.ok) return whenIdle;
      // The sign-in has begun. Only the board couldn't be written in time.
      return answer.problem.code === 'storage-failed';
    });
    return last?.what === 'sign-out' && last.reply() !== null;
  }

  /** A command is accepted, unless a call fails that it needs. None asks again for what the user has done. */
  async checkReply({ type }: Command, reply: Reply, before: View | null): Promise<void> {
    const { faults } = this.stage;
    const isRefused = !reply.ok && reply.problem.code === 'storage-failed';
    if (isRefused && !faults.isHampered && !faults.isDiskFull)
      this.seen.push({ invariant: 'served', detail: `${type} is refused` });
    if (type !== 'try-again' || before?.status !== 'signing-in') return;
    const { session } = await this.stage.held();
    const shown = this.stage.session();
    if (session?.startedAtMs === before.startedAtMs && shown?.status === 'signing-in')
      this.seen.push({ invariant: 'own', detail: 'one that has succeeded begins again' });
  }

  /** Whether nothing keeps a feature's request of this user from being answered, whatever the provider does. */
  async isServable(user: string | null, origin: string): Promise<boolean> {
    const { faults, isClockSetBack, isOnline } = this.stage;
    const { session } = await this.stage.held();
    const isShown = this.stage.session()?.status === 'signed-in' && shownIn(this.stage.session()) === user;
    if (faults.isHampered || faults.isDiskFull || this.mayAnyEnd || isClockSetBack || !isOnline) return false;
    if (session?.subject !== user || !isShown || this.isSigningOut()) return false;
    // The other API's token comes from a refresh token.
    const mayRenew = origin === apiOrigin || session.refreshToken !== null;
    return this.stage.provider.accepts(session.accessToken, origin) || (mayRenew && this.mayRenew(session));
  }

  /**
   * Whether a renewal succeeds, with the refresh token or silently: at its second try, if one call of the first has failed. A provider
   * without grace may end the grant then.
   */
  private mayRenew({ refreshToken, subject }: NonNullable<Held['session']>): boolean {
    const { provider, faults, isDisturbed } = this.stage;
    const isLive = provider.isLive(refreshToken ?? '');
    if (isDisturbed || faults.failed > 1) return false;
    if (faults.failed === 0) return isLive || provider.user === subject;
    return (
      isLive && provider.kind !== 'rotates' && faults.planned.every(({ what }) => what.endsWith('fails'))
    );
  }
}

/** The subject of the user on a board, also under a running sign-in. */
export function shownIn(session: View | null): string | null {
  const settled = session === null ? null : settledView(session);
  return settled?.status === 'signed-in' ? settled.profile.subject : null;
}

/** When the user was signed in; null while no one is. */
function toBegin(session: SignedOut | SignedIn): number | null {
  return session.status === 'signed-in' ? session.sinceMs : null;
}
