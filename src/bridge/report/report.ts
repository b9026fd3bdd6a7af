// The report for support: the installation, and the last entries of the worker's journal.

import type { Problem } from '../../session/problem.ts';
import { providerIdOf } from '../../session/session.ts';
import type { Board } from '../session/board.ts';
import type { StorageArea } from '../storage-item.ts';
import { createEntriesItem, type Entry } from './entries.ts';

/** Reads the journal from `area`. Never rejects: if storage fails the list is empty, because a report still helps. */
export async function readEntries(area: StorageArea): Promise<readonly Entry[]> {
  try {
    return (await createEntriesItem(area).read()) ?? [];
  } catch {
    return [];
  }
}

/** The installation, as a report describes it. None of it comes from a provider. */
export interface About {
  readonly nowMs: number;
  readonly product: string;
  readonly version: string;
  readonly extensionId: string;
  /** The browser's name, version and platform. */
  readonly browser: string;
  readonly language: string;
  readonly persistence: string;
  /** Null if it cannot be read. */
  readonly board: Board | null;
}

/** Writes the report as plain text. Always in English, because support reads it. */
export function toReport(entries: readonly Entry[], about: About): string {
  const { board } = about;
  return [
    `${about.product} ${about.version}, report of ${toTime(about.nowMs)}`,
    `browser: ${about.browser}`,
    `extension: ${about.extensionId}`,
    `language: ${about.language}`,
    `persistence: ${about.persistence}`,
    ...(board === null
      ? ['board: cannot be read']
      : [
          `providers: ${board.providers.length}, ${board.managed ? 'chosen by policy' : 'as built'}`,
          ...(board.policyProblem === undefined
            ? []
            : [`policy refused at: ${toPlace(board.policyProblem)}`]),
          `state: ${describeState(board)}`,
        ]),
    '',
    ...(entries.length === 0 ? ['nothing noted'] : entries.map(toLine)),
    '',
  ].join('\n');
}

/** The place of the mistake alone: the value beside it may name a person. */
function toPlace(problem: string): string {
  return problem.split(': ', 1)[0] ?? '';
}

function describeState({ session, providers }: Board): string {
  const settled = session.status === 'signing-in' ? session.before : session;
  return join([
    session.status,
    session.status === 'signing-in' && `since ${toTime(session.startedAtMs)}`,
    session.status === 'signed-in' && `since ${toTime(session.sinceMs)}`,
    session.status !== 'signed-out' &&
      `provider ${providers.findIndex(({ id }) => id === providerIdOf(session)) + 1}`,
    ...describeProblem(settled.problem),
  ]);
}

function describeProblem(problem: Problem | null): readonly (string | false)[] {
  if (problem === null) return [];
  const { code, diagnosis } = problem;
  return [code, diagnosis !== undefined && `${diagnosis.cause} (${diagnosis.certainty})`];
}

function toLine(entry: Entry): string {
  return `${toTime(entry.atMs)} ${describeEntry(entry)}`;
}

function describeEntry(entry: Entry): string {
  switch (entry.what) {
    case 'worker-started':
    case 'database-begun-anew':
      return entry.what;
    case 'browser-event':
      return `${entry.what}: ${entry.event}`;
    case 'command':
      return `${entry.what}: ${entry.command}`;
    case 'state':
      return join([
        `${entry.what}: ${entry.from} -> ${entry.to}`,
        entry.provider !== null && `provider ${entry.provider}`,
        entry.problem ?? false,
        entry.cause ?? false,
        entry.tookMs !== null && `after ${entry.tookMs} ms`,
      ]);
    case 'renewal':
      return `${entry.what}: ${entry.problem ?? 'done'}, after ${entry.tookMs} ms`;
    case 'endpoint-left-out':
      return `${entry.what}: ${entry.endpoint}, provider ${entry.provider}`;
    case 'device-signed-out':
    case 'revocation':
    case 'policy':
    case 'provider-session':
      return `${entry.what}: ${entry.result}`;
  }
}

function join(parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join(', ');
}

function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
