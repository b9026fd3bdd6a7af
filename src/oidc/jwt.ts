// Texts as providers write them: base64url, JSON, JWTs (RFC 7519), and the keys (RFC 7517) that sign them, which are read as every
// browser does. The worker and the doctor judge alike.

import type { Environment } from './http.ts';

/** Creates an unguessable text of 256 bits, for a state, nonce or code verifier. */
export function createSecret({ randomBytes }: Environment): string {
  return toBase64Url(randomBytes(32));
}

/** Encodes bytes as base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return encode(String.fromCharCode(...bytes));
}

/** The same for a binary string: one character per byte. */
function encode(binary: string): string {
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64url to a binary string. */
export function fromBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}

function toBytes(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  // `Uint8Array.from` takes ten times as long for a text.
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The members of a response, or the claims of a token. */
export type Members = Readonly<Record<string, unknown>>;

/** Parses a JSON object; null for any other text. The caller knows what that means. */
export function parseObject(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Members | null) : null;
  } catch {
    return null;
  }
}

/** The claims of a JWT, which aren't verified here; null if the token isn't one. */
export function readClaims(token: string): Members | null {
  const [, payload, ...others] = token.split('.', 4);
  const claims = payload === undefined || others.length !== 1 ? null : readJson(payload);
  return claims && toClaims(claims);
}

/** Reads a part of a JWT: base64url-encoded JSON of an object; null for any other text. */
export function readJson(part: string): Members | null {
  try {
    return parseObject(new TextDecoder().decode(toBytes(fromBase64Url(part))));
  } catch {
    // Not base64url, so it holds no JSON.
    return null;
  }
}

/** Claims with one value, but for those that say whose token it is and how long it's valid. */
const singleClaims =
  /^(?:acr|at_hash|auth_time|azp|nonce|picture|email(?:_verified)?|(?:\w+_)?name|preferred_username)$/;

/**
 * The claims of an ID token or of UserInfo as the standard has them: null and an empty list count as no claim, a list of one stands
 * for its value, as Keycloak writes an attribute; "true" for the boolean in `email_verified`, as Cognito's UserInfo has it
 * (https://github.com/zitadel/oidc/pull/139); and a text of digits for a time (https://github.com/openid/AppAuth-iOS/issues/713).
 */
export function toClaims(members: Members): Members {
  const claims: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const [first, ...others] = [value].flat() as unknown[];
    const single = singleClaims.test(name) && others.length === 0 ? first : value;
    if (first === undefined || single === null) continue;
    const isTime = ['exp', 'iat', 'nbf'].includes(name) && typeof single === 'string' && /^\d+$/.test(single);
    claims[name] = isTime ? Number(single) : name === 'email_verified' ? toFlag(single) : single;
  }
  return claims;
}

/** The boolean that a text stands for; any other value stays as it is. */
export function toFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : value;
}

/** A JSON Web Key (RFC 7517 section 4), as the provider sent it. */
export type Key = Readonly<Record<string, unknown>>;

/** Names of algorithms with a public key. The last three are in no browser yet, and no key fits them. */
export const publicKeyAlgorithms =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA ML-DSA-44 ML-DSA-65 ML-DSA-87'.split(
    ' ',
  );

/** An algorithm (RFC 7518 section 3, RFC 9864) and its keys. */
interface Kind {
  /** Its names: Ed25519 has two. */
  readonly names: readonly string[];
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly crv?: string;
  /** For Web Crypto, each of whose functions reads what it needs. */
  readonly algorithm: { name: string; hash?: string; namedCurve?: string; saltLength?: number };
}

/** Null for an algorithm that isn't supported. */
function toKind(alg: string): Kind | null {
  if (alg === 'Ed25519' || alg === 'EdDSA')
    return { names: ['Ed25519', 'EdDSA'], kty: 'OKP', crv: 'Ed25519', algorithm: { name: 'Ed25519' } };
  const [, family, bits] = /^([RPE]S)(256|384|512)$/.exec(alg) ?? [];
  const hash = `SHA-${bits}`;
  if (family === 'ES') {
    const crv = `P-${bits === '512' ? '521' : bits}`;
    return { names: [alg], kty: 'EC', crv, algorithm: { name: 'ECDSA', namedCurve: crv, hash } };
  }
  const name = family === 'RS' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS';
  return family
    ? { names: [alg], kty: 'RSA', algorithm: { name, hash, saltLength: Number(bits) / 8 } }
    : null;
}

/**
 * Whether a member has this value, or none at all: some providers send null, or an empty text or list, in place of leaving it
 * out.
 */
function allows(member: unknown, value: string): boolean {
  const given = [member].flat().map(toText).filter(Boolean);
  return given.length === 0 || given.includes(value);
}

/** A text or a number as a text; empty for anything else. */
function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether a key may have signed, by what it says of itself. One that is published with its private part proves nothing. */
function fits(key: Key, { names, kty, crv }: Kind): boolean {
  const alg = toText(key['alg']);
  return (
    key['kty'] === kty &&
    (crv === undefined || key['crv'] === crv) &&
    // A name that no standard has says nothing: Gluu wrote "EC" (https://github.com/GluuFederation/oxAuth/issues/4).
    (names.includes(alg) || !publicKeyAlgorithms.includes(alg)) &&
    allows(key['use'], 'sig') &&
    allows(key['key_ops'], 'verify') &&
    typeof key['d'] !== 'string'
  );
}

