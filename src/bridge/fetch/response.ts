// A Response made of what the worker tells of the real one.

import type { ReceivedBody } from './receive-body.ts';
import type { HeadMessage } from './protocol.ts';

/**
 * The Response that `head` describes, with `body`. What no Response can be given that is made by hand, it and its
 * clones have as properties of their own. Throws as the platform does for a head that no real Response has.
 */
export function toResponse(head: HeadMessage, body: ReceivedBody | null): Response {
  const { status, statusText, headers, url, redirected, responseType: type } = head;
  const own = { url, redirected, type, status };
  // What is opaque has no headers and no body either, as an error has none.
  if (status === 0) return withOwn(Response.error(), own, body);
  // There are servers that answer with 999.
  const init = { status: Math.min(status, 599), statusText, headers };
  return withOwn(new Response(body?.stream ?? null, init), own, body);
}

const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

function withOwn(response: Response, own: Partial<Response>, body: ReceivedBody | null): Response {
  const clone = () => withOwn(Response.prototype.clone.call(response), own, body);
  // COMPAT(Chromium 156, Firefox 153): whatever a stream failed with, these reject with a TypeError of the one
  // browser's own, and an AbortError of the other's, so that nobody could tell an abort from a broken connection.
  const read = readers.map((name) => [
    name,
    () =>
      Response.prototype[name].call(response).catch((error: unknown) => {
        const failure = body?.failure() ?? null;
        throw failure === null ? error : failure.error;
      }),
  ]);
  for (const [key, value] of Object.entries({ ...own, clone, ...Object.fromEntries(read) })) {
    Object.defineProperty(response, key, { value });
  }
  return response;
}
