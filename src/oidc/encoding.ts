// Texts as providers write them: base64url, JSON and JWTs.

/** Encodes bytes as base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Decodes base64url to a binary string: one character per byte. */
export function fromBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Parses a JSON object or list; null for any other text. The caller knows what that means. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}

/** The claims of a JWT (RFC 7519), which aren't verified here; null if the token isn't one. */
export function readClaims(token: string): Readonly<Record<string, unknown>> | null {
  const [, payload, ...others] = token.split('.', 4);
  if (payload === undefined || others.length !== 1) return null;
  try {
    const binary = fromBase64Url(payload);
    const bytes = new Uint8Array(binary.length);
    // `Uint8Array.from` takes ten times as long for a text.
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return parseObject(new TextDecoder().decode(bytes));
  } catch {
    // Not base64url, so it holds no claims.
    return null;
  }
}
