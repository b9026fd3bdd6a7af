// Finds the word that somebody meant.

/** The first of `words` that `written` is most like. Undefined when none is like enough to be meant. */
export function findNearest(written: string, words: readonly string[]): string | undefined {
  for (const edits of [0, 1, 2]) {
    const found = words.find(
      (word) => edits <= word.length / 3 && isWithin(edits, toPlain(written), toPlain(word)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `clientId`, `client_id` and `CLIENT-ID` are one word. */
function toPlain(word: string): string {
  return word.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Whether that many letters added, dropped or exchanged make `one` into `other`. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (edits === 0) return false;
  // They differ somewhere, if only where one of them ends.
  let same = 0;
  while (one[same] === other[same]) same += 1;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  return (
    isWithin(edits - 1, rest.slice(1), otherRest) ||
    isWithin(edits - 1, rest, otherRest.slice(1)) ||
    isWithin(edits - 1, rest.slice(1), otherRest.slice(1))
  );
}
