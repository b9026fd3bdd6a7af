// Checks the extension's request, and takes from it the fields that the provider needs.

import type { RelayProvider } from './config.ts';
import { readBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A request asks for tokens (RFC 6749, section 3.2) or for the end of one (RFC 7009). */
export type Purpose = 'token' | 'revoke';

/** The fields to forward. They hold neither the client's id nor its secret. */
export type Fields = ReadonlyMap<string, string>;

/** More than any code, verifier and refresh token need together. */
export const maxRequestBytes = 8 * 1024;

/**
 * Reads and checks a request of the extension. Returns the fields to forward, or the refusal. `Origin` is compared because
 * it stops a web page early; it proves nothing, because any program can send any.
 */
export async function readRequest(
  request: Request,
  purpose: Purpose,
  provider: RelayProvider,
): Promise<{ readonly fields: Fields } | Refusal> {
  if (request.method !== 'POST') {
    return { ...refuse(405, 'invalid_request', 'The relay accepts POST only.'), allow: 'POST' };
  }
  const refusal = checkHeaders(request.headers, provider);
  if (refusal !== null) return refusal;
  const body = await readBody(request.body, maxRequestBytes);
  if (body === 'too-large') {
    return refuse(413, 'invalid_request', `The body is larger than ${maxRequestBytes} bytes.`);
  }
  if (body === 'not-text') return invalid('The body is not UTF-8.');
  const form = readForm(body.text);
  return 'status' in form ? form : readFields(form.values, purpose, provider);
}

function checkHeaders(headers: Headers, provider: RelayProvider): Refusal | null {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    return refuse(415, 'invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const origin = headers.get('origin');
  if (origin !== null && !mayComeFrom(origin, provider)) {
    return refuse(403, 'unauthorized_client', 'The relay serves this extension alone, and no other Origin.');
  }
  if (headers.has('authorization')) {
    return invalid('The relay authenticates the client itself; send no Authorization header.');
  }
  // Its proof names the relay's address, so the provider would refuse it.
  if (headers.has('dpop')) return invalid('The relay forwards no DPoP proofs; set "dpop" to "off".');
  if (Number(headers.get('content-length') ?? 0) > maxRequestBytes) {
    return refuse(413, 'invalid_request', `The body is larger than ${maxRequestBytes} bytes.`);
  }
  return null;
}

/**
 * Chromium names the extension's id, which is in its redirect URI too. Firefox names an id that differs in every
 * installation, so no list can hold it.
 */
function mayComeFrom(origin: string, { redirectUris }: RelayProvider): boolean {
  if (/^moz-extension:\/\/[\da-f-]{36}$/.test(origin)) return true;
  const id = /^chrome-extension:\/\/([a-p]{32})$/.exec(origin)?.[1];
  if (id === undefined) return false;
  return redirectUris.some((uri) => new URL(uri).origin === `https://${id}.chromiumapp.org`);
}

/** Reads a form, in which no parameter may stand twice. One without a value counts as absent (RFC 6749, section 3.2). */
function readForm(text: string): { readonly values: ReadonlyMap<string, string> } | Refusal {
  const values = new Map<string, string>();
  const names = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (names.has(name)) return invalid('A parameter stands twice.');
    names.add(name);
    if (value !== '') values.set(name, value);
  }
  return { values };
}

/** RFC 6749, appendix A: visible ASCII and the space. */
const visible = /^[ -~]+$/;
/** RFC 7636, section 4.1. */
const codeVerifier = /^[A-Za-z\d\-._~]{43,128}$/;

/** Only the relay authenticates the client (RFC 6749, section 2.3; RFC 7521, section 4.2). */
const authenticating = ['client_secret', 'client_assertion', 'client_assertion_type', 'assertion'];

/** The form of each field that a kind of request may have, and whether it must. */
interface Field {
  readonly name: string;
  readonly pattern: RegExp;
  readonly isRequired: boolean;
}

const required = (name: string, pattern = visible): Field => ({ name, pattern, isRequired: true });
const optional = (name: string, pattern = visible): Field => ({ name, pattern, isRequired: false });

const tokenFields: Readonly<Record<string, readonly Field[]>> = {
  authorization_code: [
    required('code'),
    required('redirect_uri'),
    required('code_verifier', codeVerifier),
    optional('resource'),
  ],
  refresh_token: [required('refresh_token'), optional('scope'), optional('resource')],
};

const revocationFields: readonly Field[] = [
  required('token'),
  optional('token_type_hint', /^(?:refresh_token|access_token)$/),
];

function readFields(
  values: ReadonlyMap<string, string>,
  purpose: Purpose,
  { clientId, redirectUris }: RelayProvider,
): { readonly fields: Fields } | Refusal {
  const claimed = authenticating.find((name) => values.has(name));
  if (claimed !== undefined) return invalid(`The relay authenticates the client itself; send no ${claimed}.`);
  const grantType = values.get('grant_type') ?? '';
  const known = Object.hasOwn(tokenFields, grantType) ? tokenFields[grantType] : undefined;
  const expected = purpose === 'revoke' ? revocationFields : known;
  if (expected === undefined) {
    return refuse(400, 'unsupported_grant_type', 'The relay redeems codes and refresh tokens only.');
  }
  if (values.get('client_id') !== clientId) {
    return refuse(400, 'invalid_request', 'The client_id is not the one that the relay is configured with.');
  }
  const fields = new Map<string, string>();
  if (purpose === 'token') fields.set('grant_type', grantType);
  for (const { name, pattern, isRequired } of expected) {
    const value = values.get(name);
    if (value === undefined && isRequired) return invalid(`The parameter ${name} is missing.`);
    if (value === undefined) continue;
    if (!pattern.test(value)) return invalid(`The parameter ${name} is malformed.`);
    fields.set(name, value);
  }
  const redirectUri = fields.get('redirect_uri');
  if (redirectUri !== undefined && !redirectUris.includes(redirectUri)) {
    return refuse(400, 'invalid_redirect_uri', 'The relay is not configured with this redirect_uri.');
  }
  return { fields };
}

function invalid(description: string): Refusal {
  return refuse(400, 'invalid_request', description);
}
