// The messages between a page and the worker for one request. The page sends the request, and with it one end of a
// MessageChannel for all that follows. The worker sends `accepted`, `head`, the body in chunks of bytes, and `end`, or a
// failure instead of any of these. The page sends credit as it reads, which is a number of bytes, and at last `over`. No
// message has a field for a token.

import * as v from 'valibot';
import { refusalReasons } from './errors.ts';

/** The maximum size of a request's body, which is sent in one message. */
export const maxRequestBytes = 32 * 1024 * 1024;
/**
 * The flow-control window: the worker sends no further chunk once the page has this many unread bytes. With 1 MB, Firefox
 * sends large bodies a tenth slower.
 */
export const windowBytes = 4 * 1024 * 1024;

export type Bytes = Uint8Array<ArrayBuffer>;

/** The `type` of a request. */
export const requestType = 'latchkey:fetch';
/** Sent by the page when it does not wait for the response any more. */
export const over = 'over';

const headers = v.array(v.tuple([v.string(), v.string()]));

const requestMessage = v.strictObject({
  type: v.literal(requestType),
  /** The name of the lock that the page holds as long as it lives. */
  page: v.string(),
  url: v.string(),
  method: v.string(),
  headers,
  body: v.nullable(v.custom<Bytes>((body) => isBytes(body) && body.byteLength <= maxRequestBytes, 'bytes')),
  cache: v.picklist(['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached']),
  redirect: v.picklist(['follow', 'error', 'manual']),
  integrity: v.string(),
});

const workerMessage = v.variant('type', [
  /** The worker has the request. `worker` is the name of the lock that it holds as long as it lives. */
  v.strictObject({ type: v.literal('accepted'), worker: v.string() }),
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

export type RequestMessage = Readonly<v.InferOutput<typeof requestMessage>>;
export type WorkerMessage = Readonly<v.InferOutput<typeof workerMessage>>;
export type HeadMessage = Extract<WorkerMessage, { type: 'head' }>;
export type FailureMessage = Extract<WorkerMessage, { type: 'refused' | 'failed' }>;

/** Whether a message is meant to be a request: other messages may arrive at the same place. */
export function isRequest(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === requestType;
}

/** Validates a request. Null for anything that is not exactly one. */
export function parseRequest(message: unknown): RequestMessage | null {
  const result = v.safeParse(requestMessage, message);
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
