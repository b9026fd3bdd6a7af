// Builds a Response from the worker's description of the real one.

import type { ReceivedBody } from './receive-body.ts';
import type { HeadMessage } from './protocol.ts';

/**
 * Builds the Response that `head` describes, with `body`. The constructor of Response cannot set `url`, `redirected`,
 * `type` and some values of `status`; the Response and its clones have these as own properties. Throws as the
 * constructor does for an invalid head.
 */
export function toResponse(head: HeadMessage, body: ReceivedBody | null): Response {
  const { status, statusText, headers, url, redirected, responseType: type } = head;
  const overrides = { url, redirected, type, status };
  // An opaque response has neither headers nor a body, like an error.
  if (status === 0) {
    if (body !== null) throw new TypeError('A response with the status 0 has no body.');
    return withOverrides(Response.error(), overrides, body);
  }
  // The constructor accepts at most 599, but some servers answer with 999.
  const init = { status: Math.min(status, 599), statusText, headers };
  return withOverrides(new Response(body?.stream ?? null, init), overrides, body);
}

const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

function withOverrides(
  response: Response,
  overrides: Partial<Response>,
  body: ReceivedBody | null,
): Response {
  const clone = () => withOverrides(Response.prototype.clone.call(response), overrides, body);
  // COMPAT(Chromium 156, Firefox 153): these replace the stream's error, one browser with a TypeError and the other
  // with an AbortError, which hides whether the connection was lost. Reject with the stream's own error instead.
  const read = readers.map((name) => [
    name,
    () =>
      Response.prototype[name].call(response).catch((error: unknown) => {
        const failure = body?.failure() ?? null;
        throw failure === null ? error : failure.error;
      }),
  ]);
  for (const [key, value] of Object.entries({ ...overrides, clone, ...Object.fromEntries(read) })) {
    Object.defineProperty(response, key, { value });
  }
  return response;
}
