// The issuer of a provider with many tenants: its metadata names a template, and each tenant has an issuer of its own.
// Microsoft Entra does so. Every other provider has one issuer, which must match exactly.

import { _expectedIssuer as expectedIssuer } from 'oauth4webapi';
import { guid, isOfTenant } from '../config/issuer.ts';
import type { Provider } from '../config/provider.ts';
import { tenantPlaceholder } from '../config/url.ts';
import { detail } from '../session/detail.ts';
import { rejectClaim } from './claim-error.ts';
import { rejectRedirect } from './redirect.ts';

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
export type ExpectedIssuer = (idToken: { readonly claims: Claims }) => string;

/** Whether a discovery document may name this issuer: the configured one, or the template or what fills it. */
export function isAdvertisable({ issuer, issuerTemplate }: Provider, advertised: string): boolean {
  if (issuerTemplate === null) return advertised === issuer;
  return advertised === issuerTemplate || isOfTenant(issuerTemplate, advertised);
}

/**
 * The metadata for the check of an ID token. If they name a template, the check expects the issuer of the token's tenant: `tid`
 * must be a GUID, and `iss` the template filled with it. At a renewal, `iss` must be the `sessionIssuer`.
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
 * The metadata for the check of an authorization response. Its `iss` (RFC 9207) is the issuer of a tenant, and the caller
 * must compare it with the ID token's. Throws `response-rejected`.
 */
export function toResponseMetadata<Metadata extends WithIssuer>(
  metadata: Metadata,
  issuer: string | null,
): Metadata {
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
