// The demo provider's protected API: the caller's identity, and the kinds of responses that a client must handle. It
// deliberately sends no CORS headers and answers no preflight, so only an extension with the host permission can read
// its responses.

import { setTimeout } from 'node:timers/promises';
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from 'jose';
import type { AccessToken, Provider } from 'oidc-provider';
import { billsResource, demandConfirmation } from './bills.ts';
import { idTokenClientId } from './protocol.ts';
import { findUser } from './people.ts';

/** Each user's tasks by the user's id, for a feature to show and to add to. */
export type Tasks = Map<string, readonly { readonly id: string; readonly text: string }[]>;

const maxTaskLength = 200;

/** Error codes of RFC 6750 (section 3.1) and RFC 9449 (section 7.1). */
type Refusal = 'invalid_token' | 'invalid_dpop_proof';

/**
 * Responds to a request for a path below `/api/`. Each requires an access token of `provider`, as Bearer or, if it is bound to a
 * key, as DPoP. The client that gets no access tokens may send its ID token instead.
 */
export async function answerApi(
  provider: Provider,
  issuer: string,
  tasks: Tasks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', issuer);
  const audience = pathname.startsWith('/api/bills') ? billsResource : undefined;
  const caller = await authenticate(provider, `http://${request.headers.host}${pathname}`, audience, request);
  if (caller === null || typeof caller === 'string') {
    const error = caller === null ? '' : `, error="${caller}"`;
    const challenge = ['Bearer', 'DPoP'].map((scheme) => `${scheme} realm="${issuer}"${error}`).join(', ');
    return sendJson(response, 401, { error: caller ?? 'unauthorized' }, { 'www-authenticate': challenge });
  }
  switch (`${request.method} ${pathname}`) {
    case 'GET /api/me': {
      const { accountId: sub, clientId, scope = '' } = caller;
      const name = findUser(sub)?.name ?? null;
      return sendJson(response, 200, { sub, name, client_id: clientId, scope });
    }
    case 'GET /api/tasks':
      return sendJson(response, 200, { tasks: tasks.get(caller.accountId) ?? firstTasks });
    // Takes the `text` of a JSON object.
    case 'POST /api/tasks': {
      const written = await readTask(request);
      if (written !== null) {
        const task = { id: randomUUID(), text: written };
        // The newest first.
        tasks.set(caller.accountId, [task, ...(tasks.get(caller.accountId) ?? firstTasks)]);
        return sendJson(response, 201, task);
      }
      const error_description = `The body needs a "text" of at most ${maxTaskLength} characters.`;
      return sendJson(response, 400, { error: 'bad_request', error_description });
    }
    // Requires a token with this scope.
    case 'GET /api/scoped': {
      const scope = query.get('scope') ?? '';
      if (caller.scope?.split(' ').includes(scope)) return sendJson(response, 200, { scope });
      const error = 'insufficient_scope';
      const challenge = `Bearer error="${error}", scope="${scope.replace(/[^!#-[\]-~ ]/g, '')}"`;
      return sendJson(response, 403, { error }, { 'www-authenticate': challenge });
    }
    // These two only accept tokens of their own.
    case 'GET /api/bills':
      return sendJson(response, 200, { sub: caller.accountId, scope: caller.scope ?? '', bills: ['42 €'] });
    case 'GET /api/bills/details': {
      const challenge = demandConfirmation(caller);
      if (challenge === null) return sendJson(response, 200, { details: ['42 € for a lock'] });
      const error = 'insufficient_user_authentication';
      return sendJson(response, 401, { error }, { 'www-authenticate': challenge });
    }
    // Sends nothing, not even headers, for so many milliseconds.
    case 'GET /api/slow': {
      const ms = Number(query.get('ms'));
      await setTimeout(ms, null, { ref: false });
      return sendJson(response, 200, { ms });
    }
    // To any host.
    case 'GET /api/redirect':
      response.writeHead(302, { location: new URL(query.get('to') ?? '', issuer).href }).end();
      return;
    default:
      return sendJson(response, 404, { error: 'not_found' });
  }
}

const firstTasks = ['Water the plants', 'Book the train to Lisbon', 'Renew the library card'].map((task) => {
  return { id: randomUUID(), text: task };
});

async function readTask(request: IncomingMessage): Promise<string | null> {
  const { text: task } = Object(await json(request).catch(() => null)) as { readonly text?: unknown };
  return typeof task === 'string' && task.trim() !== '' && task.length <= maxTaskLength ? task.trim() : null;
}

/** The token for `audience` that a request presents, the reason to reject it, or null if it presents none. */
async function authenticate(
  provider: Provider,
  url: string,
  audience: string | undefined,
  request: IncomingMessage,
): Promise<AccessToken | Refusal | null> {
  const [, scheme, value] = /^(Bearer|DPoP) (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  const isBearer = scheme.toLowerCase() === 'bearer';
  const token =
    (await provider.AccessToken.find(value)) ?? (isBearer && (await readIdToken(provider, value)));
  if (!token || token.aud !== audience || (token.jkt === undefined) !== isBearer) return 'invalid_token';
  if (token.jkt === undefined || (await isProof(request, url, value, token.jkt))) return token;
  return 'invalid_dpop_proof';
}

const clockToleranceSeconds = 5;

/** The caller that an ID token names, if it was issued to the client that gets nothing else. */
async function readIdToken(provider: Provider, value: string): Promise<AccessToken | null> {
  const client = await provider.Client.find(idTokenClientId);
  if (client === undefined) return null;
  try {
    const { payload } = await provider.IdToken.validate(value, client);
    const isExpired = Number(payload['exp']) < Date.now() / 1000 - clockToleranceSeconds;
    return isExpired ? null : { accountId: String(payload['sub']), clientId: idTokenClientId };
  } catch {
    // Any error means an invalid token; the caller receives invalid_token.
    return null;
  }
}

/** Whether a request has a fresh DPoP proof (RFC 9449, section 4.3) for this address, token and key. */
async function isProof(
  { method, headers }: IncomingMessage,
  url: string,
  token: string,
  thumbprint: string,
): Promise<boolean> {
  try {
    const { payload, protectedHeader } = await jwtVerify(String(headers['dpop']), EmbeddedJWK, {
      typ: 'dpop+jwt',
      maxTokenAge: '60s',
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['jti'],
    });
    return (
      payload['htm'] === method &&
      payload['htu'] === url &&
      payload['ath'] === createHash('sha256').update(token).digest('base64url') &&
      protectedHeader.jwk !== undefined &&
      (await calculateJwkThumbprint(protectedHeader.jwk)) === thumbprint
    );
  } catch {
    // Any error of jose means an invalid proof; the caller receives invalid_dpop_proof.
    return false;
  }
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
