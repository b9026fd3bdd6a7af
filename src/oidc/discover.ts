// Fetches and validates the provider's metadata (OpenID Connect Discovery 1.0) and keys.

import type { AuthorizationServer } from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { toProviderOrigins } from '../config/manifest.ts';
import { isObject } from '../session/shape.ts';
import { safe, detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { isSecureUrl, toSecureOrigin } from '../session/secure-url.ts';
import { type ProviderClient, readJsonAnswer } from './http.ts';
import { isOfTenant } from '../config/issuer.ts';
import { type Key, type Members, publicKeyAlgorithms } from './jwt.ts';

/** The endpoints that a sign-in can do without. */
const optionalEndpoints = [
  'userinfo_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'pushed_authorization_request_endpoint',
] as const;

/** The name of an endpoint that a sign-in can do without. */
export type OptionalEndpoint = (typeof optionalEndpoints)[number];

/** The device flow checks its endpoint itself, because most builds don't have it. */
const otherEndpoints = ['token_endpoint', 'jwks_uri', 'device_authorization_endpoint'] as const;
const lists = ['dpop_signing_alg_values_supported', 'id_token_signing_alg_values_supported'] as const;
const flags = [
  'require_pushed_authorization_requests',
  'authorization_response_iss_parameter_supported',
] as const;

/** Validated metadata of a provider, by its names in the specification: those members that {@link toTyped} returns. */
export interface Metadata extends AuthorizationServer {
  readonly authorization_endpoint: string;
  readonly id_token_signing_alg_values_supported: string[];
  /**
   * The optional endpoints that aren't used, because their hosts aren't configured or they aren't https URLs; missing
   * if there are none.
   */
  readonly leftOutEndpoints?: OptionalEndpoint[];
  /** The issuer of the session that is renewed. If `issuer` is a template, its ID tokens must name this one. */
  readonly sessionIssuer?: string;
}

/**
 * Returns the members that Latchkey uses, with lists and flags in their types: a text stands for a list of one, and "true" for true. A
 * value that still can't be read is left out, as if the provider had sent none.
 */
export function toTyped(members: Members): Record<string, unknown> {
  const typed: Record<string, unknown> = { id_token_signing_alg_values_supported: [] };
  for (const name of ['issuer', 'authorization_endpoint', ...optionalEndpoints, ...otherEndpoints])
    if (members[name] !== undefined) typed[name] = members[name];
  for (const name of lists) {
    const names = [members[name]].flat().filter((one) => typeof one === 'string' && one !== '');
    if (names.length > 0) typed[name] = names;
  }
  for (const name of flags) if (members[name] === true || members[name] === 'true') typed[name] = true;
  return typed;
}

/** The endpoints that a sign-in needs in addition to its page, and those that it must not use. */
export function toNeeds({ userApi, responseType }: Provider) {
  const [token, keys, userInfo] = ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;
  // The user API takes the place of keys and UserInfo.
  if (userApi !== null) return { needed: [token], unused: [keys, userInfo] };
  // With the ID token itself as the response, the token endpoint is never called.
  if (responseType === 'id_token') return { needed: [keys], unused: [token] };
  return { needed: [token, keys], unused: [] };
}

/** A JSON Web Key Set (RFC 7517 section 5). */
export interface Keys {
  readonly keys: readonly Key[];
  /** The signature algorithms that the provider names now; if missing, those of the metadata in use count. */
  readonly algorithms?: readonly string[];
}

/** The discovery document as the provider sent it; null if the configuration makes it unnecessary. */
export type DiscoveryDocument = unknown;

/**
 * Fetches the discovery document. Returns null without a request if the configuration names every endpoint
 * needed for a sign-in. Throws {@link ProblemError}, as the exchange's `fetch` does.
 */
export async function requestDocument({ provider, exchange }: ProviderClient): Promise<DiscoveryDocument> {
  if (readConfigured(provider) !== null) return null;
  const { issuer, discoveryUrl } = provider;
  // Discovery section 4.
  const url = discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await exchange.fetch(url, { headers: { accept: 'application/json' } });
  return readJsonAnswer(detail`discovery`, safe(url), response);
}

/** The members that have a value. */
function withoutNull<Value>(members: Readonly<Record<string, Value | null>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Value] => entry[1] !== null),
  );
}

/**
 * Validates a discovery document, from the provider or from the cache, with the configured overrides applied.
 *
 * Throws {@link ProblemError}: `provider-misconfigured` if the issuer isn't exactly the configured one (section 4.3), or its template,
 * or an endpoint that a sign-in needs is missing or not https, `host-permission-missing` if such an endpoint is on a host that isn't
 * configured. Any other such endpoint is left out.
 */
export function readMetadata(document: DiscoveryDocument, provider: Provider): Metadata {
  const configured = readConfigured(provider);
  if (configured !== null) return toUsable(configured, provider);
  // In the configuration, null turns an endpoint off. Some providers send null for an endpoint that they lack.
  const members = withoutNull({ ...toMembers(document), ...provider.metadata });
  const { metadata, fault } = parse(members, provider);
  if (fault !== null) throw new ProblemError('provider-misconfigured', detail`discovery: ${fault}`);
  if (isAdvertisable(provider, metadata.issuer)) return toUsable(metadata, provider);
  const issuer = safe(provider.issuerTemplate ?? provider.issuer);
  const reason = detail`discovery: its issuer is another one than ${issuer}, which is configured`;
  throw new ProblemError('provider-misconfigured', reason);
}

