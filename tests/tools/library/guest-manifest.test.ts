import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { toContentSecurityPolicy } from '../../../src/config/origins.ts';
import { toGuestManifest } from '../../../tools/library/guest-manifest.ts';
import { acme } from '../../support/samples.ts';

const config = readConfig({
  providers: [{ ...acme, issuer: 'http://localhost:4455', apiOrigins: ['https://api.acme.example'] }],
});

const policyOf = (extension_pages: string, command: 'build' | 'serve' = 'build') =>
  toGuestManifest({ content_security_policy: { extension_pages } }, config, { browser: 'chrome', command })
    .content_security_policy.extension_pages;

test('a manifest gets the permissions, the hosts, a policy and the oldest browser', () => {
  expect(toGuestManifest({ name: 'Notes' }, config, { browser: 'chrome' })).toEqual({
    permissions: ['identity', 'storage'],
    host_permissions: ['http://localhost:4455/*', 'https://api.acme.example/*'],
    content_security_policy: { extension_pages: toContentSecurityPolicy(config) },
    minimum_chrome_version: '148',
  });
});

test('in Firefox hosts have no port, and the oldest browser stands beside the extension’s id', () => {
  const manifest = { browser_specific_settings: { gecko: { id: 'notes@acme.example' }, gecko_android: {} } };
  expect(toGuestManifest(manifest, config, { browser: 'firefox' })).toMatchObject({
    host_permissions: ['http://localhost/*', 'https://api.acme.example/*'],
    browser_specific_settings: {
      gecko: { id: 'notes@acme.example', strict_min_version: '142.0' },
      gecko_android: {},
    },
  });
});

test('what the manifest has stays, and nothing is there twice', () => {
  const manifest = {
    permissions: ['alarms', 'storage'],
    host_permissions: ['https://api.acme.example/*', 'https://notes.example/*'],
    content_security_policy: { sandbox: 'sandbox allow-scripts' },
    minimum_chrome_version: '150.0.1.2',
  };
  expect(toGuestManifest(manifest, config, { browser: 'edge' })).toEqual({
    permissions: ['alarms', 'storage', 'identity'],
    host_permissions: ['https://api.acme.example/*', 'https://notes.example/*', 'http://localhost:4455/*'],
    content_security_policy: {
      sandbox: 'sandbox allow-scripts',
      extension_pages: toContentSecurityPolicy(config),
    },
    minimum_chrome_version: '150.0.1.2',
  });
});

describe('a policy of the extension’s own', () => {
  const hosts = 'http://localhost:4455 https://api.acme.example';

  test.each([
    [
      'may connect to the configured hosts too',
      "script-src 'self'; connect-src https://notes.example",
      `connect-src https://notes.example ${hosts}; script-src 'self'`,
    ],
    [
      'gets a connect-src where default-src restricts connections',
      "default-src 'self'",
      `default-src 'self'; connect-src 'self' ${hosts}`,
    ],
    [
      'no longer says that there is no connection',
      "connect-src 'none'; script-src 'self'",
      `script-src 'self'; connect-src ${hosts}`,
    ],
    [
      'counts the first of two directives, as browsers do',
      "connect-src 'self';; CONNECT-SRC https://late.example",
      `connect-src 'self' ${hosts}`,
    ],
  ])('%s', (_what, own, expected) => {
    expect(policyOf(own)).toBe(expected);
  });

  test('stays as it is if it restricts no connections', () => {
    expect(policyOf("script-src 'self' 'wasm-unsafe-eval';")).toBe("script-src 'self' 'wasm-unsafe-eval';");
  });
});

test('Vite’s server may send modules, updates and styles', () => {
  const { extension_pages: policy } = toGuestManifest({}, config, {
    browser: 'chrome',
    command: 'serve',
  }).content_security_policy;
  expect(policy).toMatch(/connect-src [^;]* http:\/\/localhost:\* ws:\/\/localhost:\*/);
  expect(policy).toMatch(/style-src 'self' 'unsafe-inline'/);
  expect(policyOf("script-src 'self'", 'serve')).toBe("script-src 'self'");
});

test.each([
  ['an older manifest', { manifest_version: 2 }, 'manifest_version: found 2; expected 3'],
  [
    'an older Chrome',
    { minimum_chrome_version: '120' },
    'minimum_chrome_version: found "120"; expected "148" or later, because Latchkey is tested in no older browser',
  ],
  [
    'a version that is no text',
    { minimum_chrome_version: 150 },
    'minimum_chrome_version: found 150; expected',
  ],
])('%s is refused, with the reason', (_what, manifest, reason) => {
  const refuse = () => toGuestManifest(manifest, config, { browser: 'chrome' });
  expect(refuse).toThrow(`manifest.json: ${reason}`);
});

test('an older Firefox is refused, and one for Chrome alone is not asked', () => {
  const manifest = { browser_specific_settings: { gecko: { id: 'a@b', strict_min_version: '128.0' } } };
  expect(() => toGuestManifest(manifest, config, { browser: 'firefox' })).toThrow(
    'browser_specific_settings.gecko.strict_min_version: found "128.0"; expected "142.0" or later',
  );
  expect(() => toGuestManifest(manifest, config, { browser: 'chrome' })).not.toThrow();
});
