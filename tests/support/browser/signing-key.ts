// Keys of extensions in Chromium.

import { generateKeyPairSync } from 'node:crypto';
import { redirectUris } from '../../../tools/redirect-uris.ts';

/** A key that no one else has: the public one for the manifest, and the private one in PEM to pack the extension with. */
export function createSigningKey(): { readonly key: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The id of the extension whose manifest has this public key. */
export function toExtensionId(key: string): string {
  const { chrome } = redirectUris({ browser_specific_settings: { gecko: { id: '' } }, key }, 'any');
  return new URL(chrome).host.split('.')[0] ?? '';
}
