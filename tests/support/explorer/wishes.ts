// The requests of the person and the pages, in order. A refused request for a sign-in counts for nothing: what was asked for
// before it still holds.

import { settledSession, type Session } from '../../../src/session/session.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import type { WorkerLife } from './gates.ts';
import type { Person } from './ledger.ts';

/** `excluded`: a sign-in at a provider that a policy has excluded, before or since. */
type WishKind = 'sign-in' | 'sign-out' | 'cancel' | 'excluded';

/** The account that the person wanted to change, and when. */
interface Change {
  readonly subject: string;
  readonly atMs: number;
}

/** A command after which an older window may be closed. */
interface Wish {
  readonly number: number;
  kind: WishKind;
  /** The worker that got it. */
  readonly wisher: WorkerLife | null;
  /** Null if it asks for something else; undefined if it leaves what was asked for before, because a sign-in is running. */
  readonly another: Change | null | undefined;
  /** `pending` until its reply is there. */
  status: 'pending' | 'accepted' | 'refused';
}

export class Wishes {
  private readonly all: Wish[] = [
    { number: 0, kind: 'sign-in', wisher: null, another: null, status: 'accepted' },
  ];
  /** Who has agreed in a window, and the number of the newest wish then. */
  private readonly agreements: { readonly person: Person; readonly number: number }[] = [];

  /** The number of the newest wish, refused or not. */
  get newest(): number {
    return this.all.length - 1;
  }

  /**
   * The number of the newest wish that this worker can be busy with. It gets to the commands in their order, so those after the
   * first one without an answer have to wait.
   */
  reachedBy(life: WorkerLife): number {
    const busy = this.all.find(({ wisher, status }) => wisher === life && status === 'pending');
    return busy?.number ?? this.newest;
  }

  /** The last wish that was not refused, of those up to this number. */
  last(upTo = this.newest): Wish {
    // The first one is never refused.
    return this.holding().findLast(({ number }) => number <= upTo)!;
  }

  /**
   * Notes a command, before the worker gets it. `session` is on the board then, and `isRunning` says whether the worker runs the
   * sign-in that it shows. The result notes the reply.
   */
  note(
    command: Command,
    about: {
      readonly session: Session | null;
      readonly isRunning: boolean;
      readonly isExcluded: boolean;
      readonly life: WorkerLife;
      readonly nowMs: number;
    },
  ): (reply: Reply) => void {
    if (command.type === 'open' || command.type === 'show-window') return () => undefined;
    const isEnd = command.type === 'sign-out' || command.type === 'cancel';
    const wish: Wish = {
      number: this.all.length,
      kind: isEnd ? command.type : about.isExcluded ? 'excluded' : 'sign-in',
      wisher: about.life,
      another: about.isRunning ? undefined : toChange(command, about.session, about.nowMs),
      status: 'pending',
    };
    this.all.push(wish);
    return (reply) => {
      // A sign-out counts, even if no page can be shown.
      const isDone = reply.ok || (wish.kind === 'sign-out' && reply.problem.code === 'storage-failed');
      wish.status = isDone ? 'accepted' : 'refused';
    };
  }

  /** The windows of the sign-ins so far are to be closed, as after a cancel. */
  endSignIns(): void {
    for (const wish of this.all) if (wish.kind === 'sign-in') wish.kind = 'excluded';
  }

  noteAgreed(person: Person): void {
    this.agreements.push({ person, number: this.newest });
  }

  /** The account that is to be changed; null if that was not the last thing asked for, or if the person agreed to go on with it. */
  accountToChange(): Change | null {
    const { number = 0, another = null } =
      this.holding().findLast((wish) => wish.another !== undefined) ?? {};
    const hasAgreed = this.agreements.some((one) => one.number >= number && one.person === another?.subject);
    return hasAgreed ? null : another;
  }

  hasRefusedSignOut(): boolean {
    return this.all.some(({ kind, status }) => kind === 'sign-out' && status === 'refused');
  }

  /** A sign-out or a cancel that was refused may be done in part. */
  private holding(): Wish[] {
    return this.all.filter(
      ({ kind, status }) => status !== 'refused' || kind === 'sign-out' || kind === 'cancel',
    );
  }
}

function toChange(command: Command, session: Session | null, nowMs: number): Change | null {
  if (command.type !== 'use-another-account' || session === null) return null;
  const settled = settledSession(session);
  const account = settled.status === 'signed-in' ? settled.profile : settled.lastAccount;
  return account === null ? null : { subject: account.subject, atMs: nowMs };
}
