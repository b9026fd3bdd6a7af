// The token relay: redeems the extension's codes and refresh tokens at providers that want a secret, and keeps the secret
// to itself. It stores nothing.

import { readAnswer, type Success } from './answer.ts';
import type { RelayConfig, RelayProvider } from './config.ts';
import { createRateLimit } from './rate-limit.ts';
import { type Refusal, refuse, toJsonResponse, toRefusalResponse } from './refusal.ts';
import { readRequest, type Purpose } from './request.ts';
import { askProvider, type Fetch } from './upstream.ts';

/** One answered request, without anything that the extension or the provider sent but an error code. */
export interface LogEntry {
  /** Null if the path names no provider. */
  readonly provider: string | null;
  readonly purpose: Purpose | null;
  readonly status: number;
  /** A known error code, `other` for any other, or null for none. */
  readonly error: string | null;
}

/** The environment of the relay. Tests replace it. */
export interface RelayWorld {
  readonly fetch: Fetch;
  readonly nowMs: () => number;
  readonly log: (entry: LogEntry) => void;
}

const platform: RelayWorld = {
  fetch: (url, init) => fetch(url, init),
  nowMs: () => Date.now(),
  log: () => undefined,
};

/**
 * Creates the relay: a function from a standard request to a standard response, for any server that has these. It answers
 * `POST /token/<provider>` and `POST /revoke/<provider>`. It sends no CORS headers: the extension has the host permission and
 * needs none, and no web page may read an answer. Never rejects.
 */
export function createRelay(
  config: RelayConfig,
  world: Partial<RelayWorld> = {},
): (request: Request) => Promise<Response> {
  const { fetch, nowMs, log } = { ...platform, ...world };
  const providers = new Map(
    config.providers.map((provider) => [
      provider.id,
      { provider, rateLimit: createRateLimit(config.requestsPerMinute, nowMs) },
    ]),
  );

  return async (request) => {
    const { purpose, id } = readPath(request.url);
    const found = providers.get(id ?? '');
    if (purpose === null || found === undefined) {
      const refusal = refuse(404, 'invalid_request', 'The relay has no such path.');
      log({ provider: null, purpose: null, status: refusal.status, error: refusal.error });
      return toRefusalResponse(refusal);
    }
    const answer = await relay(request, purpose, found.provider, found.rateLimit.take).catch(() =>
      // The connection failed while the request was read; the error may quote it.
      refuse(400, 'invalid_request', 'The request could not be read.'),
    );
    const error = 'error' in answer ? toLoggedError(answer.error) : null;
    log({ provider: found.provider.id, purpose, status: answer.status, error });
    return 'body' in answer ? toJsonResponse(200, answer.body) : toRefusalResponse(answer);
  };

  async function relay(
    request: Request,
    purpose: Purpose,
    provider: RelayProvider,
    take: () => number,
  ): Promise<Success | Refusal> {
    const checked = await readRequest(request, purpose, provider);
    if ('status' in checked) return checked;
    const waitSeconds = take();
    if (waitSeconds > 0) {
      const refusal = refuse(429, 'temporarily_unavailable', 'The relay has too many requests.');
      return { ...refusal, retryAfter: String(waitSeconds) };
    }
    const answer = await askProvider(fetch, provider, purpose, checked.fields);
    return 'text' in answer ? readAnswer(answer, purpose, provider) : answer;
  }
}

function readPath(url: string): { readonly purpose: Purpose | null; readonly id: string | null } {
  const [, purpose, id = null] = /^\/(token|revoke)\/([a-z\d-]{1,40})$/.exec(new URL(url).pathname) ?? [];
  return { purpose: purpose === 'token' || purpose === 'revoke' ? purpose : null, id };
}

/** RFC 6749, section 5.2; RFC 7009, section 2.2.1; RFC 8707, section 2; the relay's own; and what GitHub answers. */
const loggedErrors: readonly (string | null)[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_token_type',
  'invalid_redirect_uri',
  'server_error',
  'temporarily_unavailable',
  'bad_verification_code',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
];

/** A provider chooses the code, and could put a token there. */
function toLoggedError(error: string | null): string | null {
  return error === null || loggedErrors.includes(error) ? error : 'other';
}
