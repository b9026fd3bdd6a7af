// Makes the platform predictable: cryptography answers at once instead of from other threads, and timers and time
// limits run only when the test says so.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { vi } from 'vitest';
import { collectRejections, strayRejections } from '../failing-calls.ts';

type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

const toBuffer = (bytes: Bytes) =>
  bytes instanceof ArrayBuffer
    ? Buffer.from(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const toArrayBuffer = (bytes: Buffer) => new Uint8Array(bytes).buffer;

/** Each key is used in many orders. */
const keyObjects = new WeakMap<CryptoKey, KeyObject>();

const toKeyObject = (key: CryptoKey) => {
  const known = keyObjects.get(key) ?? KeyObject.from(key);
  keyObjects.set(key, known);
  return known;
};

const nameOf = (algorithm: AlgorithmIdentifier) =>
  typeof algorithm === 'string' ? algorithm : algorithm.name;

const tagLength = 16;

/** The operations of `crypto.subtle` that the worker uses, without another thread. */
const promptCrypto = {
  async digest(algorithm: AlgorithmIdentifier, data: Bytes) {
    return toArrayBuffer(
      createHash(nameOf(algorithm).replace('SHA-', 'sha')).update(toBuffer(data)).digest(),
    );
  },
  async encrypt({ iv, additionalData }: AesGcmParams, key: CryptoKey, data: Bytes) {
    const cipher = createCipheriv('aes-256-gcm', toKeyObject(key), toBuffer(iv as Bytes));
    cipher.setAAD(toBuffer(additionalData as Bytes));
    return toArrayBuffer(Buffer.concat([cipher.update(toBuffer(data)), cipher.final(), cipher.getAuthTag()]));
  },
  async decrypt({ iv, additionalData }: AesGcmParams, key: CryptoKey, data: Bytes) {
    const sealed = toBuffer(data);
    const decipher = createDecipheriv('aes-256-gcm', toKeyObject(key), toBuffer(iv as Bytes));
    decipher.setAAD(toBuffer(additionalData as Bytes));
    decipher.setAuthTag(sealed.subarray(-tagLength));
    return toArrayBuffer(Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]));
  },
  async verify(_algorithm: AlgorithmIdentifier, key: CryptoKey, signature: Bytes, data: Bytes) {
    const options = { key: toKeyObject(key), dsaEncoding: 'ieee-p1363' as const };
    return verify('sha256', toBuffer(data), options, toBuffer(signature));
  },
  async sign(_algorithm: AlgorithmIdentifier, key: CryptoKey, data: Bytes) {
    return toArrayBuffer(
      sign('sha256', toBuffer(data), { key: toKeyObject(key), dsaEncoding: 'ieee-p1363' }),
    );
  },
  async exportKey(format: 'raw' | 'jwk', key: CryptoKey) {
    const object = toKeyObject(key);
    return format === 'raw' ? toArrayBuffer(object.export()) : object.export({ format });
  },
  /** Keys for sealing. */
  async generateKey(_algorithm: AlgorithmIdentifier, extractable: boolean, usages: KeyUsage[]) {
    return crypto.subtle.importKey('raw', randomBytes(32), 'AES-GCM', extractable, usages);
  },
};

/** The open time limits of the worker's requests, in the order in which they began. */
const timeLimits: AbortController[] = [];

/** Lets the timers of the next milliseconds run. */
export function runTimers(ms: number): void {
  vi.advanceTimersByTime(ms);
}

/** Lets all timers of the next minute run, and all time limits end: none is longer. */
export function passMinute(): void {
  runTimers(60_000);
  for (const limit of timeLimits.splice(0)) {
    limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  }
}

/** Forgets the timers, time limits and rejections of the orders before. */
export function forgetTime(): void {
  timeLimits.length = 0;
  strayRejections.length = 0;
  vi.clearAllTimers();
}

/** Replaces the platform's parts. Returns a function that brings them back. */
export function stopTime(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  for (const [name, value] of Object.entries(promptCrypto)) {
    Object.defineProperty(crypto.subtle, name, { value, configurable: true });
  }
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    timeLimits.push(limit);
    return limit.signal;
  });
  // Stack traces are slow to collect, and nothing reads them.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const stopCollecting = collectRejections();
  return () => {
    stopCollecting();
    timeout.mockRestore();
    for (const name of Object.keys(promptCrypto)) Reflect.deleteProperty(crypto.subtle, name);
    Error.stackTraceLimit = stackTraceLimit;
    vi.useRealTimers();
  };
}
