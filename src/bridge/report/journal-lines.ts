// The worker's journal as it's stored: the newest lines, oldest first. Like a problem's detail, each line consists of our own
// words, codes and numbers, so no line contains personal data or a secret.

import type { StorageArea } from '../session/board.ts';

/** The storage key of the journal, in the same area as the board. */
export const journalKey = 'journal';
/** The journal's maximum length: some days of ordinary use, and still readable as a whole. */
export const maxLines = 60;

/**
 * A time, a word that says what happened, and more words and numbers, perhaps with an origin of the configuration, or the details of
 * a problem in brackets.
 */
const linePattern =
  /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [a-z-]+(?:: [\w:>, -]{1,150}(?:https?:\/\/[\w.:[\]-]{1,300}|\([^\p{C}\p{Zl}\p{Zp}]{1,300}\))?)?$/u;

/** Resolves with the newest {@link maxLines} that are stored, without anything that isn't a line. Rejects if storage fails. */
export async function readJournal(area: Pick<StorageArea, 'get'>): Promise<readonly string[]> {
  const stored = (await area.get(journalKey))[journalKey];
  return Array.isArray(stored) ? stored.slice(-maxLines).filter(isLine) : [];
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && linePattern.test(value);
}
