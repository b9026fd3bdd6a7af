// Reads the board and the page's language. The build makes a script of its own of this file, which runs while the popup's
// other code is still being loaded. So it imports little, and the build copies that into the script: see
// tools/build/first-read.ts.

import { findBoardArea } from '../bridge/session/board-area.ts';
import { startFirstRead } from '../bridge/session/first-read.ts';
import { locale } from './i18n/locale.ts';

export const firstRead = startFirstRead(findBoardArea());

/** The language of the page. The browser loads all messages for the first one, and the page waits for that. */
export const { language, direction } = locale();
