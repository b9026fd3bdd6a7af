// Computes the redirect URIs from manifest.json, as the browsers do.

import { createHash } from 'node:crypto';

/** The parts of manifest.json that identify the extension. */
export interface ExtensionIdentity {
  /** The public key, DER in base64. Chromium derives the extension id from it. */
  readonly key: string;
  readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
}

/** The redirect URIs to register with the provider: the results of `identity.getRedirectURL(providerId)`. */
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

/** The first 16 bytes of the key's SHA-256, with the letters a to p as hexadecimal digits. */
function toChromeExtensionId(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex');
  return digest.slice(0, 32).replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
}
