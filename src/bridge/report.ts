// The report that support can use: what the worker noted of its last steps, and what is installed where. An entry is
// made of words from closed lists and of numbers, so that nothing about a person and no secret has a place in it.

import * as v from 'valibot';
import type { Command } from '../session/commands.ts';
import { causes, problemCodes, type Problem } from '../session/problem.ts';
import type { Session } from '../session/session.ts';
import type { Board } from './board.ts';

const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15));
const durationMs = v.pipe(v.number(), v.safeInteger());
const status = v.picklist(['signed-out', 'signing-in', 'signed-in'] satisfies Session['status'][]);
const code = v.nullable(v.picklist(problemCodes));

const entrySchema = v.variant('what', [
  v.strictObject({ atMs: timeMs, what: v.literal('worker-started') }),
  v.strictObject({
    atMs: timeMs,
    what: v.literal('browser-event'),
    event: v.picklist([
      'install',
      'update',
      'browser-update',
      'startup',
      'update-available',
      'hosts-allowed',
    ]),
  }),
  v.strictObject({
    atMs: timeMs,
    what: v.literal('command'),
    command: v.picklist([
      'open',
      'sign-in',
      'cancel',
      'show-window',
      'sign-out',
      'use-another-account',
      'request-scope',
    ] satisfies Command['type'][]),
  }),
  v.strictObject({
    atMs: timeMs,
    what: v.literal('state'),
    from: status,
    to: status,
    /** Which of the configured providers it is about, counted from one. */
    provider: v.nullable(v.pipe(v.number(), v.safeInteger())),
    problem: code,
    cause: v.nullable(v.picklist(causes)),
    /** How long the sign-in took that has ended. */
    tookMs: v.nullable(durationMs),
  }),
  v.strictObject({ atMs: timeMs, what: v.literal('renewal'), problem: code, tookMs: durationMs }),
  v.strictObject({
    atMs: timeMs,
    what: v.literal('device-signed-out'),
    result: v.picklist(['done', 'failed']),
  }),
  v.strictObject({
    atMs: timeMs,
    what: v.literal('revocation'),
    result: v.picklist(['done', 'refused', 'failed']),
  }),
  v.strictObject({
    atMs: timeMs,
    what: v.literal('provider-session'),
    result: v.picklist(['ended', 'open']),
  }),
]);

export type Entry = Readonly<v.InferOutput<typeof entrySchema>>;

type WithoutTime<One> = One extends Entry ? Omit<One, 'atMs'> : never;
/** An entry before it has its time. */
export type Note = WithoutTime<Entry>;

/** Where the entries lie, beside the board. */
export const journalKey = 'journal';
/** So many are kept: some days of ordinary use, and still short enough to be read. */
export const mostEntries = 60;

/** The entries out of storage, oldest first. What is not exactly one is left out. */
export function parseEntries(stored: unknown): Entry[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(-mostEntries).flatMap((one) => {
    const result = v.safeParse(entrySchema, one);
    return result.success ? result.output : [];
  });
}

/** The entries that the worker keeps in `area`, as far as they can be read: a report without them still helps. */
export async function readEntries(area: {
  get(key: string): Promise<Record<string, unknown>>;
}): Promise<Entry[]> {
  try {
    return parseEntries((await area.get(journalKey))[journalKey]);
  } catch {
    return [];
  }
}

/** What a report says of the installation. None of it comes from a provider. */
export interface About {
  readonly nowMs: number;
  readonly product: string;
  readonly version: string;
  readonly extensionId: string;
  /** Name, version and platform. */
  readonly browser: string;
  readonly language: string;
  readonly persistence: string;
  /** Null where it cannot be read. */
  readonly board: Board | null;
}

/** The report as plain text, in English, whoever reads the popup in which language: support reads it. */
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
          `state: ${describeState(board)}`,
        ]),
    '',
    ...(entries.length === 0 ? ['nothing noted'] : entries.map(toLine)),
    '',
  ].join('\n');
}

function describeState({ session, providers }: Board): string {
  const standing = session.status === 'signing-in' ? session.before : session;
  return join([
    session.status,
    session.status === 'signing-in' && `since ${toTime(session.startedAtMs)}`,
    session.status === 'signed-in' && `since ${toTime(session.sinceMs)}`,
    session.status !== 'signed-out' &&
      `provider ${providers.findIndex(({ id }) => id === session.providerId) + 1}`,
    ...describeProblem(standing.problem),
  ]);
}

function describeProblem(problem: Problem | null): readonly (string | false)[] {
  if (problem === null) return [];
  const { code, finding } = problem;
  return [code, finding !== undefined && `${finding.cause} (${finding.certainty})`];
}

function toLine(entry: Entry): string {
  return `${toTime(entry.atMs)} ${describeEntry(entry)}`;
}

function describeEntry(entry: Entry): string {
  switch (entry.what) {
    case 'worker-started':
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
    case 'device-signed-out':
    case 'revocation':
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
