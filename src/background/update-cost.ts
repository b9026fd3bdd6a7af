// Whether a restart of the extension, as for an update, would cost a person something.

import { isEmpty } from './record/record.ts';
import type { Records } from './vault/records.ts';

export interface UpdateCostParts {
  readonly isKeptOnDevice: () => Promise<boolean>;
  readonly records: Pick<Records, 'read' | 'hasUnstored'>;
}

/** Returns whether a session, a token to revoke or a sign-in would be lost now. */
export async function isUpdateCostly({ isKeptOnDevice, records }: UpdateCostParts): Promise<boolean> {
  if (records.hasUnstored()) return true;
  // The key of the record is in the browser's memory too.
  return !(await isKeptOnDevice()) && !isEmpty((await records.read()).record);
}
