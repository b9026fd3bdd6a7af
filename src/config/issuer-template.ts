// The issuer of a provider that has one for each tenant.

import { checkIssuer, tenantPlaceholder } from './url.ts';

const someTenant = '00000000-0000-4000-8000-000000000000';

/** Checks a template: an issuer with the placeholder as one part of its path. Returns null, or what was expected. */
export function checkIssuerTemplate(text: string): string | null {
  const [before = '', after = '', ...more] = text.split(tenantPlaceholder);
  const hasTenant = /^https?:\/\/[^/]+\//.test(before) && before.endsWith('/') && /^(\/|$)/.test(after);
  if (!hasTenant || more.length > 0 || !text.includes(tenantPlaceholder)) {
    return `an issuer with "${tenantPlaceholder}" as one part of its path, such as "https://login.microsoftonline.com/${tenantPlaceholder}/v2.0"`;
  }
  if (after.includes('/.well-known')) return 'only the issuer, without "/.well-known/…"';
  return checkIssuer(text.replace(tenantPlaceholder, someTenant));
}
