// All rows of the contract.

import type { Row } from './row.ts';
import { lockRows } from './rows/locks.ts';
import { messageRows } from './rows/messages.ts';
import { popupRows } from './rows/popup.ts';
import { storageRows } from './rows/storage.ts';
import { windowRows } from './rows/windows.ts';

export const rows: readonly Row[] = [
  // First, because a popup opens only over the window in front, and the other rows open windows.
  ...popupRows,
  ...windowRows,
  ...storageRows,
  ...messageRows,
  ...lockRows,
];
