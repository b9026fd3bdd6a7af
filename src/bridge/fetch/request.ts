// What a page asks of fetch, parsed by the platform itself and read whole, so that it can be sent to the worker.

import { FetchRefused } from './errors.ts';
import { isBytes, maxRequestBytes, type Bytes } from './protocol.ts';

/**
 * The request that is meant, and its body; null for none and for an empty one, which are sent alike. Throws what
 * `fetch` throws for what cannot be a request, or a signal that has aborted, and {@link FetchRefused} for a body
 * that is too large.
 */
export async function readRequest(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<{ request: Request; body: Bytes | null }> {
  // COMPAT(Firefox 153): takes a stream for a text and sends "[object ReadableStream]". So a stream is read here, in
  // every browser, where a Response vouches that it can be, and bytes take its place.
  const stream = init.body instanceof ReadableStream ? new Response(init.body).body : undefined;
  const request = new Request(input, stream === undefined ? init : { ...init, body: new Uint8Array() });
  request.signal.throwIfAborted();
  // COMPAT(Firefox 153): has no `Request.body`.
  const body = stream ?? (request.body as Request['body'] | undefined);
  const source = body === undefined ? (await request.blob()).stream() : body;
  return { request, body: source === null ? null : await readWhole(source, request.signal) };
}

/** Cancels `stream` where it does not read it to its end. */
async function readWhole(stream: ReadableStream<unknown>, signal: AbortSignal): Promise<Bytes | null> {
  const chunks: Bytes[] = [];
  let size = 0;
  const sink = new WritableStream<unknown>({
    write(chunk) {
      if (!isBytes(chunk)) throw new TypeError('It is a stream of something else than Uint8Array.');
      size += chunk.byteLength;
      if (size > maxRequestBytes) {
        throw new FetchRefused(
          'body-too-large',
          `The body of the request is larger than ${maxRequestBytes} bytes. Send it in parts.`,
        );
      }
      chunks.push(chunk);
    },
  });
  try {
    await stream.pipeTo(sink, { signal });
  } catch (cause) {
    if (signal.aborted || cause instanceof FetchRefused) throw cause;
    throw new TypeError('The body of the request could not be read.', { cause });
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
