// Whether a restart of the extension, as for an update, would cost a person something.

import type { BoardStore } from '../bridge/session/board.ts';
import type { Attempts } from './session/attempts.ts';
import { isEmpty } from './record/record.ts';
import type { Records } from './vault/records.ts';

export interface UpdateCostParts {
  readonly isKeptOnDevice: () => Promise<boolean>;
  readonly records: Pick<Records, 'read' | 'hasUnstored'>;
  readonly boards: Pick<BoardStore, 'read'>;
  readonly attempts: Attempts;
}

/** Returns whether a session, a token to revoke or a sign-in would be lost now. */
export async function isUpdateCostly({
  isKeptOnDevice,
  records,
  boards,
  attempts,
}: UpdateCostParts): Promise<boolean> {
  if (records.hasUnstored()) return true;
  // The key of the record is in the browser's memory too.
  const isKept = (await isKeptOnDevice()) || isEmpty((await records.read()).record);
  return !isKept || (await isResumable(boards, attempts));
}

/** Whether the last worker left a sign-in behind that the next popup resumes. */
async function isResumable(boards: Pick<BoardStore, 'read'>, attempts: Attempts): Promise<boolean> {
  const session = (await boards.read())?.session;
  return session?.status === 'signing-in' && (await attempts.find(session)) !== null;
}