/** Whether an ID token that is signed with this key and algorithm can be verified, in every browser. */
export async function canVerify(key: Key, alg: string): Promise<boolean> {
  const kind = toKind(alg);
  return kind !== null && fits(key, kind) && (await importKey(key, kind)) !== null;
}

/** Returns the public key; null for one that can't be read, is too short, or that a browser refuses. */
async function importKey(key: Key, { kty, crv, algorithm }: Kind): Promise<CryptoKey | null> {
  try {
    const jwk = { kty, ...(crv === undefined ? readRsa(key) : readPoint(key, crv)) };
    return await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  } catch {
    return null;
  }
}

/** In bytes. Chrome takes no longer modulus. */
const maxLength = 1024;

/** Throws for a modulus below 2048 bits, and for numbers that no RSA key has, which Chrome refuses. */
function readRsa({ n, e }: Key): JsonWebKey {
  const [modulus, exponent] = [toInteger(n), toInteger(e)];
  const { length } = modulus;
  const isLong = length > 256 || (length === 256 && modulus >= '\x80');
  const areOdd = [modulus, exponent].every((integer) => integer.charCodeAt(integer.length - 1) % 2 === 1);
  if (!isLong || length > maxLength || !areOdd || exponent === '\x01' || exponent.length > 4)
    throw new TypeError();
  return { n: encode(modulus), e: encode(exponent) };
}

/** The coordinates of a point. Those of an EC key have the length of the curve (RFC 7518 section 6.2.1.2). */
function readPoint({ x, y }: Key, crv: string): JsonWebKey {
  if (crv === 'Ed25519') return { crv, x: encode(decode(x)) };
  const length = Math.ceil(Number(crv.slice(2)) / 8);
  const toCoordinate = (value: unknown) => encode(toInteger(value).padStart(length, '\0'));
  return { crv, x: toCoordinate(x), y: toCoordinate(y) };
}

/**
 * Decodes a member to a binary string. Browsers take nothing but base64url without padding (RFC 7518 section 2). Other libraries take
 * more, so some providers send more: standard base64, line breaks, or a padding of "=" or ",".
 */
function decode(value: unknown): string {
  const binary = typeof value === 'string' ? fromBase64Url(value.replace(/[\s=,]/g, '')) : '';
  if (binary === '' || binary.length > maxLength + 1) throw new TypeError();
  return binary;
}

/** An integer begins with no zero byte (RFC 7518 section 2), but a library with signed integers writes one. */
const toInteger = (value: unknown) => decode(value).replace(/^\0+/, '');

/** No provider has as many keys, and each takes time. */
const maxTried = 100;

/**
 * The result of trying a provider's keys on a token:
 * - `verified`: one of them has signed it;
 * - `refuted`: a key that the token means hasn't signed it;
 * - `unreadable`: the key that the token means can't be read, or its signature;
 * - `unknown`: the token means none of them;
 * - `unannounced`: the provider's metadata don't name the token's algorithm.
 */
type Verification = 'verified' | 'refuted' | 'unreadable' | 'unknown' | 'unannounced';

/**
 * Verifies the signature of a JWT (RFC 7515 section 5.2) with each key that fits its algorithm. A key ID is only a hint which one
 * that is (section 4.1.4): the keys with another ID, or with none, come last. Without an ID, the token means each that fits. Never
 * rejects.
 */
export async function verifyJwt(
  jwt: string,
  keys: readonly Key[],
  algorithms: readonly string[],
): Promise<Verification> {
  const [header = '', payload = '', signed = ''] = jwt.split('.');
  const { alg, kid } = readJson(header) ?? {};
  const kind = toKind(toText(alg));
  if (kind === null) return 'unknown';
  if (!kind.names.some((name) => algorithms.includes(name))) return 'unannounced';
  const wanted = toText(kid);
  const isMeant = (key: Key) => wanted === '' || toText(key['kid']) === wanted;
  const fitting = keys.filter((key) => fits(key, kind));
  const ordered = [...fitting.filter(isMeant), ...fitting.filter((key) => !isMeant(key))];
  const found = new Set<Verification>();
  for (const key of ordered.slice(0, maxTried)) {
    const tried = await tryKey(key, kind, `${header}.${payload}`, signed);
    if (tried === 'verified') return tried;
    if (isMeant(key)) found.add(tried);
  }
  return found.has('refuted') ? 'refuted' : found.has('unreadable') ? 'unreadable' : 'unknown';
}

async function tryKey(key: Key, kind: Kind, data: string, signed: string): Promise<Verification> {
  const imported = await importKey(key, kind);
  if (imported === null) return 'unreadable';
  try {
    const signature = toBytes(fromBase64Url(signed));
    const isOwn = await crypto.subtle.verify(kind.algorithm, imported, signature, toBytes(data));
    return isOwn ? 'verified' : 'refuted';
  } catch {
    return 'unreadable';
  }
}
