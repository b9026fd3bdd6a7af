// Shows on the board the user that the record holds, and ends a session that the settings do not allow.

import type { Problem } from '../../session/problem.ts';
import type { ViewEvent } from '../../session/transition.ts';
import type { StoredSession, WorkerRecord } from '../record/record.ts';
import type { RecordEvent } from '../record/event.ts';
import { findSessionEnd } from './permission.ts';
import type { SessionParts } from './parts.ts';

export interface FollowRecord {
  /** The board's news from a record. A session that the settings don't allow counts as absent. */
  toEvent(record: WorkerRecord): ViewEvent;
  /** Ends the session in the record if the settings do not allow it. Rejects if the storage fails. */
  endIfNotAllowed(): Promise<void>;
}

/** Follows the record from now on. */
export function createFollowRecord({
  store,
  records,
  providers,
  inForce,
  tasks,
}: SessionParts): FollowRecord {
  const findEnd = (session: StoredSession | null) => session && findSessionEnd(session, providers, inForce());

  const toEvent = (record: WorkerRecord, event?: RecordEvent): ViewEvent => ({
    type: 'record-changed',
    record,
    end: findEnd(record.session),
    ...findNews(record, event),
  });

  const endNow = async ({ session }: WorkerRecord) => {
    const problem = findEnd(session);
    if (session !== null && problem !== null)
      await records.dispatchOrHold({ type: 'ended', cause: session, former: 'works', problem });
  };

  records.subscribe((record, _before, event) => {
    store.applyFromRecord(toEvent(record, event));
    if (findEnd(record.session) !== null) tasks.runInBackground(endNow(record));
  });

  return {
    toEvent,
    endIfNotAllowed: async () => endNow(await records.read()),
  };
}

/** The problem that an event has brought the session of `record`, or null if it has taken one away. */
function findNews({ session }: WorkerRecord, event: RecordEvent | undefined): { problem?: Problem | null } {
  switch (event?.type) {
    case 'ended':
      return session === null ? { problem: event.problem } : {};
    case 'renewal-failed':
      return event.cause.id === session?.id ? { problem: event.failure.problem } : {};
    case 'renewed':
      return event.cause.id === session?.id ? { problem: null } : {};
    default:
      return {};
  }
}