/** The members of the document; none if it isn't an object. Spreading a long text or list would take a while. */
export function toMembers(document: DiscoveryDocument): Members {
  return isObject(document) ? document : {};
}

/** The metadata in these members, with the first fault that prevents a sign-in. */
function parse(members: Members, provider: Provider): { metadata: Metadata; fault: Detail | null } {
  const { needed, unused } = toNeeds(provider);
  const typed = toTyped(members);
  for (const name of unused) delete typed[name];
  // The others are checked in `toUsable`.
  const metadata = typed as unknown as Metadata;
  for (const name of ['issuer', 'authorization_endpoint', ...needed]) {
    const value = typed[name];
    if (value === undefined) return { metadata, fault: detail`${safe(name)} is missing` };
    if (typeof value !== 'string') return { metadata, fault: detail`${safe(name)} has the wrong type` };
    const isUrl = name === 'issuer' || isSecureUrl(value);
    if (!isUrl) return { metadata, fault: detail`${safe(name)} is not an https URL` };
  }
  return { metadata, fault: null };
}

/** The configured metadata if it is enough for a sign-in; otherwise null. */
function readConfigured(provider: Provider): Metadata | null {
  if (provider.metadata === null) return null;
  const issuer = provider.issuerTemplate ?? provider.issuer;
  const { metadata, fault } = parse(withoutNull({ ...provider.metadata, issuer }), provider);
  return fault === null ? metadata : null;
}

/** Whether an authorization request is pushed (RFC 9126): as configured, or if the provider requires it. */
export function isPushed({ par }: Provider, metadata: Metadata): boolean {
  return par === 'always' || (par === 'auto' && metadata.require_pushed_authorization_requests === true);
}

/** Fetches the provider's signing keys (RFC 7517). A provider with a user API has none. Throws {@link ProblemError}. */
export async function requestKeys({ exchange }: ProviderClient, { jwks_uri: url }: Metadata): Promise<Keys> {
  if (url === undefined) return { keys: [] };
  const response = await exchange.fetch(url, {});
  // There is a response, so the host is a configured one. The path is the provider's.
  return readKeys(await readJsonAnswer(detail`keys`, safe(new URL(url).host), response));
}

function isKey(entry: unknown): entry is Key {
  return typeof (entry as { readonly kty?: unknown } | null)?.kty === 'string';
}

/**
 * Reads a key set, from the provider or from the cache. An entry that isn't a key is left out, because others may be good (RFC 7517
 * section 5). Throws `response-rejected` if there is no list, or if none of its entries is a key.
 */
export function readKeys(json: unknown): Keys {
  // Some publish the bare list, or one key or an object of keys in place of the list.
  const { keys: listed } = toMembers(json);
  const set = listed ?? json;
  const entries: readonly unknown[] = isObject(set) && !isKey(set) ? Object.values(set) : [set].flat();
  const keys = entries.filter(isKey);
  if (keys.length === 0 && (listed === undefined || entries.length > 0))
    throw new ProblemError('response-rejected', detail`keys: the answer is not a key set`);
  return { keys };
}

/**
 * Rejects an endpoint that a sign-in needs on a host without permission, and leaves out the others that can't be used. Removes
 * unsafe signature algorithms: a public client has no secret, so `none` and HMAC prove nothing (OpenID Connect Core
 * 3.1.3.7).
 */
function toUsable(metadata: Metadata, provider: Provider): Metadata {
  const origins = toProviderOrigins(provider);
  const pushed = 'pushed_authorization_request_endpoint' as const;
  const needed = [...toNeeds(provider).needed, ...(isPushed(provider, metadata) ? [pushed] : [])];
  for (const name of needed) {
    const origin = toSecureOrigin(metadata[name]);
    if (origin === null || origins.includes(origin)) continue;
    const reason = detail`discovery: ${safe(name)} is on a host that is not in the configuration`;
    throw new ProblemError('host-permission-missing', reason);
  }
  const leftOutEndpoints: OptionalEndpoint[] = [];
  for (const name of optionalEndpoints) {
    const origin = toSecureOrigin(metadata[name]);
    // The page that ends the session opens in a window, which needs no permission.
    const isUsable = origin !== null && (name === 'end_session_endpoint' || origins.includes(origin));
    if (metadata[name] !== undefined && !isUsable) leftOutEndpoints.push(name);
  }
  const asymmetric = metadata.id_token_signing_alg_values_supported.filter(
    (alg) => !/^(none$|HS)/i.test(alg),
  );
  const usable = {
    ...metadata,
    // Without one that exists, the one that every provider has (Discovery section 3).
    id_token_signing_alg_values_supported: asymmetric.some((alg) => publicKeyAlgorithms.includes(alg))
      ? asymmetric
      : ['RS256'],
  };
  if (leftOutEndpoints.length === 0) return usable;
  for (const name of leftOutEndpoints) delete usable[name];
  return { ...usable, leftOutEndpoints };
}

/** Whether a discovery document may name this issuer: the configured one, or the template or what fills it. */
export function isAdvertisable({ issuer, issuerTemplate }: Provider, advertised: string): boolean {
  if (issuerTemplate === null) return advertised === issuer;
  return advertised === issuerTemplate || isOfTenant(issuerTemplate, advertised);
}
