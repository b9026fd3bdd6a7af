// Sealing of records: AES-GCM, each record bound to its own name, so that one cannot be put in another's place.

import type { SealedRecord } from './database.ts';

const algorithm = 'AES-GCM';

export async function seal(key: CryptoKey, name: string, value: unknown): Promise<SealedRecord> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plaintext = new TextEncoder().encode(JSON.stringify(value));
  const ciphertext = await crypto.subtle.encrypt(parametersOf(iv, name), key, plaintext);
  return { iv, ciphertext };
}

/** What was sealed under `name`; null for no record, and for one that this key does not open. */
export async function open(key: CryptoKey, name: string, record: SealedRecord | undefined): Promise<unknown> {
  if (record === undefined) return null;
  try {
    const plaintext = await crypto.subtle.decrypt(parametersOf(record.iv, name), key, record.ciphertext);
    return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
  } catch {
    // Another key, or damage. Nothing can be had from it either way, and its reader says what follows.
    return null;
  }
}

/** A new key; one that stays in this device's database is never extractable. */
export function generateKey(extractable: boolean): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: algorithm, length: 256 }, extractable, ['encrypt', 'decrypt']);
}

export function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']);
}

function parametersOf(iv: Uint8Array<ArrayBuffer>, name: string) {
  return { name: algorithm, iv, additionalData: new TextEncoder().encode(name) };
}
