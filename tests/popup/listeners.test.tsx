// @vitest-environment happy-dom
// The listeners and timers of the parts of a page. A page lives as long as a tab or a side panel does, so
// both end with their part.

import { act, cleanup, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { detail } from '../../src/session/detail.ts';
import type { BoardView } from '../../src/bridge/session/observer.ts';
import { holdClicks } from '../../src/popup/open-popup.tsx';
import { adaSignedIn, signedOut, signingIn, toView } from '../support/fake-observer.ts';
import { followListeners } from '../support/listeners.ts';
import { renderPopup } from '../support/render-popup.tsx';

let listeners: ReturnType<typeof followListeners>;
beforeEach(() => {
  vi.useFakeTimers({ now: signingIn.startedAtMs, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  // The mark of the first paint is not what is counted here.
  vi.stubGlobal('requestAnimationFrame', () => 0);
  listeners = followListeners();
});
afterEach(() => {
  listeners.stop();
});

type Popup = ReturnType<typeof renderPopup>;

const press = (selector: string) =>
  act(async () => void fireEvent.click(document.querySelector(selector) ?? document.body));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const device = {
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://id.example/device',
  expiresAtMs: signingIn.startedAtMs + 900_000,
};
const problem = { code: 'clock-wrong', detail: detail`a detail` } as const;

interface Use {
  readonly view: BoardView;
  /** The user's steps. */
  readonly use?: (popup: Popup) => unknown;
  /** Ends that while the popup stays open. */
  readonly end?: (popup: Popup) => unknown;
  /** How many timers the screen has that is shown then. */
  readonly timers?: number;
}

const dispatch = (target: EventTarget, type: string) =>
  act(async () => void target.dispatchEvent(new Event(type)));
const signOut = ({ show }: Popup) => show(signedOut);

const uses: Readonly<Record<string, Use>> = {
  starts: { view: { status: 'starting' }, end: signOut },
  'shows who may sign in': { view: toView(signedOut) },
  'shows a sign-in': { view: toView(signingIn), end: signOut },
  'shows a user code': { view: toView({ ...signingIn, device }), use: () => pass(60_000), end: signOut },
  'opens and closes the account menu': {
    view: toView(adaSignedIn),
    use: () => press('#account-button'),
    end: () => press('#account-button'),
  },
  'closes the account menu with a click elsewhere': {
    view: toView(adaSignedIn),
    use: () => press('#account-button'),
    end: () => act(async () => void fireEvent.pointerDown(document.body)),
  },
  'copies a report until the user comes back from another window': {
    view: toView(adaSignedIn),
    async use() {
      await press('#account-button');
      await press('[role="menuitem"][data-action="copy-report"]');
    },
    end: () => dispatch(window, 'focus'),
  },
  'copies a detail until the user cuts something else': {
    view: toView({ ...signedOut, problem }),
    use: () => press('[data-action="copy-detail"]'),
    end: () => dispatch(document, 'cut'),
  },
  'misses a window until the user looks for it': {
    view: toView(signingIn),
    async use({ observer }) {
      observer.reply = () => ({ ok: false, problem: { code: 'sign-in-page-failed', detail: null } });
      await press('[data-action="show-window"]');
    },
    end: () => dispatch(window, 'blur'),
    // The screen offers another try later.
    timers: 1,
  },
};

/** The files whose listeners stay as long as the popup is open. */
const asLongAsThePopup = {
  'popup/hooks/use-double-click-guard.ts': 1,
  'popup/hooks/use-heading-focus.ts': 1,
};

describe('a popup that', () => {
  test.for(Object.entries(uses))(
    '%s listens and waits no longer',
    async ([, { view, use, end, timers = 0 }]) => {
      const popup = renderPopup(view);
      await use?.(popup);
      await end?.(popup);
      expect(listeners.left()).toEqual(asLongAsThePopup);
      expect(vi.getTimerCount()).toBe(timers);
    },
  );

  test.for(Object.entries(uses))('%s leaves nothing behind when it is closed', async ([, { view, use }]) => {
    const popup = renderPopup(view);
    await use?.(popup);
    cleanup();
    expect(listeners.left()).toEqual({});
    expect(vi.getTimerCount()).toBe(0);
    expect(popup.observer.listenerCount).toBe(0);
  });
});

test('the listener of an open menu is followed, and its file is named', async () => {
  renderPopup(toView(adaSignedIn));
  await press('#account-button');
  expect(listeners.left()).toEqual({ ...asLongAsThePopup, 'popup/hooks/use-menu.ts': 1 });
});

test('the clicks before React is there end with all that they have added', () => {
  holdClicks()();
  expect(listeners.left()).toEqual({});
});
