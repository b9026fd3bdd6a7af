import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import {
  configuredOrigins,
  isSecureUrl,
  toContentSecurityPolicy,
  toHostPermissions,
  toProviderOrigins,
} from '../../src/config/origins.ts';
import { acme, withAcme } from '../support/samples.ts';

const config = readConfig({
  providers: [
    {
      ...acme,
      issuer: 'https://id.acme.example/tenant',
      origins: ['https://login.acme.example:8443'],
      apiOrigins: ['https://api.acme.example'],
    },
    {
      ...acme,
      id: 'local',
      issuer: 'http://localhost:4455',
      apiOrigins: ['http://localhost:4456', 'https://api.acme.example'],
    },
  ],
  policyOrigins: ['https://other-tenant.example'],
});

test('one provider may use its issuer’s origin, its origins and its API’s, and no other’s', () => {
  expect(config.providers.map(toProviderOrigins)).toEqual([
    ['https://id.acme.example', 'https://login.acme.example:8443', 'https://api.acme.example'],
    ['http://localhost:4455', 'http://localhost:4456', 'https://api.acme.example'],
  ]);
});

test('the extension may reach every origin of the configuration, each listed once and in order', () => {
  expect(configuredOrigins(config)).toEqual([
    'http://localhost:4455',
    'http://localhost:4456',
    'https://api.acme.example',
    'https://id.acme.example',
    'https://login.acme.example:8443',
    'https://other-tenant.example',
  ]);
});

test('Chrome is asked for each host with its port', () => {
  expect(toHostPermissions(config, 'chrome')).toEqual([
    'http://localhost:4455/*',
    'http://localhost:4456/*',
    'https://api.acme.example/*',
    'https://id.acme.example/*',
    'https://login.acme.example:8443/*',
    'https://other-tenant.example/*',
  ]);
});

test('Firefox is asked for each host once, without the port that it would stumble over', () => {
  expect(toHostPermissions(config, 'firefox')).toEqual([
    'http://localhost/*',
    'https://api.acme.example/*',
    'https://id.acme.example/*',
    'https://login.acme.example/*',
    'https://other-tenant.example/*',
  ]);
});

test('the content security policy lets the extension connect to the configured origins alone', () => {
  expect(toContentSecurityPolicy(config).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https: http://localhost:4455 http://localhost:4456",
    'connect-src http://localhost:4455 http://localhost:4456 https://api.acme.example https://id.acme.example ' +
      'https://login.acme.example:8443 https://other-tenant.example',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

test('pictures come over https alone when no provider is on this computer', () => {
  expect(toContentSecurityPolicy(readConfig(withAcme({})))).toContain("img-src 'self' data: https:; ");
});

test.for([
  ['https://id.acme.example/x', true],
  ['http://localhost:4455', true],
  ['http://127.0.0.1/x', true],
  ['http://id.acme.example', false],
  ['http://localhost.acme.example', false],
  ['ftp://localhost', false],
  ['/x', false],
] as const)('%s is secure: %s', ([text, secure]) => {
  expect(isSecureUrl(text)).toBe(secure);
});
