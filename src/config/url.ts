// Which URLs a configuration may hold. Each function answers with what was expected instead, or with null.

import { isSecureUrl } from './origins.ts';

/** Judges an issuer (OpenID Connect Discovery 1.0, section 3). It is compared as it is written, so nothing is mended. */
export function issuerFault(text: string): string | null {
  if (text.includes('/.well-known/')) return 'the issuer alone, without "/.well-known/" and what follows';
  return text.includes('?') ? 'an issuer without a query' : endpointFault(text);
}

/** Judges an endpoint (RFC 6749, section 3.1): it may have a query. */
export function endpointFault(text: string): string | null {
  return text.includes('#') ? 'a URL without a fragment' : webUrlFault(text);
}

/** Judges an origin: scheme, host and port, exactly as a browser writes them. */
export function originFault(text: string): string | null {
  const fault = webUrlFault(text);
  if (fault !== null) return fault;
  const { origin } = new URL(text);
  return text === origin ? null : `the origin alone: "${origin}"`;
}

function webUrlFault(text: string): string | null {
  const authority = /^https?:\/\/([^/?#]+)/.exec(text)?.[1];
  if (authority === undefined) return 'a URL that begins with "https://" and a host';
  if (/[^!-~]|["<>\\^`{|}]/.test(text)) return 'a URL of plain ASCII, without blanks, braces and backslashes';
  if (authority.includes('@')) return 'a URL without a user name or password';
  if (authority.includes('*')) return 'one host: a wildcard would ask for more than the provider needs';
  // Neither a Chromium nor a Firefox content security policy can name an IPv6 address.
  if (authority.startsWith('[')) return 'a host name; for this computer write "localhost" or "127.0.0.1"';
  if (!URL.canParse(text)) return 'a URL with a valid host and port';

  const { hostname } = new URL(text);
  // A content security policy knows no other characters; a ";" or a "," would even end its directive.
  if (!/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(hostname)) return 'a host of letters, digits, "-" and "."';
  return isSecureUrl(text) ? null : '"https:"; "http:" is for "localhost" and "127.0.0.1" alone';
}
