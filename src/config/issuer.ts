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

/** Whether two providers accept ID tokens of an issuer in common. */
export function shareIssuer(one: Issuers, other: Issuers): boolean {
  const [parts, others] = [toAccepted(one).split('/'), toAccepted(other).split('/')];
  const isTenant = (part: string, placeholder: string) =>
    placeholder === tenantPlaceholder && guid.test(part);
  return (
    parts.length === others.length &&
    parts.every((part, at) => {
      const another = others[at] ?? '';
      return part === another || isTenant(part, another) || isTenant(another, part);
    })
  );
}

/** Whether `one` accepts ID tokens of each issuer that `other` accepts. */
export function coversIssuers(one: Issuers, other: Issuers): boolean {
  const accepted = toAccepted(other);
  return (
    accepted === toAccepted(one) || (one.issuerTemplate !== null && isOfTenant(one.issuerTemplate, accepted))
  );
}

/** The issuer of ID tokens. With a template, `issuer` only locates the discovery document. */
function toAccepted({ issuer, issuerTemplate }: Issuers): string {
  return issuerTemplate ?? issuer;
}

/** Whether an issuer is the template filled with a tenant. */
export function isOfTenant(template: string, issuer: string): boolean {
  const [before = '', after = ''] = template.split(tenantPlaceholder);
  const tenant = issuer.slice(before.length, issuer.length - after.length);
  return guid.test(tenant) && issuer === `${before}${tenant}${after}`;
}
