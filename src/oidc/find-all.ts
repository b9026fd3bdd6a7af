// Finds a pattern in a text in linear time, with the algorithm of Knuth, Morris and Pratt. `indexOf` takes the product
// of both lengths for a pattern and a text that repeat one letter.

export interface Matches {
  /** Where the pattern starts, overlapping places included. */
  readonly starts: readonly number[];
  /** How many characters at the end of the text are the beginning of the pattern, but not all of it. */
  readonly cut: number;
}

export function findAll(text: string, pattern: string): Matches {
  // Of a pattern that is longer than the text, only the beginning can be found.
  const borders = toBorders(pattern.slice(0, text.length + 1));
  const starts: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (matched === pattern.length) matched = borders[matched - 1] ?? 0;
    while (matched > 0 && text[at] !== pattern[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === pattern[matched]) matched += 1;
    if (matched === pattern.length) starts.push(at + 1 - matched);
  }
  return { starts, cut: matched === pattern.length ? (borders[matched - 1] ?? 0) : matched };
}

/** For each beginning of the pattern, the length of its longest proper beginning that is also its end. */
function toBorders(pattern: string): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
