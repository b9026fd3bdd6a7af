// Decides which URLs are safe from eavesdroppers: one rule for the configuration, the provider's metadata and pictures.

/** Parses an absolute URL, as the URL standard says. Returns null if `text` isn't one. */
export function parseUrl(text: string): URL | null {
  // Not `URL.canParse`: Node 20, which runs the build, returns false for Latin-1 letters once the call is optimized.
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The hosts of this computer, as `URL.hostname` writes them. */
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether `text` is an `https:` URL, or an `http:` URL of this computer, whose traffic never leaves it. */
export function isSecureUrl(text: string): boolean {
  return toSecureOrigin(text) !== null;
}

/** The origin of a secure URL; null for any other value. */
export function toSecureOrigin(value: unknown): string | null {
  const url = typeof value === 'string' ? parseUrl(value) : null;
  const isLoopback = url?.protocol === 'http:' && loopbackHosts.includes(url.hostname);
  return url?.protocol === 'https:' || isLoopback ? url.origin : null;
}

/** Whether `text` is the URL of a server on this computer. */
export function isLoopbackUrl(text: string): boolean {
  return loopbackHosts.includes(parseUrl(text)?.hostname ?? '');
}
