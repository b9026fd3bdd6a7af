// The popup's entry point. It imports little: React comes after the first paint.

import { popupHeader } from 'latchkey:config';
import { findBoardArea } from '../bridge/session/board-area.ts';
import { watchBoard } from '../bridge/session/page-board.ts';
import { lookUp, toPageText } from './i18n/page-text.ts';
import { openPopup } from './open-popup.tsx';

// The board is read while everything else begins.
const board = watchBoard(findBoardArea());
const text = toPageText(lookUp);

function start(): void {
  // index.html has it.
  const container = document.querySelector('#popup') as Element;
  void openPopup(container, text, popupHeader, board, async () => (await import('./start-app.tsx')).startApp);
}

// This script may run before the page has been parsed.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
