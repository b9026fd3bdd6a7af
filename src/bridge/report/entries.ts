// The entries of the worker's journal. An entry consists of words from closed lists and of numbers, so it cannot
// contain personal data or a secret.

import * as v from 'valibot';
import type { Command } from '../../session/commands.ts';
import { once } from '../../concurrency/once.ts';
import { causes, problemCodes } from '../../session/problem.ts';
import type { Session } from '../../session/session.ts';
import { createStorageItem, type StorageArea, type StorageItem } from '../storage-item.ts';

const entrySchema = once(() => {
  const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15));
  const durationMs = v.pipe(v.number(), v.safeInteger());
  const status = v.picklist(['signed-out', 'signing-in', 'signed-in'] satisfies Session['status'][]);
  const code = v.nullable(v.picklist(problemCodes));
  const entry = <const What extends string, const Members extends v.ObjectEntries>(
    what: What,
    members: Members,
  ) => v.strictObject({ atMs: timeMs, what: v.literal(what), ...members });

  return v.union([
    entry('worker-started', {}),
    entry('database-begun-anew', {}),
    entry('browser-event', {
      event: v.picklist([
        'install',
        'update',
        'browser-update',
        'startup',
        'update-available',
        'hosts-allowed',
      ]),
    }),
    entry('command', {
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
    entry('state', {
      from: status,
      to: status,
      /** The provider's position in the configuration, starting at 1; null if there is none. */
      provider: v.nullable(v.pipe(v.number(), v.safeInteger())),
      problem: code,
      cause: v.nullable(v.picklist(causes)),
      /** How long the sign-in took; null unless this change ended one. */
      tookMs: v.nullable(durationMs),
    }),
    entry('renewal', { problem: code, tookMs: durationMs }),
    /** An endpoint that is not used, because it is not https or its host is not configured. */
    entry('endpoint-left-out', {
      provider: v.pipe(v.number(), v.safeInteger()),
      endpoint: v.picklist([
        'userinfo_endpoint',
        'revocation_endpoint',
        'end_session_endpoint',
        'pushed_authorization_request_endpoint',
      ]),
    }),
    entry('device-signed-out', {
      result: v.picklist(['done', 'failed']),
    }),
    entry('revocation', {
      result: v.picklist(['done', 'unsupported', 'refused', 'failed']),
    }),
    /** The administrator's policy: a new one holds, none holds any more, or a wrong one is not used. */
    entry('policy', {
      result: v.picklist(['applied', 'none', 'refused']),
    }),
    entry('provider-session', {
      result: v.picklist(['ended', 'open']),
    }),
  ]);
});

/** One line of the journal. `atMs` is in milliseconds since the epoch. */
export type Entry = Readonly<v.InferOutput<ReturnType<typeof entrySchema>>>;

type WithoutTime<One> = One extends Entry ? Omit<One, 'atMs'> : never;
/** An entry before the journal adds its time. */
export type Note = WithoutTime<Entry>;

/** The storage key of the entries, in the same area as the board. */
export const journalKey = 'journal';
/** The journal's maximum length: some days of ordinary use, and still readable as a whole. */
export const maxEntries = 60;

/** The stored entries, as {@link parseEntries} validates them. */
export function createEntriesItem(area: StorageArea): StorageItem<readonly Entry[]> {
  return createStorageItem(area, journalKey, v.pipe(v.unknown(), v.transform(parseEntries)));
}

/** Validates stored entries, oldest first, and drops everything that is not exactly an entry. */
export function parseEntries(stored: unknown): Entry[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(-maxEntries).flatMap((one) => {
    const result = v.safeParse(entrySchema(), one);
    return result.success ? result.output : [];
  });
}
