// Letters of ASCII.

/** Lower-cases the letters A to Z. Unlike `toLowerCase` it keeps the length, so positions stay valid. */
export function toLowerAscii(text: string): string {
  // Nearly every text is ASCII alone, and this is many times as fast.
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
