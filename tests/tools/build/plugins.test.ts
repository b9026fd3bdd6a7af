import { expect, test } from 'vitest';
import { toConfigModule } from '../../../tools/build/plugins.ts';
import { acme, readConfig } from '../../support/samples.ts';

const userApi = {
  scope: '',
  metadata: {
    authorization_endpoint: 'https://id.acme.example/authorize',
    token_endpoint: 'https://id.acme.example/token',
  },
  userApi: { url: 'https://id.acme.example/me', subject: 'id' },
};

test.each([
  [[{}], []],
  [[{}, { id: 'b', responseType: 'id_token' }], ['usesIdTokenResponse']],
  [[{}, { id: 'b', firefoxRedirect: 'loopback' }], ['usesLoopbackRedirect']],
  [[{}, { id: 'b', ...userApi }], ['usesUserApi']],
  [[{}, { id: 'b', apis: [{ origins: ['https://pay.acme.example'], audience: 'pay' }] }], ['usesApis']],
  [
    [
      {},
      {
        id: 'b',
        deviceFlow: 'only',
        metadata: { device_authorization_endpoint: 'https://id.acme.example/d' },
      },
    ],
    ['usesDeviceFlow'],
  ],
])('the module of the configuration says which parts %j needs', (changes, needed) => {
  const config = readConfig({ providers: changes.map((change) => ({ ...acme, ...change })) });
  const lines = toConfigModule(config).split('\n');
  expect(lines).toContain(`export const providers = ${JSON.stringify(config.providers)};`);
  expect(lines).toContain('export const persistence = "device";');
  for (const name of [
    'usesIdTokenResponse',
    'usesLoopbackRedirect',
    'usesUserApi',
    'usesDeviceFlow',
    'usesApis',
  ]) {
    expect(lines).toContain(`export const ${name} = ${needed.includes(name)};`);
  }
});
