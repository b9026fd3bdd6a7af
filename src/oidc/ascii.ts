// Letters of ASCII.

/** Lower-cases the letters A to Z. Unlike `toLowerCase` it keeps the length, so positions stay valid. */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
