// Who calls the demo provider's APIs: the access token of a request, with its DPoP proof.

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { EmbeddedJWK, calculateJwkThumbprint, jwtVerify } from 'jose';
import type { AccessToken, Provider } from 'oidc-provider';
import { idTokenClientId } from './clients.ts';

/** Error codes of RFC 6750 (section 3.1) and RFC 9449 (section 7.1). */
type Refusal = 'invalid_token' | 'invalid_dpop_proof';

/** The token that a request presents, the reason to reject it, or null if it presents none. */
export async function authenticate(
  provider: Provider,
  url: string,
  request: IncomingMessage,
): Promise<AccessToken | Refusal | null> {
  const [, scheme, value] = /^(Bearer|DPoP) (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  const token =
    (await provider.AccessToken.find(value)) ??
    (scheme.toLowerCase() === 'bearer' && (await readIdToken(provider, value)));
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

const clockToleranceSeconds = 5;

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
    // Any error of jose means an invalid proof; the caller receives invalid_dpop_proof.
    return false;
  }
}
