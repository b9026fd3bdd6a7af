// The windows of the browser: ours, which the provider's pages are in, and those of others, which nobody may touch.

import type { FakeWindow } from '../fake-browser.ts';
import type { WorkerLife } from './gates.ts';
import type { Wishes } from './wishes.ts';

/** A sign-in or sign-out window of ours. Nobody knows its id before it is shown. */
export interface OwnWindow {
  readonly window: FakeWindow;
  /** The worker that waits for its end. */
  readonly life: WorkerLife;
  /** The number of the newest wish for which the worker can have asked for it. */
  readonly wish: number;
  status: 'launched' | 'shown' | 'ended';
  /** Whether it appeared when its worker was dead, so that no worker can know of it. */
  isUnknown: boolean;
}

/** The ids of others' windows begin here. */
const firstOtherId = 900;

export class Windows {
  readonly own: OwnWindow[] = [];
  /** How many windows others have opened. */
  others = 0;
  /** The ids of others' windows that the worker raised or closed. */
  readonly touchedOthers: number[] = [];
  /** Our windows that the worker closed that had asked for them, and the number of the newest wish then. */
  private readonly closed: { readonly own: OwnWindow; readonly newest: number }[] = [];
  private readonly wishes: Wishes;

  constructor(wishes: Wishes) {
    this.wishes = wishes;
  }

  /** The newest of our windows with this status. */
  newest(status: OwnWindow['status']): OwnWindow | undefined {
    return this.own.findLast((one) => one.status === status);
  }

  /** How many of our windows are open of which a worker can know. */
  countShown(): number {
    return this.own.filter(({ status, isUnknown }) => status === 'shown' && !isUnknown).length;
  }

  /** Whether this worker waits for the end of a window. */
  isAwaitedBy(life: WorkerLife | null): boolean {
    return this.own.some((one) => one.status !== 'ended' && one.life === life);
  }

  /** The id of another window of others. */
  openOther(): number {
    this.others += 1;
    return firstOtherId + this.others;
  }

  /** The worker with this life has raised or closed the window with this id. */
  touch(id: number, isClosed: boolean, life: WorkerLife): void {
    const own = this.own.find(({ window }) => window.id === id);
    if (own === undefined) this.touchedOthers.push(id);
    else if (isClosed && own.status === 'shown') {
      own.status = 'ended';
      if (own.life === life) this.closed.push({ own, newest: this.wishes.newest });
    }
  }

  /** The windows that a worker closed although nothing was wished since it asked for them itself. */
  closedInUse(): OwnWindow[] {
    const found = this.closed.filter(({ own, newest }) => {
      // It may be known only later that a wish was refused.
      const last = this.wishes.last(newest);
      // The worker may ask for the window of a command when the next one was given already. A cancel wants none.
      return own.wish >= last.number && last.kind === (isEndSession(own) ? 'sign-out' : 'sign-in');
    });
    return found.map(({ own }) => own);
  }

  show(own: OwnWindow): void {
    own.status = 'shown';
    own.isUnknown = own.life.isOver;
    own.window.appear();
  }

  redirect(own: OwnWindow, url: string): void {
    own.status = 'ended';
    own.window.redirect(url);
  }

  close(own: OwnWindow): void {
    own.status = 'ended';
    own.window.close();
  }

  fail(own: OwnWindow, text: string): void {
    own.status = 'ended';
    own.window.fail(text);
  }

  /** Closes all, as the end of the browser does. */
  forgetAll(): void {
    for (const own of this.own) if (own.status !== 'ended') this.close(own);
  }
}

/** Whether the window shows the page for ending the session at the provider. */
function isEndSession({ window }: OwnWindow): boolean {
  return new URL(window.url).searchParams.has('post_logout_redirect_uri');
}
