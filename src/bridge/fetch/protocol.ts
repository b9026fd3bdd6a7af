// The messages between a page and the worker for one request, over one port. The page sends `request` and, as it
// reads, `credit`. The worker sends `head`, the body in chunks of bytes, and `end`, or a failure instead of any of
// these. Either side disconnects to end the exchange. No message has a field for a token.

import * as v from 'valibot';
import { refusalReasons } from './errors.ts';
import type { Sender } from '../own-page.ts';

/** The name of every port that carries a request; each carries one. */
export const fetchPortName = 'latchkey:fetch';

/** The maximum size of a request's body. It is sent in one message, and Chromium limits a message to 64 MB. */
export const maxRequestBytes = 32 * 1024 * 1024;
/** The flow-control window: how many bytes of a response the worker may send before the page has read them. */
export const windowBytes = 1024 * 1024;
/** The maximum size of one chunk of a response's body. */
export const maxChunkBytes = 256 * 1024;

/** The part of the browser's `runtime.Port` that is used here. */
export interface Port {
  readonly name: string;
  readonly sender?: Sender | undefined;
  postMessage(message: unknown): void;
  disconnect(): void;
  readonly onMessage: PortEvent<(message: unknown) => void>;
  readonly onDisconnect: PortEvent<() => void>;
}

interface PortEvent<Listener> {
  addListener(listener: Listener): void;
  removeListener(listener: Listener): void;
}

export type Bytes = Uint8Array<ArrayBuffer>;

const headers = v.array(v.tuple([v.string(), v.string()]));

const pageMessage = v.variant('type', [
  v.strictObject({
    type: v.literal('request'),
    url: v.string(),
    method: v.string(),
    headers,
    body: v.nullable(v.custom<Bytes>((body) => isBytes(body) && body.byteLength <= maxRequestBytes, 'bytes')),
    cache: v.picklist(['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached']),
    redirect: v.picklist(['follow', 'error', 'manual']),
    integrity: v.string(),
  }),
  /** The page has read this many more bytes, so the worker may send as many again. */
  v.strictObject({
    type: v.literal('credit'),
    bytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(windowBytes)),
  }),
]);

const workerMessage = v.variant('type', [
  v.strictObject({
    type: v.literal('head'),
    status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999)),
    statusText: v.string(),
    headers,
    url: v.string(),
    redirected: v.boolean(),
    /** `type` of the Response. */
    responseType: v.picklist(['basic', 'cors', 'default', 'error', 'opaque', 'opaqueredirect']),
    hasBody: v.boolean(),
  }),
  v.strictObject({ type: v.literal('end') }),
  v.strictObject({ type: v.literal('refused'), reason: v.picklist(refusalReasons), message: v.string() }),
  v.strictObject({
    type: v.literal('failed'),
    name: v.picklist(['TypeError', 'AbortError']),
    message: v.string(),
  }),
]);

export type PageMessage = Readonly<v.InferOutput<typeof pageMessage>>;
export type RequestMessage = Extract<PageMessage, { type: 'request' }>;
export type WorkerMessage = Readonly<v.InferOutput<typeof workerMessage>>;
export type HeadMessage = Extract<WorkerMessage, { type: 'head' }>;
export type FailureMessage = Extract<WorkerMessage, { type: 'refused' | 'failed' }>;

/** Validates a message from a page. Null for anything that is not exactly one of its messages. */
export function parsePageMessage(message: unknown): PageMessage | null {
  const result = v.safeParse(pageMessage, message);
  return result.success ? result.output : null;
}

/** Validates a message from the worker. Null for anything else, such as a chunk, which {@link isBytes} recognizes. */
export function parseWorkerMessage(message: unknown): WorkerMessage | null {
  const result = v.safeParse(workerMessage, message);
  return result.success ? result.output : null;
}

/** Whether a message is a chunk of a body. */
export function isBytes(message: unknown): message is Bytes {
  return message instanceof Uint8Array;
}
