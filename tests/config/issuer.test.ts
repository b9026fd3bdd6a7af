import { expect, test } from 'vitest';
import { coversIssuers, isIssuerOf, shareIssuer } from '../../src/config/issuer.ts';

const issuer = 'https://provider.example';
const template = `${issuer}/{tenantid}/v2.0`;
const [contoso, fabrikam] = ['11111111-2222-3333-4444-555555555555', '99999999-aaaa-bbbb-cccc-dddddddddddd'];
const issuerOf = (tenant: string) => `${issuer}/${tenant}/v2.0`;
const elsewhere = 'https://evil.example';

test.each<[string, string | null, string, boolean]>([
  ['the configured issuer', null, issuer, true],
  ['another spelling', null, `${issuer}/`, false],
  ['a tenant', template, issuerOf(contoso), true],
  ['a tenant without a template', null, issuerOf(contoso), false],
  ['the template', template, template, false],
  ['another text after the tenant', template, `${issuer}/${contoso}/v9.9`, false],
  ['another text before the tenant', template, issuerOf(contoso).replace('https', 'httpx'), false],
  ['two tenants', template, issuerOf(`${contoso}/${fabrikam}`), false],
  ['too short a text', template, 'https://', false],
  ['a tenant at the end', `${issuer}/{tenantid}`, `${issuer}/${contoso}`, true],
])('isIssuerOf for %s', (_title, issuerTemplate, candidate, expected) => {
  expect(isIssuerOf({ issuer, issuerTemplate }, candidate)).toBe(expected);
});

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

test.each([
  ['a template covers its tenant', of(issuer, template), of(issuerOf(contoso)), true],
  ['a template covers itself at another address', of(issuer, template), of(elsewhere, template), true],
  ['a template does not cover its address', of(issuer, template), of(issuer), false],
  ['a tenant does not cover its template', of(issuerOf(contoso)), of(issuer, template), false],
  ['an issuer covers itself', of(issuer), of(issuer), true],
])('%s', (_title, one, other, expected) => {
  expect(coversIssuers(one, other)).toBe(expected);
});
