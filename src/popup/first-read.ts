// Reads the board. The build makes a script of its own of this file, which runs while the popup's other code is still
// being loaded. So it imports little, and the build copies that into the script: see tools/build/separate-pages.ts.

import { findBoardArea } from '../bridge/session/board-area.ts';
import { startFirstRead } from '../bridge/session/first-read.ts';

export const firstRead = startFirstRead(findBoardArea());
