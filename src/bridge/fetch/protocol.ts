// The messages between a page and the worker for one request of a feature. The page sends the request. The worker sends `head`, and
// then a chunk of the body each time that the page says `read`, with `end` after the last one; or a failure in place of any of
// these. No message has a field for a token.

import * as v from 'valibot';
import { refusalReasons } from './errors.ts';

/** The maximum size of a request's body, which is sent in one message. */
export const maxRequestBytes = 32 * 1024 * 1024;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Sent by the page for each chunk of the body. */
export const read = 'read';

const headers = v.array(v.tuple([v.string(), v.string()]));

const requestMessage = v.strictObject({
  url: v.string(),
  method: v.string(),
  headers,
  body: v.nullable(v.custom<Bytes>((body) => isBytes(body) && body.byteLength <= maxRequestBytes, 'bytes')),
  cache: v.picklist(['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached']),
  redirect: v.picklist(['follow', 'error', 'manual']),
  integrity: v.string(),
});

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

export type RequestMessage = Readonly<v.InferOutput<typeof requestMessage>>;
export type WorkerMessage = Readonly<v.InferOutput<typeof workerMessage>>;
export type HeadMessage = Extract<WorkerMessage, { type: 'head' }>;
export type FailureMessage = Extract<WorkerMessage, { type: 'refused' | 'failed' }>;

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
