// The demo provider's protected API. It sends no CORS headers and answers no preflight, deliberately: only an
// extension that holds the host permission can read what it says.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from 'jose';
import type { AccessToken, Provider } from 'oidc-provider';
import { findPerson } from './people.ts';

/** Why a request was refused, as RFC 6750 (section 3.1) and RFC 9449 (section 7.1) name it. */
type Refusal = 'invalid_token' | 'invalid_dpop_proof';

/**
 * Answers `GET /api/me` with who is calling, and `POST /api/echo` with the size and type of the body. Both
 * need an access token of this provider, as Bearer or, if it is bound to a key, as DPoP.
 */
export async function answerApi(
  provider: Provider,
  issuer: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathOf(request);
  const method = path === '/api/me' ? 'GET' : path === '/api/echo' ? 'POST' : null;
  if (method === null) return sendJson(response, 404, { error: 'not_found' });
  if (request.method !== method)
    return sendJson(response, 405, { error: 'method_not_allowed' }, { allow: method });

  const caller = await authenticate(provider, `${issuer}${path}`, request);
  if (caller === null || typeof caller === 'string') {
    const error = caller === null ? '' : `, error="${caller}"`;
    const challenge = ['Bearer', 'DPoP'].map((scheme) => `${scheme} realm="${issuer}"${error}`).join(', ');
    return sendJson(response, 401, { error: caller ?? 'unauthorized' }, { 'www-authenticate': challenge });
  }

  if (path === '/api/echo') {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).byteLength;
    return sendJson(response, 200, { bytes, contentType: request.headers['content-type'] ?? null });
  }
  return sendJson(response, 200, {
    sub: caller.accountId,
    name: findPerson(caller.accountId)?.name ?? null,
    client_id: caller.clientId,
    scope: caller.scope ?? '',
  });
}

/** The access token that a request presents, why it is refused, or null if it presents none. */
async function authenticate(
  provider: Provider,
  url: string,
  request: IncomingMessage,
): Promise<AccessToken | Refusal | null> {
  const [, scheme, value] = /^(Bearer|DPoP) (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  const token = await provider.AccessToken.find(value);
  if (!token || (token.jkt !== undefined) !== (scheme.toLowerCase() === 'dpop')) return 'invalid_token';
  if (token.jkt === undefined) return token;
  const proves = await isProof(request.headers['dpop'], {
    method: request.method,
    url,
    value,
    jkt: token.jkt,
  });
  return proves ? token : 'invalid_dpop_proof';
}

/** Whether `proof` is a fresh DPoP proof (RFC 9449, section 4.3) for this request, token and key. */
async function isProof(
  proof: string | string[] | undefined,
  of: {
    readonly method: string | undefined;
    readonly url: string;
    readonly value: string;
    readonly jkt: string;
  },
): Promise<boolean> {
  if (typeof proof !== 'string') return false;
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      maxTokenAge: '60s',
      clockTolerance: '5s',
      requiredClaims: ['jti'],
    });
    return (
      payload['htm'] === of.method &&
      payload['htu'] === of.url &&
      payload['ath'] === createHash('sha256').update(of.value).digest('base64url') &&
      protectedHeader.jwk !== undefined &&
      (await calculateJwkThumbprint(protectedHeader.jwk)) === of.jkt
    );
  } catch {
    // Whatever jose objects to, the proof is no proof; the caller hears it as invalid_dpop_proof.
    return false;
  }
}

/** A request's path, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/\?.*$/s, '');
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}
