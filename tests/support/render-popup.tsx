// The popup in a document without a browser, with a fake of the session observer.

import { act, configure, render } from '@testing-library/react';
import type { Board, BoardView } from '../../src/bridge/session/observer.ts';
import { App } from '../../src/popup/App.tsx';
import { type Page, PageContext } from '../../src/popup/page.ts';
import type { View } from '../../src/session/view.ts';
import { FakeObserver, toView } from './fake-observer.ts';
import { toPage } from './page.ts';

// A busy machine may take longer than a second to load or paint something.
configure({ asyncUtilTimeout: 10_000 });

export interface PopupSetup extends Partial<Page> {
  readonly openedAtMs?: number;
}

/** The rule that lets `checkVisibility` see what's hidden. */
function hideHidden(): void {
  const style = document.createElement('style');
  style.textContent = '[hidden] { display: none; }';
  document.head.replaceChildren(style);
}

/** Renders the popup. `show` changes the board, as the worker does. */
export function renderPopup(view: BoardView, { openedAtMs = Date.now(), ...page }: PopupSetup = {}) {
  hideHidden();
  const observer = new FakeObserver(view);
  const { container } = render(
    <PageContext value={toPage(page)}>
      <App observer={observer} openedAtMs={openedAtMs} />
    </PageContext>,
  );
  const show = (session: View, changes?: Partial<Board>) =>
    act(async () => observer.show(toView(session, changes)));
  return { container, observer, show };
}
