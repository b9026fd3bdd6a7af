// Notes what the worker does, for the report that support can ask for. No other part waits for it or reads it.

import * as v from 'valibot';
import { shortPause } from '../concurrency/pause.ts';
import { singleFlight } from '../concurrency/single-flight.ts';
import { journalKey, maxEntries, parseEntries, type Entry, type Note } from '../bridge/report/entries.ts';
import { createStorageItem, type StorageArea } from '../bridge/storage-item.ts';
import type { OptionalEndpoint } from '../oidc/discover.ts';
import type { SessionListener } from './session/store.ts';
import { providerIdOf, settledSession, type ProviderId, type Session } from '../session/session.ts';

export interface Journal {
  /** Notes one step with the present time. Never throws. */
  note(note: Note): void;
  /** The same for a step that is worth a write of the storage only together with the next one. */
  noteWithNext(note: Note): void;
}

/**
 * A journal that keeps the newest entries in `area`, and hands each one to `print`. The storage is written when
 * `mayBegin` resolves. One that fails is tried again with the next note.
 */
export function createJournal(
  area: StorageArea,
  nowMs: () => number,
  print?: (entry: Entry) => void,
  mayBegin = shortPause,
): Journal {
  // Which of them are entries is checked where they are shown: each worker that starts reads them, and nobody waits there.
  const item = createStorageItem<readonly unknown[]>(area, journalKey, v.array(v.unknown()));
  /** The stored entries; null until they are read. */
  let stored: readonly unknown[] | null = null;
  /** Notes that are not stored yet. A worker that starts has better to do than to check them. */
  let waiting: readonly object[] = [];

  /** Writes the waiting entries, and those that come meanwhile with the next write. */
  const write = singleFlight(async () => {
    // The same storage writes the board, for which a person waits.
    await mayBegin();
    while (waiting.length > 0) {
      stored ??= (await item.read()) ?? [];
      const written = waiting;
      // Only the words and numbers of the schema pass, whatever the types were made to believe.
      const entries = [...stored, ...parseEntries(written)].slice(-maxEntries);
      await item.write(entries);
      stored = entries;
      waiting = waiting.filter((noted) => !written.includes(noted));
    }
  });

  const noteWithNext = (note: Note) => {
    const noted = { ...note, atMs: nowMs() };
    if (print !== undefined) parseEntries([noted]).forEach(print);
    waiting = [...waiting, noted].slice(-maxEntries);
  };

  return {
    noteWithNext,
    note(note) {
      noteWithNext(note);
      write()
        // A write that was just ending has not seen this note.
        .then(() => (waiting.length > 0 ? write() : undefined))
        // They wait for the next note.
        .catch(() => undefined);
    },
  };
}

/** The providers that are offered now, in their order. */
type Offered = ReadonlyMap<ProviderId, unknown>;

/**
 * A subscriber that notes each move of the session. A provider is noted by its position among those `offered` then,
 * counted from one; 0 if it is not among them.
 */
export function noteMoves(journal: Journal, offered: Offered, nowMs: () => number): SessionListener {
  return (session, before) => {
    const note = toStateNote(session, before, [...offered.keys()], nowMs());
    if (note !== null) journal.note(note);
  };
}

/** A function that notes the endpoints of a provider that are not used, because their addresses cannot be. */
export function noteLeftOut(
  journal: Journal,
  offered: Offered,
): (providerId: ProviderId, endpoints: readonly OptionalEndpoint[]) => void {
  return (providerId, endpoints) => {
    const provider = [...offered.keys()].indexOf(providerId) + 1;
    for (const endpoint of endpoints) journal.note({ what: 'endpoint-left-out', provider, endpoint });
  };
}

/** The note of a move; null if neither the status nor the problem has changed. */
function toStateNote(
  after: Session,
  before: Session,
  ids: readonly ProviderId[],
  nowMs: number,
): Note | null {
  const [from, to] = [before.status, after.status];
  const { problem } = settledSession(after);
  if (from === to && settledSession(before).problem?.code === problem?.code) return null;
  const session = after.status === 'signed-out' ? before : after;
  return {
    what: 'state',
    from,
    to,
    provider: session.status === 'signed-out' ? null : ids.indexOf(providerIdOf(session)) + 1,
    problem: problem?.code ?? null,
    cause: problem?.diagnosis?.cause ?? null,
    tookMs: before.status === 'signing-in' && from !== to ? nowMs - before.startedAtMs : null,
  };
}
