// What the relay answers, and what it makes of a provider's answer: a standard one, of known fields only.

import * as v from 'valibot';

/** A request asks for tokens (RFC 6749, section 3.2) or for the end of one (RFC 7009). */
export type Purpose = 'token' | 'revoke';

/** What the relay answers: tokens, an error (RFC 6749, section 5.2), or no body. */
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
const errorAnswer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    error: v.pipe(v.string(), v.regex(/^[ !#-[\]-~]{1,100}$/)),
    error_description: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[^\p{Cc}]{1,1000}$/u))), undefined),
  }),
);

/** Some providers send it as text. */
const seconds = v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))]);
/** Some providers send a list. */
const scope = v.union([
  v.string(),
  v.pipe(
    v.array(v.string()),
    v.transform((names) => names.join(' ')),
  ),
]);

/** RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3. A member that is null counts as absent. */
const tokenAnswer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    access_token: v.string(),
    token_type: v.nullish(v.string()),
    refresh_token: v.nullish(v.string()),
    id_token: v.nullish(v.string()),
    expires_in: v.nullish(v.pipe(seconds, v.minValue(0))),
    scope: v.nullish(scope),
  }),
  v.transform((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))),
);

/**
 * Keeps the known members of a token response, and of an error its code and description, with the status of RFC 6749, section
 * 5.2. Anything else becomes a 502, which the extension takes for a provider that is out of order: it ends no session.
 */
export function readAnswer({ status, headers }: Response, answered: string, purpose: Purpose): Answer {
  if (status === 429 || status >= 500) return toUnavailable(status, headers.get('retry-after') ?? '');
  // A browser's fetch hides a redirect behind status 0.
  if (status < 200 || (status >= 300 && status < 400)) {
    return refuse(502, 'server_error', 'The provider redirects where it should answer.');
  }
  const failed = v.safeParse(errorAnswer, answered);
  if (failed.success) {
    return { status: failed.output.error === 'invalid_client' ? 401 : 400, body: failed.output };
  }
  // Some providers refuse a token without saying why. A web page comes from something in between.
  const isPage =
    headers.get('content-type')?.includes('html') === true || answered.trimStart().startsWith('<');
  if ((status === 400 || status === 401) && !isPage) return { status, body: null };
  if (status < 300 && purpose === 'revoke') return { status: 200, body: null };
  const tokens = v.safeParse(tokenAnswer, answered);
  if (status < 300 && tokens.success) return { status: 200, body: tokens.output };
  return refuse(502, 'server_error', "The provider's response is not a token response.");
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
      pragma: 'no-cache',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

/** RFC 6749, section 5.2; RFC 7009, section 2.2.1; RFC 8707, section 2; the relay's own; and what GitHub answers. */
const loggedErrors =
  'invalid_request invalid_client invalid_grant invalid_scope invalid_target unauthorized_client ' +
  'unsupported_grant_type unsupported_token_type invalid_redirect_uri server_error temporarily_unavailable ' +
  'bad_verification_code incorrect_client_credentials redirect_uri_mismatch';

/** The error code for the log: a provider chooses it, and could put a token there. */
export function toLoggedError({ body }: Answer): string | null {
  const error = body?.['error'];
  if (typeof error !== 'string') return null;
  return loggedErrors.split(' ').includes(error) ? error : 'other';
}
