// All rows of the contract.

import type { Row } from './row.ts';
import { databaseRows } from './rows/database.ts';
import { lockRows } from './rows/locks.ts';
import { messageRows } from './rows/messages.ts';
import { popupRows } from './rows/popup.ts';
import { storageRows } from './rows/storage.ts';
import { windowRows } from './rows/windows.ts';

export const rows: readonly Row[] = [
  // A popup opens over the window that is in front, so before any other window was there.
  ...popupRows,
  ...windowRows,
  ...storageRows,
  ...messageRows,
  ...lockRows,
  ...databaseRows,
];
