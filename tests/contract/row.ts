// A row of the contract: something that a browser does, as code that runs in an extension, and the lines that it notes. The
// same code runs in Chromium, in Firefox and in the fakes of the tests.

import type { Browser, Events } from 'webextension-polyfill';
import type { Line } from '../../src/bridge/line/line.ts';

/** The browsers that the contract compares. */
export type Manner = 'chromium' | 'firefox';

export interface Row {
  /** A sentence about the browser. */
  readonly behaviour: string;
  /** Where the code runs: in the worker by default. */
  readonly in?: 'worker' | 'page';
  readonly run: (probe: Probe) => Promise<unknown>;
  /** The lines that the row notes, in order. */
  readonly notes: Notes | Readonly<Record<Manner, Notes>>;
}

export type Notes = readonly string[];

/** A page at the provider. */
export type ProviderPage =
  /** Waits until the user agrees, and then redirects. */
  | 'asks'
  /** Redirects at once, without a page. */
  | 'redirects'
  /** Never begins to answer. */
  | 'hangs'
  /** Its server cannot be reached. */
  | 'cannot load'
  /** Redirects by a script, some time after it has loaded. */
  | 'answers late'
  /** Asks the user who has typed there whether to leave it. */
  | 'asks to leave'
  /** Closes its window by a script. */
  | 'closes itself'
  /** Sends its answer to the redirect URI by a form, in the body. */
  | 'posts its answer'
  /** Has the browser ask for a name and password (RFC 7617). */
  | 'has the browser ask';

/** Everything that happens outside of the extension. */
export type Act =
  | 'the user agrees'
  | 'the user closes the window'
  | 'the page that hangs fails'
  | 'the user follows a link to a page with 401'
  | 'the user follows a link to a mail program'
  | 'the user clicks a slow link twice'
  | 'the user types in the window'
  | 'the page asks whether to leave it'
  | 'the window becomes a tab'
  | 'the user closes the popup'
  | 'the worker ends'
  | 'another site opens a window'
  | 'the other page closes'
  | 'a page opens that holds a lock'
  | 'a page opens that holds a line';

export type Watchable<Arguments extends unknown[]> = Pick<
  Events.Event<(...args: Arguments) => void>,
  'addListener' | 'removeListener'
>;

export interface Probe {
  readonly browser: Browser;
  /** The line of a page to the worker. */
  readonly line: Line;
  /** Asks the worker over that line, and resolves with its answer. Rejects if the line is lost. */
  ask(what: string, value?: unknown): Promise<unknown>;
  readonly locks: Pick<LockManager, 'request'>;
  /** Adds a line to the notes. */
  note(line: string): void;
  /** Notes each event until the row ends. A line of null is left out. */
  watch<Arguments extends unknown[]>(
    event: Watchable<Arguments>,
    toLine: (...args: Arguments) => string | null,
  ): void;
  /** Notes how a promise settles, and resolves then. */
  settles(what: string, promise: Promise<unknown>): Promise<void>;
  /** Asks in one task after the other until it is so. */
  until(isSo: () => Promise<boolean> | boolean): Promise<void>;
  /** Resolves when a line has been noted. */
  noted(line: string): Promise<void>;
  /** The address of a page at the provider. */
  at(page: ProviderPage): string;
  /** How often the page that asks has been loaded in this row. */
  loads(): Promise<number>;
  /** Resolves when it has happened. */
  outside(act: Act): Promise<void>;
}

/** The notes of a row in a browser. */
export function notesIn({ notes }: Row, manner: Manner): Notes {
  return 'chromium' in notes ? notes[manner] : notes;
}
