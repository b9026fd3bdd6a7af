// Opens the popup: a signed-in person is there before React is.

import { parseBoard } from '../bridge/session/board.ts';
import type { FirstRead } from '../bridge/session/first-read.ts';
import { nextPaint } from './after-paint.ts';
import { holdClicks } from './early-clicks.ts';
import { toFirstFace } from './first-face.tsx';
import type { Text } from './i18n/text.ts';
import { markReady } from './ready-mark.ts';
import { toDom } from './to-dom.ts';

/** Starts React in `container`. With `hasFace` it takes over the content, which shows the newest board. */
export type StartApp = (container: Element, text: Text, hasFace: boolean) => void;

/** After this time without a board, React shows that the popup is starting. */
const maxReadMs = 150;

/**
 * Shows the board of `firstRead` in `container` if it has a first face, and starts React after that has been painted. For any
 * other board, and without one, it starts React at once. A click on the first face waits for React. Rejects if `loadApp` does.
 */
export async function openPopup(
  container: Element,
  text: Text,
  firstRead: FirstRead,
  loadApp: () => Promise<StartApp>,
): Promise<void> {
  const maximum = new Promise((resolve) => setTimeout(resolve, maxReadMs));
  await Promise.race([firstRead.done, maximum]);
  const shown = firstRead.newest();
  const board = shown.status === 'read' ? parseBoard(shown.value) : null;
  const face = board && toFirstFace(board, text);
  if (face === null) {
    const startApp = await loadApp();
    startApp(container, text, false);
    return;
  }
  const repeatClicks = holdClicks();
  container.replaceChildren(...toDom(face));
  markReady();
  await nextPaint();
  const startApp = await loadApp();
  startApp(container, text, firstRead.newest() === shown);
  repeatClicks();
}
