// Seals records with AES-GCM. Each is bound to its own name, so that none can take another's place.

import type { SealedRecord } from './database.ts';

const algorithm = 'AES-GCM';

/** Encrypts `value`, as JSON, under `name`. */
export async function seal(key: CryptoKey, name: string, value: unknown): Promise<SealedRecord> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plaintext = new TextEncoder().encode(JSON.stringify(value));
  const ciphertext = await crypto.subtle.encrypt(parametersOf(iv, name), key, plaintext);
  return { iv, ciphertext };
}

/** Decrypts a record that was sealed under `name`; null for no record, and for one that this key does not open. */
export async function open(key: CryptoKey, name: string, record: SealedRecord | undefined): Promise<unknown> {
  if (record === undefined) return null;
  try {
    const plaintext = await crypto.subtle.decrypt(parametersOf(record.iv, name), key, record.ciphertext);
    return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
  } catch {
    // Sealed with another key, or damaged. The caller decides what follows.
    return null;
  }
}

/** A new key for sealing, not extractable. */
export function generateKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt']);
}

/** The same of these 32 random bytes. */
export function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']);
}

function parametersOf(iv: Uint8Array<ArrayBuffer>, name: string) {
  return { name: algorithm, iv, additionalData: new TextEncoder().encode(name) };
}
