// Suggests the word that a misspelled one was meant to be.

/**
 * Returns the most similar of `words`, the first if several are equally similar, or undefined if none is
 * similar enough: at most two edits, and at most one per three letters.
 */
export function findNearest(written: string, words: readonly string[]): string | undefined {
  const plain = toPlain(written);
  for (const edits of [0, 1, 2]) {
    const match = words.find((word) => edits <= word.length / 3 && isWithin(edits, plain, toPlain(word)));
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Treats `clientId`, `client_id` and `CLIENT-ID` as the same word. */
function toPlain(word: string): string {
  return word.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Whether at most `edits` insertions, deletions or substitutions turn `one` into `other`. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (edits === 0) return false;
  // The words differ, so this ends at the latest where the shorter one does.
  let same = 0;
  while (one[same] === other[same]) same += 1;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  return (
    isWithin(edits - 1, rest.slice(1), otherRest) ||
    isWithin(edits - 1, rest, otherRest.slice(1)) ||
    isWithin(edits - 1, rest.slice(1), otherRest.slice(1))
  );
}
