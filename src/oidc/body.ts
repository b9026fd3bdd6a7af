// Reads the body of a response, up to a size.

import { ProblemError } from '../session/problem.ts';
import { withoutLongChallenge } from './challenge.ts';

/** Far more than any metadata, key set or token response needs. */
export const maxBodyBytes = 256 * 1024;

/**
 * The same response with its body in memory, so that a timeout covers it. Throws {@link ProblemError}:
 * `response-rejected` for a body over {@link maxBodyBytes}.
 */
export async function bufferBody(response: Response, host: string): Promise<Response> {
  const chunks = response.body === null ? [] : await readChunks(response.body.getReader(), host);
  const { status, statusText } = response;
  const headers = withoutLongChallenge(response.headers);
  // Statuses such as 204 do not allow even an empty body.
  return new Response(chunks.length === 0 ? null : new Blob(chunks), { status, statusText, headers });
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  host: string,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // Not awaited, because the peer may hang and nothing depends on the rest.
      void reader.cancel().catch(() => undefined);
      throw new ProblemError(
        'response-rejected',
        `The answer of ${host} is larger than ${maxBodyBytes} bytes.`,
      );
    }
    chunks.push(value);
  }
}
