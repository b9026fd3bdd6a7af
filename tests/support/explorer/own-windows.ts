// The windows of the browser: ours, which the provider's pages are in, and those of others, which nobody may touch.

import type { FakeWindow } from '../fake-browser.ts';
import type { WorkerLife } from './gates.ts';

/** A sign-in or sign-out window of ours. Nobody knows its id before it is shown. */
export interface OwnWindow {
  readonly window: FakeWindow;
  /** The worker that waits for its end. */
  readonly life: WorkerLife;
  /** The value of {@link Windows.wishes} when the worker asked for it. */
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
  /** How many commands there were after which an older window may be closed. */
  wishes = 0;
  /** The kind of the last of these commands. */
  lastWish: 'sign-in' | 'sign-out' | 'cancel' = 'sign-in';
  /** The worker that got the last of these commands. */
  wisher: WorkerLife | null = null;
  /** The ids of windows that a worker closed although nothing was wished since it asked for them itself. */
  readonly closedInUse: number[] = [];

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
      // The worker may ask for the window of a command when the next one was given already. A cancel wants none.
      const isForLast = this.lastWish === (isEndSession(own) ? 'sign-out' : 'sign-in');
      if (own.wish === this.wishes && own.life === life && isForLast) this.closedInUse.push(id);
    }
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
