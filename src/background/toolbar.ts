// The toolbar button. Its icon and title show the session's status, and a badge asks for a click. It never names the user, because
// anyone who looks at the screen can read it. Also opens the popup after a sign-in.

import * as v from '../session/shape.ts';
import { readItem } from './storage.ts';
import type { StorageArea } from '../bridge/session/board.ts';
import { inTime, runLater, shortPause } from '../concurrency.ts';
import type { ProblemCode } from '../session/problem.ts';
import { settledView, type View } from '../session/view.ts';

/** The parts of the browser that the toolbar uses. */
export interface ToolbarBrowser {
  readonly action: {
    /** MDN doesn't list it for Firefox for Android. */
    setIcon?(details: { path: Record<string, string> }): Promise<void>;
    setTitle(details: { title: string }): Promise<void>;
    setBadgeText(details: { text: string }): Promise<void>;
    setBadgeBackgroundColor(details: { color: string }): Promise<void>;
  };
  readonly i18n: { getMessage(key: string, substitutions?: string[]): string };
}

export type Toolbar = ReturnType<typeof createToolbar>;

/** The problems that only the user can fix. */
const needsUser: readonly ProblemCode[] = [
  'expired',
  'interrupted',
  'host-permission-missing',
  'not-permitted',
  'clock-wrong',
];

const titles = ['toolbarSignedOut', 'toolbarSigningIn', 'toolbarSignedIn', 'toolbarNeedsYou'] as const;
const badgeColor = '#b3261e';

const noteSchema = v.object({
  /** Null while the button is changed: a worker that dies then leaves any part of it changed. */
  button: v.nullable(
    v.object({
      icon: v.picklist(['signed-out', 'signing-in', 'signed-in']),
      /** Null for the title of the manifest. */
      title: v.nullable(v.picklist(titles)),
      badge: v.picklist(['', '!']),
    }),
  ),
  isUnseen: v.boolean(),
});

type Note = v.InferOutput<typeof noteSchema>;
type Button = Readonly<NonNullable<Note['button']>>;

/** Where the button's state is stored: the browser's memory lasts exactly as long as that. */
const key = 'toolbar';

/** The button as the manifest describes it. */
const fresh: Note = { button: { icon: 'signed-out', title: null, badge: '' }, isUnseen: false };

/** A toolbar that shows the newest state when `whenIdle` resolves. */
export function createToolbar(browser: ToolbarBrowser, memory: StorageArea, whenIdle = shortPause) {
  let session: View | null = null;
  let isUnseen: boolean | undefined;
  let note: Note | null = null;

  /** Applies the changes since the last call, by this worker or the one before it. */
  const refresh = async () => {
    note ??= (await readItem(memory, key, noteSchema)) ?? fresh;
    isUnseen ??= note.isUnseen;
    if (session === null) return;
    const before: Partial<Button> = note.button ?? {};
    const next = toButton(session, isUnseen);
    const { action, i18n } = browser;
    // The members of a parsed note are in the order of the schema.
    const isChanged = JSON.stringify(next) !== JSON.stringify(before);
    if (!isChanged && isUnseen === note.isUnseen) return;
    note = { button: null, isUnseen };
    if (isChanged) await memory.set({ [key]: note }).catch(() => undefined);
    const changes = [
      next.icon !== before.icon && action.setIcon?.({ path: toIcon(next.icon) }),
      next.title !== before.title &&
        action.setTitle({ title: i18n.getMessage(next.title, [i18n.getMessage('extensionName')]) }),
      next.badge !== before.badge && action.setBadgeText({ text: next.badge }),
      next.badge === '!' && before.badge !== '!' && action.setBadgeBackgroundColor({ color: badgeColor }),
    ];
    await inTime(Promise.all(changes));
    note = { ...note, button: next };
    await memory.set({ [key]: note });
  };

  // Chromium reads and decodes an icon in the worker. After a failure it's tried again at once, because the next change may be
  // hours away.
  const change = runLater(() => refresh().catch(refresh), whenIdle);

  return {
    /** Shows the status of the view. */
    show(next: View): void {
      session = next;
      change();
    },
    /** Shows the badge, because a sign-in or sign-out has ended while no page was open. */
    requestAttention(): void {
      isUnseen = true;
      change();
    },
    /** Removes that badge: a page is open. */
    clearAttention(): void {
      isUnseen = false;
      change();
    },
  };
}

function toButton(session: View, isUnseen: boolean): Button & { readonly title: (typeof titles)[number] } {
  const { status, problem } = settledView(session);
  const shown = { icon: session.status };
  if (session.status === 'signing-in') return { ...shown, title: 'toolbarSigningIn', badge: '' };
  const code = problem?.code ?? null;
  // The user who canceled knows the result.
  if ((isUnseen && code !== 'cancelled') || (code !== null && needsUser.includes(code))) {
    return { ...shown, title: 'toolbarNeedsYou', badge: '!' };
  }
  return { ...shown, title: status === 'signed-in' ? 'toolbarSignedIn' : 'toolbarSignedOut', badge: '' };
}

/** Absolute paths, because a worker and a page resolve a relative one differently. */
function toIcon(icon: Button['icon']): Record<string, string> {
  const name = icon === 'signed-in' ? 'latchkey' : `latchkey-${icon}`;
  return { 16: `/icons/${name}-16.png`, 32: `/icons/${name}-32.png` };
}

// Opens the popup again when a sign-in has ended, because the sign-in window closed it.

/** The parts of the browser that tell its pages. An older Firefox has no `getContexts`; Firefox's event page has `getViews`. */
export interface PagesBrowser {
  readonly runtime: {
    getContexts?(filter: { contextTypes: ('POPUP' | 'TAB' | 'SIDE_PANEL')[] }): Promise<readonly unknown[]>;
  };
  readonly extension?: { getViews?(): readonly unknown[] };
}

/** The parts of the browser that this uses. */
export interface ReopenPopupBrowser extends PagesBrowser {
  readonly action: {
    openPopup(): Promise<void>;
  };
}

/**
 * Opens the popup unless a page of the extension is open. If the browser refuses, the toolbar asks for a click.
 * Resolves when the popup is open, or can't be opened. Never rejects.
 */
export async function reopenPopup(browser: ReopenPopupBrowser, toolbar: Toolbar): Promise<void> {
  try {
    if (!(await isPageOpen(browser))) await inTime(browser.action.openPopup());
  } catch {
    toolbar.requestAttention();
  }
}

/**
 * Whether a page of the extension is open, even in a background tab. Firefox reports its sidebar as a side panel.
 * Chromium doesn't report an options page that it shows inside its own page. Rejects as the browser's API does.
 */
export async function isPageOpen({ runtime, extension }: PagesBrowser): Promise<boolean> {
  const asked = runtime.getContexts?.({ contextTypes: ['POPUP', 'TAB', 'SIDE_PANEL'] });
  if (asked !== undefined) return (await inTime(asked)).length > 0;
  // The event page is one of the views itself.
  return (extension?.getViews?.() ?? []).length > 1;
}
