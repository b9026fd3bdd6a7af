// Where a provider sends the person back to, in each browser: computed from manifest.json as the browsers do.

import { createHash } from 'node:crypto';

/** What manifest.json says of the extension's identity. */
export interface ExtensionIdentity {
  /** The public key, DER in base64, from which Chromium makes the extension id. */
  readonly key: string;
  readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
}

/** The redirect URIs to register with the provider `providerId`: what `identity.getRedirectURL(providerId)` gives. */
export function redirectUris(
  manifest: ExtensionIdentity,
  providerId: string,
): { chrome: string; firefox: string } {
  const geckoId = manifest.browser_specific_settings.gecko.id;
  const geckoHost = createHash('sha1').update(geckoId).digest('hex');
  return {
    chrome: `https://${toChromeExtensionId(manifest.key)}.chromiumapp.org/${providerId}`,
    firefox: `https://${geckoHost}.extensions.allizom.org/${providerId}`,
  };
}

/** Chromium's id for a public key: the first 16 bytes of its SHA-256, each hexadecimal digit as a letter from a to p. */
function toChromeExtensionId(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex');
  return digest.slice(0, 32).replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
}
