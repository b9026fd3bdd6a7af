import { expect, test } from 'vitest';
import { toConfigModule, toPartsModule } from '../../../tools/build/plugins.ts';
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
  [[{}, { id: 'b', responseType: 'id_token' }], ['id-token']],
  [[{}, { id: 'b', firefoxRedirect: 'loopback' }], ['loopback']],
  [[{}, { id: 'b', ...userApi }], ['oauth']],
  [[{}, { id: 'b', apis: [{ origins: ['https://pay.acme.example'], audience: 'pay' }] }], ['apis']],
  [
    [
      {},
      {
        id: 'b',
        deviceFlow: 'only',
        metadata: { device_authorization_endpoint: 'https://id.acme.example/d' },
      },
    ],
    ['device'],
  ],
])('the modules of the configuration have what %j needs', (changes, needed) => {
  const config = readConfig({ providers: changes.map((change) => ({ ...acme, ...change })) });
  const lines = toConfigModule(config).split('\n');
  expect(lines).toContain(`export const providers = ${JSON.stringify(config.providers)};`);
  expect(lines).toContain('export const persistence = "device";');
  const toParts = (one: typeof config) => toPartsModule(one).match(/(?<=\/src\/parts\/).*(?=\.ts")/g) ?? [];
  expect(toParts(config)).toEqual([...needed, 'policy']);
  expect(toParts({ ...config, policies: false })).toEqual(needed);
});
