// Notes what the worker does, for the report that support can ask for. No other part waits for it or reads it.

import { runLater, shortPause } from '../concurrency.ts';
import { journalKey, maxLines, readJournal } from '../bridge/report/journal-lines.ts';
import type { StorageArea } from '../bridge/session/board.ts';
import { safe, detail, type Detail } from '../session/detail.ts';
import type { Problem } from '../session/problem.ts';
import { providerIdOf, settledView } from '../session/view.ts';
import type { ViewListener } from './session/store.ts';

export interface Journal {
  /** Notes one step with the present time. A minor one is only written together with the next. Never throws. */
  note(step: Detail, isMinor?: boolean): void;
}

/**
 * A journal that keeps the newest lines in `area`, and passes each one to `print`. The storage is written when
 * `whenIdle` resolves. A write that fails is tried again with the next note.
 */
export function createJournal(
  area: StorageArea,
  nowMs: () => number,
  print?: (line: string) => void,
  whenIdle = shortPause,
): Journal {
  let isRead = false;
  /** The newest lines, with the stored ones once they've been read. */
  let lines: readonly string[] = [];

  // The same storage writes the board, for which a user waits.
  const write = runLater(async () => {
    if (!isRead) {
      const stored = await readJournal(area);
      // More may have been added in the meantime.
      lines = withinLimits([...stored, ...lines]);
      isRead = true;
    }
    await area.set({ [journalKey]: lines });
  }, whenIdle);

  return {
    note(step, isMinor = false) {
      const line = `${new Date(nowMs()).toISOString()} ${step}`;
      print?.(line);
      lines = withinLimits([...lines, line]);
      if (!isMinor) write();
    },
  };
}

/** Begins the line of a feature's request that failed. */
export const requestLine = safe('request');
/** A feature that asks again and again must not push the other lines out. */
const maxRequestLines = 20;

function withinLimits(lines: readonly string[]): readonly string[] {
  const isRequest = (line: string) => line.includes(` ${requestLine}: `);
  const excess = lines.filter(isRequest).length - maxRequestLines;
  let dropped = 0;
  return lines.filter((line) => !isRequest(line) || ++dropped > excess).slice(-maxLines);
}

/** A line's step, followed by what the details of a problem say. */
export function withDetail(step: Detail, problem: Pick<Problem, 'detail'> | null): Detail {
  return problem?.detail ? detail`${step} (${problem.detail})` : step;
}

/** A subscriber that notes each move of the session between two statuses, or to another problem. */
export function noteMoves(journal: Journal, nowMs: () => number): ViewListener {
  return (after, before, { problem }) => {
    const isMove = after.status !== before.status;
    if (!isMove && settledView(before).problem?.code === problem?.code) return;
    const session = after.status === 'signed-out' ? before : after;
    const providerId = session.status === 'signed-out' ? null : providerIdOf(session);
    const parts = [
      detail`state: ${safe(before.status)} -> ${safe(after.status)}`,
      providerId !== null && detail`provider ${safe(providerId)}`,
      problem !== null && safe(problem.code),
      problem?.diagnosis !== undefined && safe(problem.diagnosis.cause),
      before.status === 'signing-in' && isMove && detail`after ${nowMs() - before.startedAtMs} ms`,
    ];
    const step = safe(parts.filter(Boolean).join(', '));
    journal.note(withDetail(step, problem));
  };
}
