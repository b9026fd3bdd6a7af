// The messages between a page and the worker for one request of a feature. The page sends the request. The worker sends `head`, and
// then a chunk of the body each time that the page says `read`, and `end` after the last one. A failure may take the place of any
// of these. No message has a field for a token.

import * as v from '../../session/shape.ts';
import { refusalReasons } from './errors.ts';

/** The maximum size of a request's body, which is sent in one message. */
export const maxRequestBytes = 32 * 1024 * 1024;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Sent by the page for each chunk of the body. */
export const read = 'read';

const header = v.custom<[string, string]>(
  (value) =>
    Array.isArray(value) && value.length === 2 && value.every((part: unknown) => typeof part === 'string'),
);

const requestSchema = v.strictObject({
  url: v.string(),
  method: v.string(),
  headers: v.array(header),
  body: v.nullable(v.custom<Bytes>((body) => isBytes(body) && body.byteLength <= maxRequestBytes)),
  cache: v.picklist(['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached']),
  redirect: v.picklist(['follow', 'error', 'manual']),
  integrity: v.string(),
});

const workerSchema = v.union([
  v.strictObject({
    type: v.literal('head'),
    status: v.pipe(v.number(), (status) => Number.isInteger(status) && status >= 0 && status <= 999),
    statusText: v.string(),
    headers: v.array(header),
    url: v.string(),
    redirected: v.boolean(),
    /** `type` of the Response. */
    responseType: v.picklist(['basic', 'cors', 'default', 'error', 'opaque', 'opaqueredirect']),
    hasBody: v.boolean(),
  }),
  v.strictObject({ type: v.literal('end') }),
  v.strictObject({
    type: v.literal('failed'),
    /** Why the request was refused; null if it has failed as the platform's fetch does. */
    reason: v.nullable(v.picklist(refusalReasons)),
    message: v.string(),
  }),
]);

export type RequestMessage = Readonly<v.InferOutput<typeof requestSchema>>;
export type WorkerMessage = Readonly<v.InferOutput<typeof workerSchema>>;
export type HeadMessage = Extract<WorkerMessage, { type: 'head' }>;
export type FailureMessage = Extract<WorkerMessage, { type: 'failed' }>;

/** Validates a request. Null for anything that isn't exactly one. */
export function parseRequest(message: unknown): RequestMessage | null {
  return v.read(requestSchema, message);
}

/** Validates a message from the worker. Null for anything else, such as a chunk, which {@link isBytes} recognizes. */
export function parseWorkerMessage(message: unknown): WorkerMessage | null {
  return v.read(workerSchema, message);
}

/** Whether a message is a chunk of a body. */
export function isBytes(message: unknown): message is Bytes {
  return message instanceof Uint8Array;
}
