// Makes the provider's answer a standard one, of known fields only.

import type { RelayProvider } from './config.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Purpose } from './request.ts';
import { toBasic, toFormEncoded, type UpstreamAnswer } from './upstream.ts';

/** The tokens for the extension, or an empty body for a revocation. */
export interface Success {
  readonly status: 200;
  readonly body: Readonly<Record<string, string | number>> | null;
}

/** The members of a token response that are texts (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3). */
const textFields = ['access_token', 'token_type', 'refresh_token', 'id_token'] as const;

/**
 * Reads the provider's answer. A token response keeps its known members. An error keeps its code and description, with
 * the status of RFC 6749, section 5.2, whatever status it came with. Anything else is a refusal with 502, which the extension
 * takes for a provider that is out of order: it ends no session.
 */
export function readAnswer(
  answer: UpstreamAnswer,
  purpose: Purpose,
  provider: RelayProvider,
): Success | Refusal {
  const standard = toStandard(answer, purpose);
  const texts =
    'body' in standard ? Object.values(standard.body ?? {}) : [standard.error, standard.description];
  // A provider may repeat what it was sent, in any field.
  if (texts.some((text) => containsSecret(String(text ?? ''), provider))) {
    return refuse(502, 'server_error', 'The answer of the provider contains the client secret.');
  }
  return standard;
}

function toStandard(answer: UpstreamAnswer, purpose: Purpose): Success | Refusal {
  const { status, text } = answer;
  if (status === 429 || status >= 500) return toUnavailable(answer);
  const members = parseObject(text);
  const error = members?.['error'];
  if (isErrorText(error)) {
    const description = members?.['error_description'];
    return {
      status: error === 'invalid_client' ? 401 : 400,
      error,
      description: isDescription(description) ? description : null,
    };
  }
  if (status >= 400) return toUnnamedError(answer);
  if (status < 200 || status >= 300) return unusable;
  if (purpose === 'revoke') return { status: 200, body: null };
  return members === null ? unusable : toTokens(members);
}

const unusable = refuse(502, 'server_error', 'The answer of the provider is no token response.');

function toUnavailable({ status, retryAfter }: UpstreamAnswer): Refusal {
  const kept = status === 429 || status === 503;
  return {
    ...refuse(kept ? status : 502, 'temporarily_unavailable', 'The provider is not available.'),
    // Seconds, or a date (RFC 9110, section 10.2.3).
    ...(kept && retryAfter !== null && /^(?:\d{1,9}|[A-Za-z\d ,:]{29})$/.test(retryAfter) && { retryAfter }),
  };
}

/** Some providers refuse a token without saying why. A web page comes from something in between. */
function toUnnamedError({ status, contentType, text }: UpstreamAnswer): Refusal {
  const isPage = contentType.includes('html') || text.trimStart().startsWith('<');
  if ((status !== 400 && status !== 401) || isPage) return unusable;
  return { status, error: null, description: null };
}

function toTokens(members: Readonly<Record<string, unknown>>): Success | Refusal {
  const body: Record<string, string | number> = {};
  for (const name of textFields) {
    const value = members[name] ?? null;
    if (value === null) continue;
    if (typeof value !== 'string') return unusable;
    body[name] = value;
  }
  const lifetime = toLifetime(members['expires_in'] ?? null);
  const scope = toScope(members['scope'] ?? null);
  if (body['access_token'] === undefined || lifetime === 'malformed' || scope === undefined) return unusable;
  if (lifetime !== null) body['expires_in'] = lifetime;
  if (scope !== null) body['scope'] = scope;
  return { status: 200, body };
}

/** Some providers send the seconds as text. */
function toLifetime(value: unknown): number | null | 'malformed' {
  if (value === null) return null;
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds >= 0 ? seconds : 'malformed';
}

/** Some providers send a list. Undefined if it is neither that nor a text. */
function toScope(value: unknown): string | null | undefined {
  if (value === null || typeof value === 'string') return value;
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? value.join(' ')
    : undefined;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null; // The caller knows what an answer without JSON means.
  }
}

/** RFC 6749, section 5.2. */
function isErrorText(value: unknown): value is string {
  return typeof value === 'string' && /^[ !#-[\]-~]{1,100}$/.test(value);
}

function isDescription(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}]{1,1000}$/u.test(value);
}

/** Whether `text` contains the secret: as it is, form-encoded, percent-encoded, or as it was sent in a header. */
function containsSecret(text: string, { clientId, clientSecret }: RelayProvider): boolean {
  const [, basic = ''] = toBasic(clientId, clientSecret).split(' ');
  const spellings = [clientSecret, toFormEncoded(clientSecret), encodeURIComponent(clientSecret), basic];
  return spellings.some((spelling) => text.includes(spelling));
}
