// Fetches and validates the provider's metadata (OpenID Connect Discovery 1.0) and keys. Keeps only the
// members that Latchkey uses.

import * as v from 'valibot';
import { _expectedIssuer as expectedIssuer } from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { toProviderOrigins } from '../config/manifest.ts';
import { isObject } from '../session/shape.ts';
import { once } from '../concurrency.ts';
import { safe, detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { isSecureUrl, toSecureOrigin } from '../session/secure-url.ts';
import { type ProviderClient, readJsonAnswer } from './http.ts';
import { guid, isOfTenant } from '../config/issuer.ts';
import { tenantPlaceholder } from '../config/url.ts';
import { type Key, publicKeyAlgorithms } from './jwt.ts';
import { rejectClaim } from './problems.ts';
import { rejectRedirect } from './redirect.ts';

const schema = once(() => {
  const endpoint = v.pipe(v.string(), v.check(isSecureUrl));
  const neededEndpoint = v.exactOptional(endpoint);
  // Not checked here: one that isn't usable is left out below.
  const optionalEndpoint = v.exactOptional(v.custom<string>(() => true));
  return v.object({
    issuer: v.string(),
    authorization_endpoint: endpoint,
    token_endpoint: neededEndpoint,
    jwks_uri: neededEndpoint,
    userinfo_endpoint: optionalEndpoint,
    revocation_endpoint: optionalEndpoint,
    end_session_endpoint: optionalEndpoint,
    pushed_authorization_request_endpoint: optionalEndpoint,
    require_pushed_authorization_requests: v.exactOptional(v.boolean()),
    /** device.ts checks it, which most builds don't have. */
    device_authorization_endpoint: optionalEndpoint,
    dpop_signing_alg_values_supported: v.exactOptional(v.array(v.string())),
    id_token_signing_alg_values_supported: v.optional(v.array(v.string()), []),
    authorization_response_iss_parameter_supported: v.optional(v.boolean(), false),
  });
});

const lists = ['dpop_signing_alg_values_supported', 'id_token_signing_alg_values_supported'] as const;
const flags = [
  'require_pushed_authorization_requests',
  'authorization_response_iss_parameter_supported',
] as const;

/**
 * Returns the members with lists and flags in their types: a text stands for a list of one, and "true" for true. A value that still
 * can't be read is left out, as if the provider had sent none.
 */
export function toTyped(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const typed = { ...members };
  for (const name of lists) {
    const names = [members[name]].flat().filter((one) => typeof one === 'string' && one !== '');
    if (names.length > 0) typed[name] = names;
    else delete typed[name];
  }
  for (const name of flags) {
    if (members[name] === true || members[name] === 'true') typed[name] = true;
    else delete typed[name];
  }
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

/** The endpoints that a sign-in can do without. */
const optionalEndpoints = [
  'userinfo_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'pushed_authorization_request_endpoint',
] as const;

/** The name of an endpoint that a sign-in can do without. */
export type OptionalEndpoint = (typeof optionalEndpoints)[number];

/** Validated metadata of a provider, by its names in the specification. */
export type Metadata = Readonly<v.InferOutput<ReturnType<typeof schema>>> & {
  /**
   * The optional endpoints that aren't used, because their hosts aren't configured or they aren't https URLs; missing
   * if there are none.
   */
  readonly leftOutEndpoints?: OptionalEndpoint[];
  /** Missing if `issuer` is the expected issuer, and not a template. */
  readonly [expectedIssuer]?: ExpectedIssuer;
};

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
  const url = discoveryUrl ?? toDiscoveryUrl(issuer);
  const response = await exchange.fetch(url, { headers: { accept: 'application/json' } });
  return readJsonAnswer(detail`discovery`, safe(url), response);
}

/** The members that have a value. */
export function withoutNull<Value>(members: Readonly<Record<string, Value | null>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Value] => entry[1] !== null),
  );
}

/** The address of the discovery document (Discovery section 4). */
function toDiscoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * Validates a discovery document, from the provider or from the cache, with the configured overrides applied. An
 * optional endpoint that isn't https or on a host that isn't configured is left out.
 *
 * Throws {@link ProblemError}: `provider-misconfigured` if the issuer isn't exactly the configured one
 * (section 4.3), or its template, or an endpoint that a sign-in needs is missing or not https,
 * `host-permission-missing` if such an endpoint is on a host that isn't configured.
 */
export function readMetadata(document: DiscoveryDocument, provider: Provider): Metadata {
  const configured = readConfigured(provider);
  if (configured !== null) return toUsable(configured, provider);
  // In the configuration, null turns an endpoint off. Some providers send null for an endpoint that they lack.
  const members = withoutNull({ ...toMembers(document), ...provider.metadata });
  const { metadata, fault } = parse(members, provider);
  if (metadata === null) throw new ProblemError('provider-misconfigured', detail`discovery: ${fault}`);
  const { issuer } = metadata;
  if (!isAdvertisable(provider, issuer)) {
    const configuredIssuer = provider.issuerTemplate ?? provider.issuer;
    throw new ProblemError(
      'provider-misconfigured',
      detail`discovery: its issuer is another one than ${safe(configuredIssuer)}, which is configured`,
    );
  }
  return toUsable(metadata, provider);
}

