// Opens the popup: a signed-in user is there before React is.

import type { ReactElement } from 'react';
import type { Board } from '../bridge/session/board.ts';
import type { PageBoard } from '../bridge/session/page-board.ts';
import { markReady, nextPaint } from './after-paint.ts';
import type { Text } from './i18n/text.ts';
import type { PopupHeader } from './page.ts';
import { SignedInView } from './screens/SignedInView.tsx';
import { EmptyBoundary, toDom } from './to-dom.ts';

/** Starts React in `container`. With `hasFace` it takes over the content, which shows the present view of `board`. */
export type StartApp = (container: Element, text: Text, board: PageBoard, hasFace: boolean) => void;

/** After this time without a board, React shows that the popup is starting. */
const maxReadMs = 150;

/**
 * Shows `board` in `container` if it has a static view, and starts React after that has been painted. For any
 * other board, and without one, it starts React at once. A click on the static view waits for React. Rejects if `loadApp` does.
 */
export async function openPopup(
  container: Element,
  text: Text,
  header: PopupHeader,
  board: PageBoard,
  loadApp: () => Promise<StartApp>,
): Promise<void> {
  const maximum = new Promise((resolve) => setTimeout(resolve, maxReadMs));
  await Promise.race([board.firstRead, maximum]);
  const shown = board.getSnapshot();
  const face = shown.status === 'ready' ? toStaticView(shown.board, text, header) : null;
  if (face === null) {
    const startApp = await loadApp();
    startApp(container, text, board, false);
    return;
  }
  const repeatClicks = holdClicks();
  container.replaceChildren(...toDom(face));
  markReady();
  await nextPaint();
  const startApp = await loadApp();
  startApp(container, text, board, board.getSnapshot() === shown);
  repeatClicks();
}

/**
 * The static view: what the popup shows before React is loaded, for a user who is signed in, without a problem. Most openings show
 * it. Null for any other board. Its markup is the one that App.tsx renders, of components without hooks.
 */
export function toStaticView(board: Board, text: Text, header: PopupHeader): ReactElement | null {
  const { session } = board;
  if (session.status !== 'signed-in' || session.problem !== null) return null;
  return (
    <main data-status="signed-in">
      <SignedInView text={text} board={board} session={session} header={header}>
        <EmptyBoundary />
      </SignedInView>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is the result of a form */}
      <div role="status" aria-atomic="false" className="visually-hidden">
        {text('announcement_signed_in')}
      </div>
    </main>
  );
}

/** Holds all clicks back from now on. The function that it returns lets clicks pass again, and repeats the held ones. */
export function holdClicks(): () => void {
  const held: HTMLElement[] = [];
  const hold = (event: MouseEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.target instanceof Element && event.target.closest('button');
    // The second click of a double click presses nothing else.
    if (button && event.detail < 2) held.push(button);
  };
  addEventListener('click', hold, true);
  return () => {
    removeEventListener('click', hold, true);
    for (const button of held) if (button.isConnected) button.click();
  };
}
