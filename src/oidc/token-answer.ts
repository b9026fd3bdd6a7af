// Makes the answers of token endpoints standard (RFC 6749 sections 5.1 and 5.2), for providers of plain OAuth 2, many of
// which are older than the standard.

import * as oauth from 'oauth4webapi';
import { parseObject } from './encoding.ts';
import type { ProviderClient } from './provider-client.ts';
import { repeatsName } from './redirect.ts';

/** GitHub's names for standard errors. */
const standardErrors: ReadonlyMap<unknown, string> = new Map([
  ['bad_verification_code', 'invalid_grant'],
  ['bad_refresh_token', 'invalid_grant'],
  ['incorrect_client_credentials', 'invalid_client'],
  ['application_suspended', 'unauthorized_client'],
]);

/**
 * The same client, for requests to the token endpoint, whose answers it converts:
 * - an error with a status of success, as GitHub sends it, gets the status 400;
 * - a body in the form encoding becomes JSON;
 * - a scope that is a list, or has commas as at GitHub, gets spaces;
 * - members that are neither texts nor numbers are removed, because the standard has none;
 * - an ID token is removed, because nothing verifies it, so nothing may use it.
 */
export function withStandardAnswers(client: ProviderClient): ProviderClient {
  const toStandard = (options: ProviderClient['options']): ProviderClient['options'] => ({
    ...options,
    async [oauth.customFetch](url, request) {
      return toStandardAnswer(await options[oauth.customFetch](url, request));
    },
  });
  return {
    ...client,
    options: toStandard(client.options),
    atOnceOptions: toStandard(client.atOnceOptions),
  };
}

async function toStandardAnswer(response: Response): Promise<Response> {
  const text = await response.clone().text();
  const members = parseObject(text) ?? parseForm(response, text);
  if (members === null || Array.isArray(members)) return response;
  const { error, scope } = members;
  const isError = typeof error === 'string' && error !== '';
  const converted: Record<string, unknown> = {
    ...members,
    id_token: null,
    ...(isError && { error: standardErrors.get(error) ?? error }),
    scope: toStandardScope(scope),
  };
  // JSON of such members alone can always be written: a list or an object could be nested too deeply.
  const standard = Object.entries(converted).filter(([, value]) =>
    ['string', 'number'].includes(typeof value),
  );
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  const status = isError && response.ok ? 400 : response.status;
  return new Response(JSON.stringify(Object.fromEntries(standard)), { status, headers });
}

/** The parameters of a body in the form encoding; null for any other body, and if a parameter is repeated. */
function parseForm({ headers }: Response, text: string): Readonly<Record<string, unknown>> | null {
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') !== true) return null;
  const parameters = new URLSearchParams(text);
  return repeatsName(parameters) ? null : Object.fromEntries(parameters);
}

/** Scope names may contain commas (RFC 6749 section 3.3), so commas only separate scopes in a text without any space. */
function toStandardScope(scope: unknown): unknown {
  if (Array.isArray(scope) && scope.every((name) => typeof name === 'string')) return scope.join(' ');
  return typeof scope === 'string' && !scope.includes(' ') ? scope.replaceAll(',', ' ') : scope;
}
