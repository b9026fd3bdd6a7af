// The token relay: redeems the extension's codes and refresh tokens at providers that require a secret, and keeps the secret to
// itself. It stores nothing. docs/relay.md says what it protects, and which limits its platform must set.

import * as v from 'valibot';
import type { RelayConfig, RelayProvider } from './config.ts';

/** One request with its response, without anything that the extension or the provider sent but an error code. */
export interface LogEntry {
  readonly provider: string | null;
  readonly purpose: Purpose | null;
  readonly status: number;
  /** An error code in the form of the standards, `other` for any other, or null for none. */
  readonly error: string | null;
}

export interface RelayOptions {
  readonly log?: (entry: LogEntry) => void;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** More than any code, verifier and refresh token need together. */
const maxRequestBytes = 8 * 1024;
/** Far more than any token response needs. */
const maxAnswerBytes = 256 * 1024;
/** The same as the extension's own limit. A browser stops its worker after 30 s without a response. */
const timeoutMs = 25_000;

/**
 * Creates the relay: a function from a standard `Request` to a standard `Response`, for any server that has these. It serves `POST
 * /token/<provider>` and `POST /revoke/<provider>`. It sends no CORS headers: the extension has the host permission and
 * needs none, and no web page may read a response. Never rejects.
 */
export function createRelay(
  { providers }: RelayConfig,
  { log = () => undefined, fetch = (url, init) => globalThis.fetch(url, init) }: RelayOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const [, purpose, id] = /^\/(token|revoke)\/([^/]+)$/.exec(new URL(request.url).pathname) ?? [];
    const provider = providers.find((one) => one.id === id);
    if (provider === undefined || (purpose !== 'token' && purpose !== 'revoke')) {
      const answer = refuse(404, 'invalid_request', 'The relay has no such path.');
      log({ provider: null, purpose: null, status: answer.status, error: toLoggedError(answer) });
      return toResponse(answer);
    }
    const read = await readRequest(request, purpose, provider);
    const answer = 'fields' in read ? await askProvider(fetch, purpose, provider, read.fields) : read;
    log({ provider: provider.id, purpose, status: answer.status, error: toLoggedError(answer) });
    return toResponse(answer);
  };
}

/** The error code for the log: a provider chooses it, and could put a token there. */
function toLoggedError({ text }: Answer): string | null {
  const error = Object(parseJson(text))['error'] as unknown;
  if (typeof error !== 'string') return null;
  return /^[a-z_]{1,40}$/.test(error) ? error : 'other';
}

// The requests of the extension

/** RFC 6749, appendix A: visible ASCII and the space. */
const visible = v.pipe(v.string(), v.regex(/^[ -~]+$/));

type Fields = Readonly<Record<string, string>>;

/** The fields to forward, and no others: neither the client's ID, nor anything that authenticates. */
const forms: Readonly<Record<Purpose, v.GenericSchema<unknown, Fields>>> = {
  token: v.variant('grant_type', [
    v.object({
      grant_type: v.literal('authorization_code'),
      code: visible,
      redirect_uri: visible,
      // RFC 7636, section 4.1.
      code_verifier: v.pipe(v.string(), v.regex(/^[A-Za-z\d\-._~]{43,128}$/)),
      scope: v.exactOptional(visible),
      resource: v.exactOptional(visible),
    }),
    v.object({
      grant_type: v.literal('refresh_token'),
      refresh_token: visible,
      scope: v.exactOptional(visible),
      resource: v.exactOptional(visible),
      audience: v.exactOptional(visible),
    }),
  ]),
  revoke: v.object({
    token: visible,
    token_type_hint: v.exactOptional(v.picklist(['refresh_token', 'access_token'])),
  }),
};

const invalid = (description: string) => refuse(400, 'invalid_request', description);

async function readRequest(
  { method, headers, body }: Request,
  purpose: Purpose,
  provider: RelayProvider,
): Promise<{ readonly fields: Fields } | Answer> {
  if (method !== 'POST') {
    const refusal = refuse(405, 'invalid_request', 'The relay accepts POST only.');
    return { ...refusal, headers: { ...refusal.headers, allow: 'POST' } };
  }
  if (!mayComeFrom(headers.get('origin'), provider)) {
    return refuse(403, 'unauthorized_client', "This Origin isn't the extension's.");
  }
  // A DPoP proof names the relay's address, so the provider would refuse it.
  if (headers.has('dpop')) return invalid('The relay forwards no DPoP proofs; set "dpop" to "off".');
  // The error may quote the request, so it goes nowhere.
  const text = await readText(body, maxRequestBytes).catch(() => null);
  return text === null
    ? invalid(`The body isn't text, or larger than ${maxRequestBytes} bytes.`)
    : readForm(text, purpose, provider);
}

/**
 * Whether a request may be the extension's. This stops a web page early and proves nothing, because any program can send any
 * `Origin`. Chromium names the extension's id, which is in its redirect URI too. Firefox names an id that differs in every
 * installation, so no list can hold it.
 */
function mayComeFrom(origin: string | null, { redirectUris }: RelayProvider): boolean {
  if (origin === null || /^moz-extension:\/\/[\da-f-]{36}$/.test(origin)) return true;
  const id = /^chrome-extension:\/\/([a-p]{32})$/.exec(origin)?.[1];
  return redirectUris.some((uri) => new URL(uri).origin === `https://${id}.chromiumapp.org`);
}

