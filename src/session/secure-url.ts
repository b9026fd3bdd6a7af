// Which URLs are safe from eavesdroppers: one rule for the configuration, the provider's metadata and pictures.

import { parseUrl } from './parse-url.ts';

/** The hosts of this computer, as `URL.hostname` writes them. */
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether `text` is an `https:` URL, or an `http:` URL of this computer, whose traffic never leaves it. */
export function isSecureUrl(text: string): boolean {
  const { protocol, hostname = '' } = parseUrl(text) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
}

/** Whether `text` is the URL of a server on this computer. */
export function isLoopbackUrl(text: string): boolean {
  return loopbackHosts.includes(parseUrl(text)?.hostname ?? '');
}
