// Parses a URL without an exception.

/** Parses an absolute URL, as the URL standard says. Returns null if `text` is none. */
export function parseUrl(text: string): URL | null {
  // Not `URL.canParse`: Node 20, which runs the build, returns false for Latin-1 letters once the call is optimized.
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
