import { expect, test } from 'vitest';
import { toGuestManifest } from '../../../tools/library/guest-manifest.ts';
import { describeOutcomes } from '../../support/outcomes.ts';
import { acme, readConfig } from '../../support/samples.ts';

const local = { ...acme, issuer: 'http://localhost:4455', apiOrigins: ['https://api.acme.example'] };
const config = readConfig({ providers: [local] });
const hosted = readConfig({ providers: [acme] });

const gecko = { id: 'notes@acme.example' };

type Build = Parameters<typeof toGuestManifest>[2];

const build =
  (manifest: object, environment: Partial<Build> = {}, built = config) =>
  () =>
    toGuestManifest(manifest, built, { browser: 'chrome', ...environment });

/** The policy of an extension that has one of its own. */
const policyOf =
  (extension_pages: string, environment: Partial<Build> = {}) =>
  () =>
    build({ content_security_policy: { extension_pages } }, environment)().content_security_policy
      .extension_pages;

test('the manifest of an extension gets what a sign-in needs, keeps what it has, and an old browser is refused', async () => {
  const manifests = describeOutcomes({
    'an extension without anything': build({ name: 'Notes' }),
    'in Firefox, whose hosts have no port': build(
      { browser_specific_settings: { gecko, gecko_android: {} } },
      { browser: 'firefox' },
    ),
    'a provider elsewhere, in Firefox': build(
      { browser_specific_settings: { gecko } },
      { browser: 'firefox' },
      hosted,
    ),
    'an extension that has some of it': build(
      {
        permissions: ['alarms', 'storage'],
        host_permissions: ['https://api.acme.example/*', 'https://notes.example/*'],
        content_security_policy: { sandbox: 'sandbox allow-scripts' },
        minimum_chrome_version: '150.0.1.2',
      },
      { browser: 'edge' },
    ),
    'an older manifest': build({ manifest_version: 2 }),
    'version 2, which WXT makes for Firefox unless it is told otherwise': build(
      { browser_specific_settings: { gecko } },
      { browser: 'firefox', manifestVersion: 2 },
    ),
    'version 3, as WXT is told': build(
      { browser_specific_settings: { gecko } },
      { browser: 'firefox', manifestVersion: 3 },
    ),
    'an older Chrome': build({ minimum_chrome_version: '120' }),
    'a version that is no text': build({ minimum_chrome_version: 150 }),
    'an older Firefox': build(
      { browser_specific_settings: { gecko: { ...gecko, strict_min_version: '128.0' } } },
      { browser: 'firefox' },
    ),
    'an older Firefox, in a build for Chrome': build({
      browser_specific_settings: { gecko: { ...gecko, strict_min_version: '128.0' } },
    }),
    'no id for Firefox, where no redirect URI could be registered': build(
      { name: 'Notes' },
      { browser: 'firefox' },
    ),
  });
  await expect(manifests).toMatchFileSnapshot('guest-manifests.txt');
});

test('a content security policy of the extension’s own lets it connect, and stays as it is otherwise', async () => {
  const policies = describeOutcomes({
    'hosts of its own': policyOf("script-src 'self'; connect-src https://notes.example"),
    'a default that restricts connections': policyOf("default-src 'self'"),
    'no connection': policyOf("connect-src 'none'; script-src 'self'"),
    'two directives, of which the first counts': policyOf(
      "connect-src 'self';; CONNECT-SRC https://late.example",
    ),
    'no restriction of connections': policyOf("script-src 'self' 'wasm-unsafe-eval';"),
    'Vite’s server, which sends modules, updates and styles': policyOf(
      "default-src 'self'; style-src 'self'",
      { command: 'serve' },
    ),
    'Vite’s server without a restriction': policyOf("script-src 'self'", { command: 'serve' }),
  });
  await expect(policies).toMatchFileSnapshot('guest-policies.txt');
});
