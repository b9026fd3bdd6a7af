import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { toContentSecurityPolicy, toHostPermissions } from '../../src/config/manifest.ts';
import { acme, readConfig, withAcme } from '../support/samples.ts';

const config: Config = {
  ...readConfig({
    providers: [
      {
        ...acme,
        issuer: 'https://id.acme.example/tenant',
        origins: ['https://login.acme.example:8443'],
        apiOrigins: ['https://api.acme.example'],
        apis: [{ origins: ['https://pay.acme.example'], audience: 'pay' }],
      },
      {
        ...acme,
        id: 'local',
        issuer: 'http://localhost:4455',
        apiOrigins: ['http://localhost:4456', 'https://api.acme.example'],
      },
    ],
  }),
  policyOrigins: ['https://other-tenant.example'],
};

test('toHostPermissions lists each host once for Firefox, without the port that Firefox does not support', () => {
  expect(toHostPermissions(config, 'firefox')).toEqual([
    'http://localhost/*',
    'https://api.acme.example/*',
    'https://id.acme.example/*',
    'https://login.acme.example/*',
    'https://other-tenant.example/*',
    'https://pay.acme.example/*',
  ]);
});

test('the content security policy allows connections to the configured origins only', () => {
  expect(toContentSecurityPolicy(config).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https: http://localhost:4455 http://localhost:4456",
    'connect-src http://localhost:4455 http://localhost:4456 https://api.acme.example https://id.acme.example ' +
      'https://login.acme.example:8443 https://other-tenant.example https://pay.acme.example',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

test('the content security policy allows only https pictures if no provider is on localhost', () => {
  expect(toContentSecurityPolicy(readConfig(withAcme({})))).toContain("img-src 'self' data: https:; ");
});
