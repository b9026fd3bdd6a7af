// Reads the arguments of a feature's fetch: the platform parses the request, and the body is read completely, so that
// both can be sent to the worker.

import { FetchRefused } from './errors.ts';
import { isBytes, maxRequestBytes, type Bytes } from './protocol.ts';

/**
 * Parses the arguments of `fetch` and reads the body. The body is null if there is none or if it is empty, which are
 * sent alike. Rejects as `fetch` does for an invalid request or an aborted signal, and with {@link FetchRefused}
 * `body-too-large` for a body of more than 32 MB.
 */
export async function readRequest(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<{ request: Request; body: Bytes | null }> {
  // COMPAT(Firefox 153): converts a stream to text and sends "[object ReadableStream]". So every browser reads a stream
  // here and passes empty bytes in its place; the Response throws if the stream is locked or disturbed. A Request as the
  // options is left to the platform, because it inherits its members, and a copy would lack them.
  const given = init instanceof Request ? null : init?.body;
  const stream = given instanceof ReadableStream ? new Response(given).body : undefined;
  const request = new Request(input, stream === undefined ? init : { ...init, body: new Uint8Array() });
  request.signal.throwIfAborted();
  // COMPAT(Firefox 153): has no `Request.body`.
  const body = stream ?? (request.body as Request['body'] | undefined);
  const source = body === undefined ? (await request.blob()).stream() : body;
  return { request, body: source === null ? null : await readWhole(source, request.signal) };
}

/** Reads `stream` to its end. Cancels it on any error. */
async function readWhole(stream: ReadableStream<unknown>, signal: AbortSignal): Promise<Bytes | null> {
  const chunks: Bytes[] = [];
  let size = 0;
  const sink = new WritableStream<unknown>({
    write(chunk) {
      if (!isBytes(chunk)) throw new TypeError('The stream contains something other than a Uint8Array.');
      size += chunk.byteLength;
      if (size > maxRequestBytes) {
        throw new FetchRefused(
          'body-too-large',
          `The request body is larger than ${maxRequestBytes} bytes. Send it in parts.`,
        );
      }
      chunks.push(chunk);
    },
  });
  try {
    await stream.pipeTo(sink, { signal });
  } catch (cause) {
    if (signal.aborted || cause instanceof FetchRefused) throw cause;
    throw new TypeError('The request body could not be read: see the cause.', { cause });
  }
  if (size === 0) return null;

  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
