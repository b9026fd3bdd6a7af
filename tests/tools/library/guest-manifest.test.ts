import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { toGuestManifest } from '../../../tools/library/guest-manifest.ts';
import { acme } from '../../support/samples.ts';

const config = readConfig({
  providers: [{ ...acme, issuer: 'http://localhost:4455', apiOrigins: ['https://api.acme.example'] }],
});

/** The policy of the browsers for an extension that has none. */
const browsersOwn = "script-src 'self'; object-src 'self'";

const gecko = { browser_specific_settings: { gecko: { id: 'notes@acme.example' } } };

const policyOf = (extension_pages: string, command: 'build' | 'serve' = 'build') =>
  toGuestManifest({ content_security_policy: { extension_pages } }, config, { browser: 'chrome', command })
    .content_security_policy.extension_pages;

test('a manifest gets the permissions, the hosts, the browsers’ own policy and the oldest browser', () => {
  expect(toGuestManifest({ name: 'Notes' }, config, { browser: 'chrome' })).toEqual({
    permissions: ['identity', 'storage'],
    host_permissions: ['http://localhost:4455/*', 'https://api.acme.example/*'],
    content_security_policy: { extension_pages: browsersOwn },
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
      extension_pages: browsersOwn,
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

test('an extension without a policy may do in its pages what it could before', () => {
  const hosted = readConfig({ providers: [acme] });
  const policyFor = (browser: string, built = config) =>
    toGuestManifest(gecko, built, { browser }).content_security_policy.extension_pages;
  expect(policyFor('chrome')).toBe(browsersOwn);
  expect(policyFor('chrome', hosted)).toBe(browsersOwn);
  expect(policyFor('firefox', hosted)).toBe(`${browsersOwn}; upgrade-insecure-requests`);
  // With that directive Firefox could not reach a provider on this computer.
  expect(policyFor('firefox')).toBe(browsersOwn);
});

test('Vite’s server may send modules, updates and styles', () => {
  const policy = policyOf("default-src 'self'; style-src 'self'", 'serve');
  expect(policy).toMatch(/connect-src [^;]* http:\/\/localhost:\* ws:\/\/localhost:\*/);
  expect(policy).toMatch(/style-src 'self' 'unsafe-inline'/);
  expect(policyOf("script-src 'self'", 'serve')).toBe("script-src 'self'");
});

test('a build of version 2 is refused, which WXT makes for Firefox unless it is told otherwise', () => {
  const build = (manifestVersion: 2 | 3) => () =>
    toGuestManifest(gecko, config, { browser: 'firefox', manifestVersion });
  expect(build(2)).toThrow('manifest_version: found 2; expected 3. With WXT, write "manifestVersion: 3"');
  expect(build(3)).not.toThrow();
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

test('a manifest without an id for Firefox is refused there, because no redirect URI could be registered', () => {
  const build = (browser: string) => () => toGuestManifest({ name: 'Notes' }, config, { browser });
  expect(build('firefox')).toThrow('browser_specific_settings.gecko.id: missing; expected an id such as');
  expect(build('chrome')).not.toThrow();
});
