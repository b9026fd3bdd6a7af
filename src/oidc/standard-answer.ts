// Makes the answers of OAuth endpoints standard (RFC 6749 sections 5.1 and 5.2). Many providers are older than the standard, or
// send a member without a value instead of leaving it out.

import type { Provider } from '../config/provider.ts';
import { parseObject } from './encoding.ts';
import { repeatsName } from './redirect.ts';

/** GitHub's names for standard errors. */
const standardErrors: ReadonlyMap<unknown, string> = new Map([
  ['bad_verification_code', 'invalid_grant'],
  ['bad_refresh_token', 'invalid_grant'],
  ['incorrect_client_credentials', 'invalid_client'],
  ['application_suspended', 'unauthorized_client'],
]);

/**
 * Converts an answer of an OAuth endpoint:
 * - an error with a status of success, as GitHub sends it, gets the status 400;
 * - a body in the form encoding becomes JSON;
 * - a scope that is a list, or has commas as at GitHub, gets spaces;
 * - an interval that isn't a positive number (RFC 8628 section 3.2) counts as missing;
 * - so does any other member that is an empty text, or neither a text nor a number, because the standard has none;
 * - from a provider of plain OAuth 2, an ID token is removed, because nothing verifies it, so nothing may use it.
 */
export async function toStandardAnswer({ userApi }: Provider, response: Response): Promise<Response> {
  const text = await response.clone().text();
  const members = parseObject(text) ?? parseForm(response, text);
  if (members === null || Array.isArray(members)) return response;
  // JSON of such members alone can always be written: a list or an object could be nested too deeply.
  const usable = Object.entries(members).filter(([, value]) => typeof value === 'number' || isText(value));
  const { error, interval, ...others } = Object.fromEntries(usable);
  const standard = {
    ...others,
    error: standardErrors.get(error) ?? error,
    interval: Number(interval) > 0 ? Number(interval) : undefined,
    scope: toStandardScope(members['scope']),
    ...(userApi !== null && { id_token: undefined }),
  };
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  const status = typeof error === 'string' && response.ok ? 400 : response.status;
  return new Response(JSON.stringify(standard), { status, headers });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The parameters of a body in the form encoding; null for any other body, and if a parameter is repeated. */
function parseForm({ headers }: Response, text: string): Readonly<Record<string, unknown>> | null {
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') !== true) return null;
  const parameters = new URLSearchParams(text);
  return repeatsName(parameters) ? null : Object.fromEntries(parameters);
}

/**
 * Scope names may contain commas (RFC 6749 section 3.3), so commas only separate scopes in a text without any space. An empty
 * scope says that none was granted.
 */
function toStandardScope(scope: unknown): string | undefined {
  if (Array.isArray(scope) && scope.every((name) => typeof name === 'string')) return scope.join(' ');
  if (typeof scope !== 'string') return undefined;
  return scope.includes(' ') ? scope : scope.replaceAll(',', ' ');
}
