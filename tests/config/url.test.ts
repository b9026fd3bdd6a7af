import { expect, test } from 'vitest';
import { checkEndpoint, checkIssuer, checkIssuerTemplate, checkOrigin } from '../../src/config/url.ts';

const webUrl = 'a URL that begins with "https://" and a host';
const aHost = 'a host of letters, digits, "-" and "."';
const httpOnlyLoopback = '"https:"; "http:" is allowed for "localhost" and "127.0.0.1" only';
const ascii = 'an ASCII URL without spaces, quotes, braces or backslashes';
const noWildcard = 'one host, because a wildcard asks for more access than needed';
const noIpv6 = 'a host name instead of an IPv6 address; for this computer use "localhost" or "127.0.0.1"';
const validHost = 'a URL with a valid host and port';
const yourOwn = (placeholder: string) => `a URL with your own value in place of "${placeholder}"`;
const asBrowsersWrite = (host: string) => `the host as browsers write it: "${host}"`;
const onlyIssuer = (issuer: string) =>
  `only the issuer: "${issuer}", or with "/" at its end if the discovery document writes it so`;

test.each([
  'https://Id.acme.example:443/@tenant/',
  'https://xn--bcher-kva.example',
  'https://id.acme.example/.well-known-tenant',
  'http://localhost:4455',
  'http://127.0.0.1:4455/tenant',
])('checkIssuer accepts %s', (issuer) => {
  expect(checkIssuer(issuer)).toBeNull();
});

test.each([
  ['id.acme.example', webUrl],
  ['HTTPS://id.acme.example', webUrl],
  ['https:///acme', webUrl],
  ['xhttps://id.acme.example', webUrl],
  ['javascript:alert(1)', webUrl],
  ['https://id.acme.example ', ascii],
  ['https://id.acme.example/b\u00fccher', ascii],
  ['https://id.acme.example/"', ascii],
  ['https://id.acme.example/{tenant}', yourOwn('{tenant}')],
  ['https://id.acme.example/<tenant id>', yourOwn('<tenant id>')],
  [
    'https://login.example/{tenantid}/v2.0',
    'the issuer of one tenant, or "issuerTemplate" for one with "{tenantid}"',
  ],
  ['https://id.acme.example:x', validHost],
  ['https://id.acme.example:99999', validHost],
  ['https://xn--a.example', validHost],
  ['https://a;script-src', aHost],
  ['https://my_host.example', aHost],
  ['https://*.acme.example', noWildcard],
  ['https://b\u00fccher.example/tenant', asBrowsersWrite('xn--bcher-kva.example')],
  ['https://\uff41cme.example', asBrowsersWrite('acme.example')],
  ['https://id%2eacme.example', asBrowsersWrite('id.acme.example')],
  ['http://2130706433:4455', asBrowsersWrite('127.0.0.1')],
  ['https://id.acme.example./tenant', 'a host without a dot at its end: "id.acme.example"'],
  ['https://id.acme.example?', 'an issuer without a query'],
  ['https://id.acme.example/?key=hunter2', 'an issuer without a query'],
  ['https://id.acme.example/?next=/.well-known/x', 'an issuer without a query'],
  ['https://id.acme.example#hunter2', 'a URL without a fragment'],
  ['https://id.acme.example/#/.well-known/x', 'a URL without a fragment'],
  ['https://me:hunter2@id.acme.example', 'a URL without a user name or password'],
  [
    'https://me:hunter2@id.acme.example/.well-known/openid-configuration',
    'a URL without a user name or password',
  ],
  ['http://id.acme.example', httpOnlyLoopback],
  ['http://localhost.acme.example', httpOnlyLoopback],
  ['http://id.acme.example/.well-known/openid-configuration', httpOnlyLoopback],
  ['http://[::1]:4455', noIpv6],
  ['https://[2001:db8::1]', noIpv6],
  ['https://id.acme.example/.well-known/openid-configuration', onlyIssuer('https://id.acme.example')],
  ['https://id.acme.example/.well-known/openid-configuration/', onlyIssuer('https://id.acme.example')],
  ['https://id.acme.example/tenant/.well-known', onlyIssuer('https://id.acme.example/tenant')],
  [
    'https://id.acme.example/.well-known/oauth-authorization-server/tenant',
    'only the issuer: "https://id.acme.example/tenant"',
  ],
])('checkIssuer rejects %s', (issuer, expected) => {
  expect(checkIssuer(issuer)).toBe(expected);
});

const theTemplate =
  'an issuer with "{tenantid}" as one part of its path, such as "https://login.microsoftonline.com/{tenantid}/v2.0"';

test.each([
  ['https://id.acme.example/{tenantid}/v2.0', null],
  ['https://id.acme.example/{tenantid}', null],
  ['https://id.acme.example', theTemplate],
  ['https://id.acme.example/', theTemplate],
  ['https://{tenantid}.acme.example/v2.0', theTemplate],
  ['xhttps://id.acme.example/{tenantid}', theTemplate],
  ['https://{tenantid}/v2.0', theTemplate],
  ['https://id.acme.example/{tenantid}/{tenantid}', theTemplate],
  ['https://id.acme.example/t-{tenantid}/v2.0', theTemplate],
  ['https://id.acme.example/{tenantid}.example/v2.0', theTemplate],
  ['https://id.acme.example/{tenantId}/v2.0', theTemplate],
  ['https://id.acme.example/{tenantid}?key=hunter2', theTemplate],
  ['{tenantid}', theTemplate],
  ['', theTemplate],
  ['https://id.acme.example/{tenantid}/{policy}', yourOwn('{policy}')],
  ['http://id.acme.example/{tenantid}', httpOnlyLoopback],
  ['https://me:hunter2@id.acme.example/{tenantid}', 'a URL without a user name or password'],
  [
    'https://id.acme.example/{tenantid}/.well-known/openid-configuration',
    'only the issuer, without "/.well-known/…"',
  ],
])('checkIssuerTemplate, of %s, expects %s', (template, expected) => {
  expect(checkIssuerTemplate(template)).toBe(expected);
});

test.each([
  ['http://127.0.0.1:3000', null],
  ['https://login.acme.example:8443', null],
  ['https://api.example/', 'only the origin: "https://api.example"'],
  ['https://api.example/*', 'only the origin: "https://api.example"'],
  ['https://API.example:443', 'only the origin: "https://api.example"'],
  ['https://*.api.example', noWildcard],
  ['https://*', noWildcard],
  ['*', webUrl],
  ['ws://localhost', webUrl],
  ['http://[::1]:3000', noIpv6],
  ['http://api.example', httpOnlyLoopback],
  ['http://127.1', asBrowsersWrite('127.0.0.1')],
])('checkOrigin, of %s, expects %s', (origin, expected) => {
  expect(checkOrigin(origin)).toBe(expected);
});

test.each([
  ['https://window.example/authorize?p=1', null],
  ['https://id.acme.example/openid#hunter2', 'a URL without a fragment'],
  ['http://id.acme.example/openid', httpOnlyLoopback],
])('checkEndpoint, of %s, expects %s', (endpoint, expected) => {
  expect(checkEndpoint(endpoint)).toBe(expected);
});
