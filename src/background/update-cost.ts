// Whether a restart of the extension, as for an update, would cost a person something.

import type { BoardStore } from '../bridge/session/board.ts';
import type { Attempts } from './session/attempts.ts';
import type { Vault } from './vault/vault.ts';

export interface UpdateCostParts {
  readonly isKeptOnDevice: () => Promise<boolean>;
  readonly vault: Vault;
  readonly boards: Pick<BoardStore, 'read'>;
  readonly attempts: Attempts;
}

/** Returns whether a session, a token to revoke or a sign-in would be lost now. */
export async function isUpdateCostly({
  isKeptOnDevice,
  vault,
  boards,
  attempts,
}: UpdateCostParts): Promise<boolean> {
  // The vault's key is in the browser's memory too.
  return (!(await isKeptOnDevice()) && !(await isEmpty(vault))) || (await isResumable(boards, attempts));
}

/** Whether the vault holds neither a session nor a token that is still to be revoked. */
async function isEmpty(vault: Vault): Promise<boolean> {
  return (await vault.read()) === null && (await vault.pendingRevocations()).size === 0;
}

/** Whether the last worker left a sign-in behind that the next popup resumes. */
async function isResumable(boards: Pick<BoardStore, 'read'>, attempts: Attempts): Promise<boolean> {
  const session = (await boards.read())?.session;
  return session?.status === 'signing-in' && (await attempts.find(session)) !== null;
}
