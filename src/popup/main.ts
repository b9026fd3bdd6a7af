// The popup's entry point. It imports little: React comes after the first paint.

import { popupHeader, privacyUrl, support } from 'latchkey:config';
import { findBoardArea } from '../bridge/session/board-area.ts';
import { watchBoard } from '../bridge/session/page-board.ts';
import { locale, lookUp } from './i18n/locale.ts';
import { createText } from './i18n/text.ts';
import { openPopup } from './open-popup.ts';

// The board is read while everything else begins.
const board = watchBoard(findBoardArea());
const { language, direction } = locale();
const text = createText(lookUp, language, { support, privacyUrl });
document.documentElement.lang = language;
document.documentElement.dir = direction;
document.title = text('extensionName');

function start(): void {
  const container = document.querySelector('#popup');
  if (container === null) throw new Error('The page has no element #popup: see index.html.');
  void openPopup(container, text, popupHeader, board, async () => (await import('./start-app.tsx')).startApp);
}

// This script may run before the page has been parsed.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
