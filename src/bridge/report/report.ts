// The report for support: the installation, and the last lines of the worker's journal.

import { providerIdOf, settledView } from '../../session/view.ts';
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
  /** Null if it can't be read. */
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
    ...(board === null ? ['board: cannot be read'] : describeBoard(board)),
    '',
    ...(lines.length === 0 ? ['nothing noted'] : lines),
    '',
  ].join('\n');
}

function describeBoard(board: Board): readonly string[] {
  const { session, providers, managed, policyProblem } = board;
  const { code, detail = null } = settledView(session).problem ?? {};
  return [
    `providers: ${providers.length}, ${managed ? 'chosen by policy' : 'as built'}`,
    ...(policyProblem === undefined ? [] : [`policy refused at: ${toPlace(policyProblem)}`]),
    `state: ${describeState(board)}`,
    ...(session.status === 'signed-out' && session.problem === null ? [] : [describeProvider(board)]),
    // The worker writes it without a provider's words. That of a refused policy may have a value of it.
    ...(detail === null ||
    (policyProblem !== undefined && code === 'provider-misconfigured' && detail.startsWith('policy: '))
      ? []
      : [`detail: ${detail}`]),
  ];
}

/** The provider of the session or of the last one; else all. */
function describeProvider({ session, providers }: Board): string {
  const id = session.status === 'signed-out' ? session.accounts[0]?.providerId : providerIdOf(session);
  return `provider: ${id ?? providers.map((one) => one.id).join(', ')}`;
}

/** Only the place of the mistake, because the value may name a user. */
function toPlace(problem: string): string {
  return problem.split(': ', 1)[0] ?? '';
}

function describeState({ session }: Board): string {
  const { problem } = settledView(session);
  const { diagnosis } = problem ?? {};
  const isOut = session.status === 'signed-out';
  return [
    session.status,
    !isOut && `since ${toTime(session.status === 'signing-in' ? session.startedAtMs : session.sinceMs)}`,
    !isOut && `provider ${providerIdOf(session)}`,
    problem?.code,
    diagnosis && `${diagnosis.cause} (${diagnosis.certainty})`,
  ]
    .filter(Boolean)
    .join(', ');
}

function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
