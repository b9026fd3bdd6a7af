// Remembers a sign-out that could not be stored in the record, for the next worker. Versions before the record remembered each
// sign-out with it.

import * as v from 'valibot';
import { createStorageItem, type StorageArea, type StorageItem } from '../../bridge/storage-item.ts';

/** The id of the session that the user has ended; true if it is not known. */
export type SignOutMark = StorageItem<string | true>;

/** The storage key of the mark. */
export const signOutMarkKey = 'signed-out-on-purpose';

/** The mark in `local`, which lasts. */
export function createSignOutMark(local: StorageArea): SignOutMark {
  return createStorageItem(local, signOutMarkKey, v.union([v.string(), v.literal(true)]));
}
