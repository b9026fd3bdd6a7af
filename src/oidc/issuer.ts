// The issuer to expect in the answers of a provider with many tenants: its metadata names a template, and each tenant has an
// issuer of its own.

import { _expectedIssuer as expectedIssuer } from 'oauth4webapi';
import { guid, isOfTenant } from '../config/issuer.ts';
import type { Provider } from '../config/provider.ts';
import { tenantPlaceholder } from '../config/url.ts';
import { words } from '../session/detail.ts';
import { rejectClaim } from './claim-error.ts';
import { rejectRedirect } from './redirect.ts';

// oauth4webapi exports this hook without a type.
declare module 'oauth4webapi' {
  /** Names the member of the metadata that returns the issuer expected of an ID token. */
  // oxlint-disable-next-line no-underscore-dangle -- the library's name
  export const _expectedIssuer: unique symbol;
}

type Claims = Readonly<Record<string, unknown>>;

/** Metadata, as far as they name the provider's issuer or its template. */
interface WithIssuer {
  readonly issuer: string;
}

/** Returns the issuer expected of an ID token. Throws `response-rejected`. */
export type ExpectedIssuer = (idToken: { readonly claims: Claims }) => string;

/** Whether a discovery document may name this issuer: the configured one, or the template or what fills it. */
export function isAdvertisable({ issuer, issuerTemplate }: Provider, advertised: string): boolean {
  if (issuerTemplate === null) return advertised === issuer;
  return advertised === issuerTemplate || isOfTenant(issuerTemplate, advertised);
}

/**
 * The metadata that expect of an ID token the issuer of its tenant, if they name a template: the claim `tid` is a GUID,
 * and `iss` is the template filled with it. At a renewal, that is the very `sessionIssuer`.
 */
export function withTenantIssuer<Metadata extends WithIssuer>(
  metadata: Metadata,
  sessionIssuer: string | null = null,
): Metadata {
  if (!isTemplate(metadata.issuer)) return metadata;
  const expected: ExpectedIssuer = ({ claims }) => {
    const filled = fillTemplate(metadata.issuer, claims);
    return claims['iss'] === filled ? (sessionIssuer ?? filled) : filled;
  };
  return { ...metadata, [expectedIssuer]: expected };
}

/**
 * The metadata for the check of an authorization response, whose `iss` (RFC 9207) is the issuer of a tenant. The caller
 * must compare it with that of the ID token. Throws `response-rejected`.
 */
export function toResponseMetadata<Metadata extends WithIssuer>(
  metadata: Metadata,
  issuer: string | null,
): Metadata {
  if (!isTemplate(metadata.issuer) || issuer === null) return metadata;
  if (!isOfTenant(metadata.issuer, issuer)) throw rejectRedirect(words`the issuer of no tenant [iss]`);
  return { ...metadata, issuer };
}

/** Whether metadata name a template that each tenant's issuer fills. */
export function isTemplate(issuer: string): boolean {
  return issuer.includes(tenantPlaceholder);
}

/** Throws, because oauth4webapi would compare `iss` with the template itself. */
function fillTemplate(template: string, claims: Claims): string {
  const tenant = claims['tid'];
  if (typeof tenant === 'string' && guid.test(tenant)) return template.replace(tenantPlaceholder, tenant);
  throw rejectClaim('tid', claims, words`its tenant is not a GUID`);
}