function readForm(
  text: string,
  purpose: Purpose,
  { clientId, redirectUris }: RelayProvider,
): { readonly fields: Fields } | Answer {
  const sent = [...new URLSearchParams(text)];
  if (new Set(sent.map(([name]) => name)).size < sent.length) return invalid('A parameter is repeated.');
  // One without a value counts as absent (RFC 6749, section 3.2).
  const values = Object.fromEntries(sent.filter(([, value]) => value !== ''));
  if (values['client_id'] !== clientId) {
    return invalid("The client_id isn't the one that the relay is configured with.");
  }
  const { success, output, issues } = v.safeParse(forms[purpose], values);
  if (!success) {
    const name = v.getDotPath(issues[0]);
    return name === 'grant_type'
      ? refuse(400, 'unsupported_grant_type', 'The relay redeems codes and refresh tokens only.')
      : invalid(`The parameter ${name} is missing or malformed.`);
  }
  if (output['redirect_uri'] !== undefined && !redirectUris.includes(output['redirect_uri'])) {
    return refuse(400, 'invalid_redirect_uri', "The relay isn't configured with this redirect_uri.");
  }
  return { fields: output };
}

// The request to the provider, and its response

/**
 * Sends `fields` to the provider's fixed endpoint, with the client's secret, and returns its response. Follows no redirect, because
 * it would take the secret along.
 */
async function askProvider(
  fetch: NonNullable<RelayOptions['fetch']>,
  purpose: Purpose,
  provider: RelayProvider,
  fields: Fields,
): Promise<Answer> {
  const url = purpose === 'token' ? provider.tokenEndpoint : provider.revocationEndpoint;
  if (url === null) return refuse(404, 'invalid_request', 'No revocationEndpoint is configured.');
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...toProviderRequest(provider, fields), signal: deadline });
    const answered = await readText(response.body, maxAnswerBytes);
    if (answered === null) return refuse(502, 'server_error', "The provider's response is too large.");
    const answer = readAnswer(response, answered);
    // A provider may repeat what it was sent, in any field or header, and escape it in JSON.
    const texts = [JSON.stringify(answer), JSON.stringify(parseJson(answered))];
    return texts.some((text) => containsSecret(text, provider))
      ? refuse(502, 'server_error', "The provider's response contains the client secret.")
      : answer;
  } catch {
    // The error may quote the request, so it goes nowhere.
    return deadline.aborted
      ? refuse(504, 'temporarily_unavailable', "The provider didn't respond in time.")
      : refuse(502, 'temporarily_unavailable', "The provider can't be reached or read.");
  }
}

function toProviderRequest(provider: RelayProvider, fields: Fields): RequestInit {
  const { clientId, clientSecret, clientAuthentication } = provider;
  const isBasic = clientAuthentication === 'client_secret_basic';
  // Not in both: some providers take that for a second way to authenticate (RFC 6749, section 2.3).
  const form = isBasic ? fields : { ...fields, client_id: clientId, client_secret: clientSecret };
  return {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: `Basic ${toBasic(provider)}` }),
    },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  };
}

/** RFC 6749, section 2.3.1: both parts are form-encoded first. */
function toBasic({ clientId, clientSecret }: RelayProvider): string {
  return btoa(`${toFormEncoded(clientId)}:${toFormEncoded(clientSecret)}`);
}

function toFormEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/** Whether JSON contains the secret: as it is, form-encoded, percent-encoded, or as it was sent in a header. */
function containsSecret(json: string, provider: RelayProvider): boolean {
  const { clientSecret } = provider;
  const encoded = [toFormEncoded(clientSecret), encodeURIComponent(clientSecret), toBasic(provider)];
  return [clientSecret, ...encoded].some((spelling) => json.includes(JSON.stringify(spelling).slice(1, -1)));
}

/** Reads a body of at most `maxBytes`; null if it is larger. Rejects if it isn't UTF-8, or the connection fails. */
async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let read = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    read += decoder.decode(chunk, { stream: true });
  }
  return read + decoder.decode();
}

// The responses

/** A request asks for tokens (RFC 6749, section 3.2) or for the end of one (RFC 7009). */
type Purpose = 'token' | 'revoke';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates an error of the relay itself (RFC 6749, section 5.2). */
function refuse(status: number, error: string, description: string): Answer {
  const text = JSON.stringify({ error, error_description: description });
  return { status, text, headers: { 'content-type': 'application/json' } };
}

/** The response as it is, with the two headers that matter: the extension reads it like one that comes from the provider itself. */
function readAnswer({ status, headers }: Response, text: string): Answer {
  if (!/^[245]/.test(String(status))) return refuse(502, 'server_error', 'The provider redirects.');
  const kept = ['content-type', 'retry-after'].flatMap((name) => {
    const value = headers.get(name) ?? '';
    return /^[ -~]{1,100}$/.test(value) ? [[name, value] as const] : [];
  });
  return { status, text, headers: Object.fromEntries(kept) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes a response. It may hold tokens, so nothing stores it (RFC 6749, section 5.1). */
function toResponse({ status, text, headers }: Answer): Response {
  const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return new Response(text === '' ? null : text, { status, headers: { ...headers, ...always } });
}
