// The issuers of tenants are in oidc/tenant-issuer.test.ts, and issuers that cover others in policy.test.ts.

import { expect, test } from 'vitest';
import { shareIssuer } from '../../src/config/issuer.ts';

const issuer = 'https://provider.example';
const template = `${issuer}/{tenantid}/v2.0`;
const [contoso, fabrikam] = ['11111111-2222-3333-4444-555555555555', '99999999-aaaa-bbbb-cccc-dddddddddddd'];
const issuerOf = (tenant: string) => `${issuer}/${tenant}/v2.0`;
const elsewhere = 'https://evil.example';

const of = (own: string, issuerTemplate: string | null = null) => ({ issuer: own, issuerTemplate });

test.each([
  ['the same issuer', of(issuer), of(issuer), true],
  ['another issuer', of(issuer), of(`${issuer}/`), false],
  ['a template and one of its tenants', of(issuer, template), of(issuerOf(contoso)), true],
  ['a template and another host', of(issuer, template), of(elsewhere), false],
  ['the same template at two addresses', of(issuer, template), of(issuerOf('common'), template), true],
  ['two templates', of(issuer, template), of(issuerOf('common'), `${issuer}/{tenantid}`), false],
  ['two tenants', of(issuerOf(contoso)), of(issuerOf(fabrikam)), false],
  [
    'templates that meet in one issuer',
    of(issuer, `${issuer}/{tenantid}/${contoso}`),
    of(issuer, `${issuer}/${fabrikam}/{tenantid}`),
    true,
  ],
  ['an address, and a template that is found there', of(issuer), of(issuer, template), false],
])('whether two providers with %s share an issuer', (_title, one, other, expected) => {
  expect(shareIssuer(one, other)).toBe(expected);
  expect(shareIssuer(other, one)).toBe(expected);
});
