// Notes what the worker does, for the report that support can ask for. No other part waits for it or reads it.

import { runLater } from '../concurrency/later.ts';
import { shortPause } from '../concurrency/pause.ts';
import { journalKey, maxLines, readJournal } from '../bridge/report/journal-lines.ts';
import type { StorageArea } from '../bridge/storage-item.ts';
import type { OptionalEndpoint } from '../oidc/discover.ts';
import { trusted, words, type Detail } from '../session/detail.ts';
import { providerIdOf, settledSession, type ProviderId } from '../session/session.ts';
import type { SessionListener } from './session/store.ts';

export interface Journal {
  /** Notes one step with the present time. Never throws. */
  note(step: Detail): void;
  /** The same for a minor step, which is only written together with the next one. */
  noteWithNext(step: Detail): void;
}

/**
 * A journal that keeps the newest lines in `area`, and passes each one to `print`. The storage is written when
 * `mayBegin` resolves. A write that fails is tried again with the next note.
 */
export function createJournal(
  area: StorageArea,
  nowMs: () => number,
  print: (line: string) => void = () => undefined,
  mayBegin = shortPause,
): Journal {
  let isRead = false;
  /** The newest: once the stored ones are read, with those. */
  let lines: readonly string[] = [];

  // The same storage writes the board, for which a person waits.
  const write = runLater(async () => {
    if (!isRead) {
      const stored = await readJournal(area);
      // Some may have come meanwhile.
      lines = [...stored, ...lines].slice(-maxLines);
      isRead = true;
    }
    await area.set({ [journalKey]: lines });
  }, mayBegin);

  const noteWithNext = (step: Detail) => {
    const line = `${new Date(nowMs()).toISOString()} ${step}`;
    print(line);
    lines = [...lines, line].slice(-maxLines);
  };

  return {
    noteWithNext,
    note(step) {
      noteWithNext(step);
      write();
    },
  };
}

/** The providers that are offered now. A line names one by its position, counted from one; 0 if it is not among them. */
type Offered = ReadonlyMap<ProviderId, unknown>;

const toPosition = (offered: Offered, id: ProviderId) => [...offered.keys()].indexOf(id) + 1;

/** A subscriber that notes each move of the session between two statuses, or to another problem. */
export function noteMoves(journal: Journal, offered: Offered, nowMs: () => number): SessionListener {
  return (after, before) => {
    const { problem } = settledSession(after);
    const isMove = after.status !== before.status;
    if (!isMove && settledSession(before).problem?.code === problem?.code) return;
    const session = after.status === 'signed-out' ? before : after;
    const parts = [
      words`state: ${trusted(before.status)} -> ${trusted(after.status)}`,
      session.status !== 'signed-out' && words`provider ${toPosition(offered, providerIdOf(session))}`,
      problem !== null && trusted(problem.code),
      problem?.diagnosis !== undefined && trusted(problem.diagnosis.cause),
      before.status === 'signing-in' && isMove && words`after ${nowMs() - before.startedAtMs} ms`,
    ];
    journal.note(trusted(parts.filter(Boolean).join(', ')));
  };
}

/** A function that notes the endpoints of a provider that are not used, because their addresses cannot be. */
export function noteLeftOut(
  journal: Journal,
  offered: Offered,
): (providerId: ProviderId, endpoints: readonly OptionalEndpoint[]) => void {
  return (providerId, endpoints) => {
    for (const endpoint of endpoints)
      journal.note(
        words`endpoint-left-out: ${trusted(endpoint)}, provider ${toPosition(offered, providerId)}`,
      );
  };
}
