// Says what was found in place of a value.

import type * as v from 'valibot';
import type { Mistake } from './config-error.ts';
import { refusedKey } from './value-schema.ts';
import { quoteVisibly } from './visible.ts';

/** Converts an issue of valibot, whose message says what was expected, or why a key is refused. */
export function toMistake({ path, type, input, message }: v.BaseIssue<unknown>): Mistake {
  return {
    path: (path ?? []).map(({ key }) => key as string | number),
    text: type === refusedKey ? message : `${describe(input)}; expected ${message}`,
  };
}

/** Describes a value without revealing anything confidential in it. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return `found ${value}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? `found ${value}` : 'found a number that is too large';
  if (typeof value === 'string') return `found ${quote(value)}`;
  if (!Array.isArray(value)) return 'found an object';
  return value.length === 0 ? 'found an empty list' : `found a list of ${value.length}`;
}

/** Quotes at most 80 characters, without what may be a password before an "@", and without a query or fragment. */
export function quote(text: string): string {
  const colon = text.indexOf(':');
  const at = text.lastIndexOf('@');
  const withoutPassword = colon !== -1 && colon < at ? `…${text.slice(at)}` : text;
  const redacted = withoutPassword.replace(/([?#]).*/s, '$1…');
  return quoteVisibly(redacted.length > 80 ? `${redacted.slice(0, 80)}…` : redacted);
}
