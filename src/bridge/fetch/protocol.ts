// What a page and the worker say to each other about one request, over one port: the page sends `request` and, as
// it reads, `credit`; the worker sends `head`, chunks of the body as they are, and `end`, or a failure in place of
// any of them. Whoever disconnects has no further interest. No message has a place for a token.

import * as v from 'valibot';
import { refusalReasons } from './errors.ts';
import type { Sender } from '../own-page.ts';

/** The name of the ports that carry a request each. */
export const fetchPortName = 'latchkey:fetch';

/** A request's body crosses in one message, and Chromium's have an end at 64 MB. */
export const maxRequestBytes = 32 * 1024 * 1024;
/** How much of a body may be under way, unread by the page: what the worker has leave to send at the start. */
export const windowBytes = 1024 * 1024;
/** The largest piece of a body that is sent in one message. */
export const maxChunkBytes = 256 * 1024;

/** What is asked of a port of the browser. */
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
  /** The page has read this many bytes more, so as many more may be sent. */
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

/** Reads what a page sent. Null for anything that is not exactly one of its messages. */
export function parsePageMessage(message: unknown): PageMessage | null {
  const result = v.safeParse(pageMessage, message);
  return result.success ? result.output : null;
}

/** Reads what the worker sent, chunks apart, which {@link isBytes} knows. Null for anything else. */
export function parseWorkerMessage(message: unknown): WorkerMessage | null {
  const result = v.safeParse(workerMessage, message);
  return result.success ? result.output : null;
}

/** Whether a message is a piece of a body. */
export function isBytes(message: unknown): message is Bytes {
  return message instanceof Uint8Array;
}
