// The relay's answers with an error, in the form of RFC 6749, section 5.2.

/** An error answer. */
export interface Refusal {
  readonly status: number;
  /** An OAuth error code; null for an answer without a body. */
  readonly error: string | null;
  readonly description: string | null;
  /** The `Retry-After` header. */
  readonly retryAfter?: string;
  /** The `Allow` header. */
  readonly allow?: string;
}

/** Creates a refusal of the relay itself. */
export function refuse(status: number, error: string, description: string): Refusal {
  return { status, error, description };
}

/** The headers of every answer: it may hold tokens, so nothing stores it (RFC 6749, section 5.1). */
const headers = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
};

/** Writes a body of JSON, or none for null. */
export function toJsonResponse(
  status: number,
  body: object | null,
  more: Record<string, string> = {},
): Response {
  if (body === null) return new Response(null, { status, headers: { ...headers, ...more } });
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers, ...more },
  });
}

/** Writes a refusal. */
export function toRefusalResponse({ status, error, description, retryAfter, allow }: Refusal): Response {
  const body =
    error === null ? null : { error, ...(description !== null && { error_description: description }) };
  return toJsonResponse(status, body, {
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(allow !== undefined && { allow }),
  });
}