/** The members of the document; none if it isn't an object. Spreading a long text or list would take a while. */
export function toMembers(document: DiscoveryDocument): Readonly<Record<string, unknown>> {
  return isObject(document) ? document : {};
}

/** The metadata in these members, or the fault of the first one that prevents a sign-in. */
function parse(
  members: Record<string, unknown>,
  provider: Provider,
): { metadata: Metadata; fault?: never } | { metadata: null; fault: Detail } {
  const { needed, unused } = toNeeds(provider);
  for (const name of unused) delete members[name];
  const { success, output, issues } = v.safeParse(schema(), toTyped(members));
  if (!success) return { metadata: null, fault: describeIssue(issues[0]) };
  const missing = needed.find((name) => output[name] === undefined);
  return missing === undefined
    ? { metadata: output }
    : { metadata: null, fault: detail`${safe(missing)} is missing` };
}

/** The member and its fault. The message of the issue would quote the value. */
function describeIssue(issue: v.BaseIssue<unknown>): Detail {
  const member = safe(v.getDotPath(issue) ?? 'the document');
  if (issue.received === 'undefined') return detail`${member} is missing`;
  return issue.type === 'check'
    ? detail`${member} is not an https URL`
    : detail`${member} has the wrong type`;
}

/** The configured metadata if it is enough for a sign-in; otherwise null. */
function readConfigured(provider: Provider): Metadata | null {
  const { metadata, issuer, issuerTemplate } = provider;
  if (metadata === null) return null;
  return parse(withoutNull({ ...metadata, issuer: issuerTemplate ?? issuer }), provider).metadata;
}

/**
 * Whether an authorization request is pushed (RFC 9126): as configured, or if the provider requires it.
 */
export function isPushed(
  { par }: Provider,
  { require_pushed_authorization_requests: isRequired = false }: Metadata,
): boolean {
  return par === 'always' || (par === 'auto' && isRequired);
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
    throw new ProblemError(
      'host-permission-missing',
      detail`discovery: ${safe(name)} is on a host that is not in the configuration`,
    );
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
    ...withTenantIssuer(metadata),
    // Without one that exists, the one that every provider has (Discovery section 3).
    id_token_signing_alg_values_supported: asymmetric.some((alg) => publicKeyAlgorithms.includes(alg))
      ? asymmetric
      : ['RS256'],
  };
  if (leftOutEndpoints.length === 0) return usable;
  for (const name of leftOutEndpoints) delete usable[name];
  return { ...usable, leftOutEndpoints };
}

// The issuer of a provider with many tenants: its metadata names a template, and each tenant has an issuer of its own.
// Microsoft Entra does so. Every other provider has one issuer, which must match exactly.

// oauth4webapi exports this hook without a type.
declare module 'oauth4webapi' {
  /** Names the member of the metadata that returns an ID token's expected issuer. */
  // oxlint-disable-next-line no-underscore-dangle -- the library's name
  export const _expectedIssuer: unique symbol;
}

type Claims = Readonly<Record<string, unknown>>;

/** The members of the metadata that name the provider's issuer or its template. */
interface WithIssuer {
  readonly issuer: string;
}

/** Returns an ID token's expected issuer. Throws `response-rejected`. */
type ExpectedIssuer = (idToken: { readonly claims: Claims }) => string;

/** Whether a discovery document may name this issuer: the configured one, or the template or what fills it. */
export function isAdvertisable({ issuer, issuerTemplate }: Provider, advertised: string): boolean {
  if (issuerTemplate === null) return advertised === issuer;
  return advertised === issuerTemplate || isOfTenant(issuerTemplate, advertised);
}

/**
 * The metadata for the check of an ID token. If they name a template, the check expects the issuer of the token's tenant: `tid`
 * must be a GUID, and `iss` the template filled with it. At a renewal, `iss` must be the `sessionIssuer`.
 */
export function withTenantIssuer<M extends WithIssuer>(metadata: M, sessionIssuer: string | null = null): M {
  if (!isTemplate(metadata.issuer)) return metadata;
  const expected: ExpectedIssuer = ({ claims }) => {
    const filled = fillTemplate(metadata.issuer, claims);
    return claims['iss'] === filled ? (sessionIssuer ?? filled) : filled;
  };
  return { ...metadata, [expectedIssuer]: expected };
}

/**
 * The metadata for the check of an authorization response. Its `iss` (RFC 9207) is the issuer of a tenant, and the caller
 * must compare it with the ID token's. Throws `response-rejected`.
 */
export function toResponseMetadata<M extends WithIssuer>(metadata: M, issuer: string | null): M {
  if (!isTemplate(metadata.issuer) || issuer === null) return metadata;
  if (!isOfTenant(metadata.issuer, issuer)) throw rejectRedirect(detail`the issuer of no tenant [iss]`);
  return { ...metadata, issuer };
}

/** Whether the metadata name a template for the tenants' issuers. */
export function isTemplate(issuer: string): boolean {
  return issuer.includes(tenantPlaceholder);
}

/** Throws, because oauth4webapi would compare `iss` with the template itself. */
function fillTemplate(template: string, claims: Claims): string {
  const tenant = claims['tid'];
  if (typeof tenant === 'string' && guid.test(tenant)) return template.replace(tenantPlaceholder, tenant);
  throw rejectClaim('tid', claims, detail`its tenant is not a GUID`);
}
