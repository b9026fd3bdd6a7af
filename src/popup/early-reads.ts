// Reads the board and the page's language, before anything else in the popup runs.

import { findBoardArea } from '../bridge/session/board-area.ts';
import { startFirstRead } from '../bridge/session/first-read.ts';
import { locale } from './i18n/locale.ts';

export const firstRead = startFirstRead(findBoardArea());

/** The language of the page. The browser loads all messages for the first one, and the page waits for that. */
export const { language, direction } = locale();
