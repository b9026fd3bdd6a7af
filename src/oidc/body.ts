// Reads a response, up to a size.

import { words, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';

/** Far more than any metadata, key set or token response needs. */
export const maxBodyBytes = 256 * 1024;

interface Buffered {
  /** The same response with its body in memory, unread. */
  readonly response: Response;
  /** The body as text. */
  readonly text: string;
}

/**
 * Reads the body into memory, so that a timeout covers it. Throws {@link ProblemError}: `response-rejected` for a body over
 * {@link maxBodyBytes}.
 */
export async function bufferBody(response: Response, host: Detail): Promise<Buffered> {
  const bytes = response.body === null ? null : await readBytes(response.body.getReader(), host);
  const { status, statusText } = response;
  const headers = withoutLongChallenge(response.headers);
  // A copy of the response would have to be read as a stream.
  const received = bytes === null ? '' : new TextDecoder().decode(bytes);
  const text = withoutConversions(received);
  return { response: new Response(text === received ? bytes : text, { status, statusText, headers }), text };
}

/** The members that JavaScript calls to make a text or a number of an object. */
const conversions = ['toString', 'valueOf'];

/**
 * JSON without members that make their object unusable where a text or a number is expected: the conversion would throw. No
 * provider needs them. Any other text stays as it is.
 */
function withoutConversions(text: string): string {
  // Escaped or not.
  if (!/toString|valueOf|\\u/.test(text)) return text;
  try {
    return JSON.stringify(
      JSON.parse(text, (name, value: unknown) => (conversions.includes(name) ? undefined : value)),
    );
  } catch (error) {
    // Too deep for it, so no answer of a provider.
    return error instanceof SyntaxError ? text : '';
  }
}

/** The bytes; null without any, because statuses such as 204 do not allow even an empty body. */
async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  host: Detail,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(chunks, size);
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Not awaited, because the peer may hang and nothing depends on the rest.
      void reader.cancel().catch(() => undefined);
      throw new ProblemError(
        'response-rejected',
        words`The answer of ${host} is larger than ${maxBodyBytes} bytes.`,
      );
    }
    chunks.push(value);
  }
}

/** The chunks in one piece. A blob of them would go through the browser's own process before it is read. */
function join(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> | null {
  if (chunks.length === 0) return null;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
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
