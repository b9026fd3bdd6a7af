// Checks the URLs of a configuration. Each function returns null, or what was expected instead.

import { isSecureUrl, parseUrl } from '../session/secure-url.ts';

/** Stands for the tenant in the issuer of a provider with many, as in the discovery document of Microsoft Entra. */
export const tenantPlaceholder = '{tenantid}';

/**
 * Checks an issuer (OpenID Connect Discovery 1.0, section 3). It isn't normalized, because issuers are
 * compared as strings.
 */
export function checkIssuer(text: string): string | null {
  if (text.includes(tenantPlaceholder)) {
    return `the issuer of one tenant, or "issuerTemplate" for one with "${tenantPlaceholder}"`;
  }
  const [address = ''] = text.split(/[?#]/, 1);
  const wellKnown = address.search(/\/\.well-known(?:\/|$)/);
  if (wellKnown !== -1) return checkUrl(address) ?? expectIssuerOf(address, wellKnown);
  return text.includes('?') ? 'an issuer without a query' : checkEndpoint(text);
}

/** The issuer of a discovery document's address. RFC 8414, section 3.1, puts the issuer's path at the end. */
function expectIssuerOf(address: string, wellKnown: number): string {
  const origin = address.slice(0, wellKnown);
  const [, , _document, ...path] = address.slice(wellKnown).split('/');
  return path.join('') === ''
    ? `only the issuer: "${origin}", or with "/" at its end if the discovery document writes it so`
    : `only the issuer: "${[origin, ...path].join('/')}"`;
}

const someTenant = '00000000-0000-4000-8000-000000000000';

/** Checks a template: an issuer with the placeholder as one part of its path. */
export function checkIssuerTemplate(text: string): string | null {
  const [before = '', after = '', ...more] = text.split(tenantPlaceholder);
  const hasTenant = /^https?:\/\/[^/]+\//.test(before) && before.endsWith('/') && /^(\/|$)/.test(after);
  if (!hasTenant || more.length > 0 || !text.includes(tenantPlaceholder)) {
    return `an issuer with "${tenantPlaceholder}" as one part of its path, such as "https://login.microsoftonline.com/${tenantPlaceholder}/v2.0"`;
  }
  if (after.includes('/.well-known')) return 'only the issuer, without "/.well-known/…"';
  return checkIssuer(text.replace(tenantPlaceholder, someTenant));
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

/** Checks an address, such as that of a page that people open. */
export function checkUrl(text: string): string | null {
  const [scheme, authority = ''] = /^https?:\/\/([^/?#]+)/.exec(text) ?? [];
  if (scheme === undefined) return 'a URL that begins with "https://" and a host';
  const placeholder = /[{<][\w -]{1,40}[}>]/.exec(text)?.[0];
  if (placeholder !== undefined) return `a URL with your own value in place of "${placeholder}"`;
  if (/[^!-\u{10ffff}]|["<>\\^`{|}]/u.test(text) || /[^!-~]/.test(text.slice(scheme.length)))
    return 'an ASCII URL without spaces, quotes, braces or backslashes';
  if (authority.includes('@')) return 'a URL without a user name or password';
  if (authority.includes('*')) return 'one host, because a wildcard asks for more access than needed';
  // A content security policy can't name an IPv6 address, in Chromium or in Firefox.
  if (authority.startsWith('['))
    return 'a host name instead of an IPv6 address; for this computer use "localhost" or "127.0.0.1"';
  const url = parseUrl(text);
  if (url === null) return 'a URL with a valid host and port';
  return (
    checkHost(authority, url.hostname) ??
    (isSecureUrl(text) ? null : '"https:"; "http:" is allowed for "localhost" and "127.0.0.1" only')
  );
}

/** Compares the host as written with the host that the browser compares with permissions. */
function checkHost(authority: string, hostname: string): string | null {
  if (hostname.endsWith('.')) return `a host without a dot at its end: "${hostname.slice(0, -1)}"`;
  // A content security policy allows no other characters; a ";" or "," would even end its directive.
  if (!/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(hostname)) return 'a host of letters, digits, "-" and "."';
  const [written] = authority.toLowerCase().split(':');
  return written === hostname ? null : `the host as browsers write it: "${hostname}"`;
}
