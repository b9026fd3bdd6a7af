// Reads a body into memory, up to a size.

/** A body that was not read to its end, or is no UTF-8. */
export type UnreadBody = 'too-large' | 'not-text';

/** Reads a body as UTF-8 text of at most `maxBytes`. Rejects if the connection fails. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<{ readonly text: string } | UnreadBody> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const reader = body?.getReader();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    size += value?.byteLength ?? 0;
    if (size > maxBytes) {
      // Not awaited, because the peer may hang and nothing depends on the rest.
      void reader?.cancel().catch(() => undefined);
      return 'too-large';
    }
    try {
      text += decoder.decode(value, { stream: !done });
    } catch {
      void reader?.cancel().catch(() => undefined);
      return 'not-text';
    }
    if (done) return { text };
  }
}
