// Leaves the place where a build with the other `persistence` kept the session: nothing stays readable there.

import type { StorageArea } from '../../bridge/storage-item.ts';
import { strict, type Database, type WithDatabase } from './database.ts';
import { openRevocations, sealPending, type SealedRevocation } from './pending-revocations.ts';
import { allDpopNames, openSession } from './session-record.ts';
import {
  createRevocationKey,
  sessionKey,
  toLooseToken,
  type PendingRevocation,
  type RevocationKey,
} from './vault-records.ts';
import type { KeyPlace } from './vault-key.ts';

export interface FormerPlaceParts {
  readonly withDatabase: WithDatabase;
  /** The place of the vault's key in this build. */
  readonly key: KeyPlace;
  /** Its place in a build with the other `persistence`. */
  readonly formerKey: KeyPlace;
  /** The storage area that such a build used for the board and the journal. */
  readonly formerArea: StorageArea;
  /** The names of the items in that area. */
  readonly formerItems: readonly string[];
  readonly nowMs: () => number;
}

/**
 * The key of this build, for its vault. Before it is first used, the former session is removed with its keys, its board
 * and its journal, and its refresh token and the pending revocations are queued for the vault of this build. If the
 * storage fails, `expect` rejects, and its next call continues.
 */
export function leaveFormerPlaceFirst(parts: FormerPlaceParts): Pick<KeyPlace, 'expect'> {
  let isLeft = false;
  return {
    async expect() {
      const key = parts.key.expect();
      // Meanwhile: this finds nothing nearly always, and a worker that starts waits for the key.
      if (!isLeft) await Promise.all([key, leaveFormerPlace(parts, key)]);
      isLeft = true;
      return key;
    },
  };
}

async function leaveFormerPlace(parts: FormerPlaceParts, key: Promise<CryptoKey>): Promise<void> {
  const { formerKey, formerArea, formerItems } = parts;
  const isStored = async (item: string) => item in (await formerArea.get(item));
  const [former, ...areStored] = await Promise.all([formerKey.find(), ...formerItems.map(isStored)]);
  if (former !== null) {
    await moveTokens(parts, await key, former);
    // Last: without it, what is left could not be opened any more.
    await formerKey.remove();
  }
  await Promise.all(
    formerItems.filter((_, index) => areStored[index]).map((item) => formerArea.remove(item)),
  );
}

async function moveTokens(
  { withDatabase, nowMs }: FormerPlaceParts,
  own: CryptoKey,
  former: CryptoKey,
): Promise<void> {
  await withDatabase(async (database) => {
    const session = await openSession(database, former);
    const pending = new Map(await openRevocations(database, former));
    const token = session === null ? null : toLooseToken(session);
    if (token !== null) {
      const times = { queuedAtMs: nowMs(), endedAtMs: nowMs() };
      pending.set(createRevocationKey(), { ...token, ...times, version: 2, tries: 0 });
    }
    await replace(database, await sealAll(own, pending), session !== null);
  });
}

function sealAll(
  key: CryptoKey,
  pending: ReadonlyMap<RevocationKey, PendingRevocation>,
): Promise<readonly SealedRevocation[]> {
  const sealing = [...pending].map(async ([name, revocation]) => ({
    key: name,
    sealed: await sealPending(key, name, revocation),
  }));
  return Promise.all(sealing);
}

async function replace(
  database: Database,
  revocations: readonly SealedRevocation[],
  hasSession: boolean,
): Promise<void> {
  const transaction = database.transaction(['vault', 'keys'], 'readwrite', strict);
  const [records, keys] = [transaction.objectStore('vault'), transaction.objectStore('keys')];
  await Promise.all([
    ...(hasSession ? [records.delete(sessionKey), keys.delete(allDpopNames())] : []),
    ...revocations.map(({ key, sealed }) => records.put(sealed, key)),
    transaction.done,
  ]);
}
