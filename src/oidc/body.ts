// Reads a response, up to a size.

import { detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';

/** Far more than any metadata, key set or token response needs. */
export const maxBodyBytes = 256 * 1024;

/**
 * Reads the body into memory, so that a timeout covers it. Returns the same response with its body unread. Throws
 * {@link ProblemError}: `response-rejected` for a body over {@link maxBodyBytes}.
 */
export async function bufferBody({ body, status, headers }: Response, host: Detail): Promise<Response> {
  const text = body === null ? '' : await readText(body.getReader(), host);
  const init = { status, headers: withoutLongChallenge(headers) };
  // Statuses such as 204 do not allow even an empty body.
  return new Response(text || null, init);
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, host: Detail): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Not awaited, because the peer may hang and nothing depends on the rest.
      void reader.cancel().catch(() => undefined);
      const reason = detail`The answer of ${host} is larger than ${maxBodyBytes} bytes.`;
      throw new ProblemError('response-rejected', reason);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** A longer challenge is not read: oauth4webapi takes quadratic time, and a challenge names an error. */
const maxChallengeLength = 4096;

/** Returns the headers without a challenge (RFC 9110 section 11.6.1) that is too long to be read. */
export function withoutLongChallenge(headers: Headers): Headers {
  const name = 'www-authenticate';
  if ((headers.get(name)?.length ?? 0) <= maxChallengeLength) return headers;
  const others = new Headers(headers);
  others.delete(name);
  return others;
}
