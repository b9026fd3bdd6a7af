// The relay's answers. It turns a provider's answer into a standard one with only known fields.

import * as v from 'valibot';

/** A request asks for tokens (RFC 6749, section 3.2) or for the end of one (RFC 7009). */
export type Purpose = 'token' | 'revoke';

/** An answer of the relay: tokens, an error (RFC 6749, section 5.2), or no body. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates an error of the relay itself. */
export function refuse(status: number, error: string, description: string): Answer {
  return { status, body: { error, error_description: description } };
}

/** RFC 6749, section 5.2. Providers send it with any status. */
const errorAnswer = v.object({
  error: v.pipe(v.string(), v.regex(/^[ !#-[\]-~]{1,100}$/)),
  error_description: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[^\p{Cc}]{1,1000}$/u))), undefined),
});

/** RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3. A member that is null counts as absent. */
const tokenAnswer = v.pipe(
  v.object({
    access_token: v.string(),
    token_type: v.nullish(v.string()),
    refresh_token: v.nullish(v.string()),
    id_token: v.nullish(v.string()),
    // Some providers send it as text.
    expires_in: v.nullish(
      v.pipe(
        v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))]),
        v.minValue(0),
      ),
    ),
    // Some providers send a list.
    scope: v.nullish(
      v.union([
        v.string(),
        v.pipe(
          v.array(v.string()),
          v.transform((names) => names.join(' ')),
        ),
      ]),
    ),
  }),
  v.transform((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))),
);

/**
 * Keeps the known members of a token response, and of an error its code and description, with the status of RFC 6749, section
 * 5.2. Anything else becomes a 502, which the extension treats like a provider that is out of order: no session ends.
 */
export function readAnswer({ status, ok, headers }: Response, text: string, purpose: Purpose): Answer {
  if (status === 429 || status >= 500) return toUnavailable(status, headers.get('retry-after') ?? '');
  const json = parseJson(text);
  const failed = v.safeParse(errorAnswer, json);
  if (failed.success) {
    return { status: failed.output.error === 'invalid_client' ? 401 : 400, body: failed.output };
  }
  // Some providers refuse a token without saying why. A web page comes from something in between.
  const isPage = headers.get('content-type')?.includes('html') === true || text.trimStart().startsWith('<');
  if ((status === 400 || status === 401) && !isPage) return { status, body: null };
  if (ok && purpose === 'revoke') return { status: 200, body: null };
  const tokens = v.safeParse(tokenAnswer, json);
  if (ok && tokens.success) return { status: 200, body: tokens.output };
  return refuse(502, 'server_error', `The provider's response is not a token response (status ${status}).`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toUnavailable(status: number, retryAfter: string): Answer {
  const isKept = status === 429 || status === 503;
  // Seconds, or a date (RFC 9110, section 10.2.3).
  const isReadable = /^(?:\d{1,9}|[A-Za-z\d ,:]{29})$/.test(retryAfter);
  return {
    ...refuse(isKept ? status : 502, 'temporarily_unavailable', 'The provider is not available.'),
    ...(isKept && isReadable && { headers: { 'retry-after': retryAfter } }),
  };
}

/** Writes an answer. It may hold tokens, so nothing stores it (RFC 6749, section 5.1). */
export function toResponse({ status, body, headers }: Answer): Response {
  return new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}
