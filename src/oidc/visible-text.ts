// The text of a page as a user sees it, roughly and in linear time: a page may be 256 kB of anything.

/** Replaces scripts, styles and tags by spaces. A tag that does not end is text. */
export function toVisibleText(html: string): string {
  const lower = toLowerAscii(html);
  const ends = { script: endsAfter(lower, '</script>'), style: endsAfter(lower, '</style>') };
  const tagEnd = endsAfter(lower, '>');

  const findEnd = (start: number) => {
    const element = (['script', 'style'] as const).find((name) => isTagOf(lower, start, name));
    return (element === undefined ? null : ends[element](start)) ?? tagEnd(start);
  };

  let shown = '';
  let at = 0;
  for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', at)) {
    const end = findEnd(start);
    if (end === null) break;
    shown += `${html.slice(at, start)} `;
    at = end;
  }
  return shown + html.slice(at);
}

function isTagOf(lower: string, start: number, name: string): boolean {
  const after = start + 1 + name.length;
  return lower.startsWith(name, start + 1) && !/\w/.test(lower.charAt(after));
}

/** A function that returns where the next `mark` from a position ends, or null. Positions must not decrease. */
function endsAfter(text: string, mark: string): (from: number) => number | null {
  let next = 0;
  return (from) => {
    // A mark that wasn't found once isn't looked for again, which makes this linear.
    if (next !== -1 && next <= from) next = text.indexOf(mark, from);
    return next === -1 ? null : next + mark.length;
  };
}

/** Lower-cases the letters A to Z. Unlike `toLowerCase` it keeps the length, so positions stay valid. */
function toLowerAscii(text: string): string {
  // Nearly every text is pure ASCII, and then this is many times as fast.
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
