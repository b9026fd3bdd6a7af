// The issuers of a provider: one, which is compared to the letter, or with a template one for each tenant, as at Microsoft
// Entra.

import type { Provider } from './provider.ts';
import { tenantPlaceholder } from './url.ts';

type Issuers = Pick<Provider, 'issuer' | 'issuerTemplate'>;

/** RFC 9562, section 4. */
export const guid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Whether an issuer is the configured one or, with a template, the one of a tenant. */
export function isIssuerOf({ issuer, issuerTemplate }: Issuers, candidate: string): boolean {
  return candidate === issuer || (issuerTemplate !== null && isOfTenant(issuerTemplate, candidate));
}

/** Whether two providers have an issuer in common. */
export function shareIssuer(one: Issuers, other: Issuers): boolean {
  const haveSameTemplate = one.issuerTemplate !== null && one.issuerTemplate === other.issuerTemplate;
  return haveSameTemplate || isIssuerOf(one, other.issuer) || isIssuerOf(other, one.issuer);
}

/** Whether `one` has all the issuers that two others have in common, which share one. */
export function coversCommon(one: Issuers, [other, another]: readonly [Issuers, Issuers]): boolean {
  const narrower = other.issuerTemplate === null ? other : another;
  return narrower.issuerTemplate === null
    ? isIssuerOf(one, narrower.issuer)
    : one.issuerTemplate === narrower.issuerTemplate;
}

/** Whether an issuer is the template filled with a tenant. */
export function isOfTenant(template: string, issuer: string): boolean {
  const [before = '', after = ''] = template.split(tenantPlaceholder);
  const tenant = issuer.slice(before.length, issuer.length - after.length);
  return guid.test(tenant) && issuer === `${before}${tenant}${after}`;
}
