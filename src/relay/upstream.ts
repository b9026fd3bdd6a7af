// Sends the checked fields to the provider, with the client's secret.

import type { RelayProvider } from './config.ts';
import { readBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Fields, Purpose } from './request.ts';

/** The provider's answer, as it is: nothing of it is checked but its size. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly text: string;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The extension waits as long. A browser stops its worker after 30 s without an answer. */
export const timeoutMs = 25_000;
/** Far more than any token response needs. */
export const maxAnswerBytes = 256 * 1024;

/**
 * Sends `fields` to the provider's fixed endpoint, and reads the answer whole. Follows no redirect, because it would take
 * the secret along. Returns a refusal if there is no answer to read.
 */
export async function askProvider(
  fetch: Fetch,
  provider: RelayProvider,
  purpose: Purpose,
  fields: Fields,
): Promise<UpstreamAnswer | Refusal> {
  const url = purpose === 'token' ? provider.tokenEndpoint : provider.revocationEndpoint;
  if (url === null) return refuse(404, 'invalid_request', 'No revocationEndpoint is configured.');
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...toRequest(provider, fields), signal: deadline });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      void response.body?.cancel().catch(() => undefined);
      return refuse(502, 'server_error', 'The provider redirects where it should answer.');
    }
    const body = await readBody(response.body, maxAnswerBytes);
    if (body === 'too-large') return refuse(502, 'server_error', 'The answer of the provider is too large.');
    if (body === 'not-text') return refuse(502, 'server_error', 'The answer of the provider is not UTF-8.');
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      retryAfter: response.headers.get('retry-after'),
      text: body.text,
    };
  } catch {
    // The error may quote the request, so it goes nowhere.
    return deadline.aborted
      ? refuse(504, 'temporarily_unavailable', 'The provider did not answer in time.')
      : refuse(502, 'temporarily_unavailable', 'The provider cannot be reached.');
  }
}

function toRequest(provider: RelayProvider, fields: Fields): RequestInit {
  const { clientId, clientSecret, clientAuthentication } = provider;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const form = new URLSearchParams([...fields]);
  if (clientAuthentication === 'client_secret_post') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    // Not in the form too: some providers take that for a second way to authenticate (RFC 6749, section 2.3).
    headers['authorization'] = toBasic(clientId, clientSecret);
  }
  return { method: 'POST', headers, body: form.toString(), redirect: 'manual' };
}

/** RFC 6749, section 2.3.1: both parts are form-encoded first. */
export function toBasic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${toFormEncoded(clientId)}:${toFormEncoded(clientSecret)}`)}`;
}

/** Encodes one value as application/x-www-form-urlencoded. */
export function toFormEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
