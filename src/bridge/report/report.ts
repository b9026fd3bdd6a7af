// The report for support: the installation, and the last lines of the worker's journal.

import type { Problem } from '../../session/problem.ts';
import { providerIdOf } from '../../session/session.ts';
import type { Board } from '../session/board.ts';

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
export function toReport(lines: readonly string[], about: About): string {
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
    ...(lines.length === 0 ? ['nothing noted'] : lines),
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

function join(parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join(', ');
}

function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
