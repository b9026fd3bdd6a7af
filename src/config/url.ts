// Checks the URLs of a configuration. Each function returns null, or what was expected instead.

import { isSecureUrl } from '../session/secure-url.ts';

/**
 * Checks an issuer (OpenID Connect Discovery 1.0, section 3). It is not normalized, because issuers are
 * compared as strings.
 */
export function checkIssuer(text: string): string | null {
  if (text.includes('/.well-known/')) return 'only the issuer, without "/.well-known/…"';
  return text.includes('?') ? 'an issuer without a query' : checkEndpoint(text);
}

/** Checks an endpoint (RFC 6749, section 3.1), which may have a query. */
export function checkEndpoint(text: string): string | null {
  return text.includes('#') ? 'a URL without a fragment' : checkUrl(text);
}

/** Checks an origin: scheme, host and port, as the URL standard serializes them. */
export function checkOrigin(text: string): string | null {
  const expectation = checkUrl(text);
  if (expectation !== null) return expectation;
  const { origin } = new URL(text);
  return text === origin ? null : `only the origin: "${origin}"`;
}

function checkUrl(text: string): string | null {
  const authority = /^https?:\/\/([^/?#]+)/.exec(text)?.[1];
  if (authority === undefined) return 'a URL that begins with "https://" and a host';
  if (/[^!-~]|["<>\\^`{|}]/.test(text)) return 'an ASCII URL without spaces, quotes, braces or backslashes';
  if (authority.includes('@')) return 'a URL without a user name or password';
  if (authority.includes('*')) return 'one host, because a wildcard asks for more access than needed';
  // A content security policy cannot name an IPv6 address, in Chromium or in Firefox.
  if (authority.startsWith('['))
    return 'a host name instead of an IPv6 address; for this computer use "localhost" or "127.0.0.1"';
  if (!URL.canParse(text)) return 'a URL with a valid host and port';

  const { hostname } = new URL(text);
  // A content security policy allows no other characters; a ";" or "," would even end its directive.
  if (!/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(hostname)) return 'a host of letters, digits, "-" and "."';
  return isSecureUrl(text) ? null : '"https:"; "http:" is allowed for "localhost" and "127.0.0.1" only';
}
