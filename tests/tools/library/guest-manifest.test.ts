import { expect, test } from 'vitest';
import { toGuestManifest } from '../../../tools/library/guest-manifest.ts';
import { describeOutcomes } from '../../support/outcomes.ts';
import { acme, readConfig } from '../../support/samples.ts';

const local = { ...acme, issuer: 'http://localhost:4455', apiOrigins: ['https://api.acme.example'] };
const config = readConfig({ providers: [local] });
const hosted = readConfig({ providers: [acme] });

const gecko = { id: 'notes@acme.example' };

const workers = { service_worker: 'worker.js', scripts: ['worker.js'] };

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
    'workers for both browsers, in Chrome': build({ background: workers }),
    'workers for both browsers, in Firefox': build(
      { background: workers, browser_specific_settings: { gecko } },
      { browser: 'firefox' },
    ),
    'a worker for Firefox alone, in Chrome': build({
      background: { scripts: ['worker.js'], type: 'module' },
    }),
    'a worker for Chrome alone, in Firefox': build(
      { background: { service_worker: 'worker.js', type: 'module' }, browser_specific_settings: { gecko } },
      { browser: 'firefox' },
    ),
    'several scripts, in Chrome': build({ background: { scripts: ['a.js', 'b.js'] } }),
    'a page, in Chrome': build({ background: { page: 'background.html' } }),
    'hosts where version 2 had them': build({ permissions: ['storage', 'https://api.acme.example/*'] }),
    'a declaration that no data is collected, in Firefox': build(
      {
        browser_specific_settings: {
          gecko: { ...gecko, data_collection_permissions: { required: ['none'] } },
        },
      },
      { browser: 'firefox' },
    ),
    'members that are empty in some builds': build({
      browser_specific_settings: undefined,
      background: undefined,
      host_permissions: undefined,
    }),
    'variables of the build, as Plasmo writes them': build({
      host_permissions: ['$FRONTEND_API/*'],
      key: '$CRX_PUBLIC_KEY',
    }),
    'what Latchkey leaves alone': build({
      options_ui: { page: 'options.html' },
      side_panel: { default_path: 'panel.html' },
      commands: { _execute_action: { suggested_key: { default: 'Ctrl+Shift+Y' } } },
      externally_connectable: { matches: ['https://notes.example/*'] },
    }),
  });
  await expect(manifests).toMatchFileSnapshot('guest-manifests.txt');
});

test('a manifest in another form than browsers take stops the build, and nothing of it is passed through', async () => {
  const outcomes = describeOutcomes({
    'a function, as CRXJS and WXT take it': build(() => ({ name: 'Notes' })),
    'a promise': build(Promise.resolve({ name: 'Notes' })),
    'the text of the file': build('{}' as unknown as object),
    'a list': build([]),
    nothing: build(null as unknown as object),
    'a policy as in version 2': build({ content_security_policy: "script-src 'self'" }),
    'a list of policies': build({ content_security_policy: ["script-src 'self'"] }),
    'policies of pages in a list': build({
      content_security_policy: { extension_pages: ["script-src 'self'"] },
    }),
    'a permission in place of a list': build({ permissions: 'tabs' }),
    'permissions with other things among them': build({ permissions: ['tabs', { usbDevices: [] }] }),
    'a host in place of a list': build({ host_permissions: '<all_urls>' }),
    'hosts in an object': build({ host_permissions: { api: 'https://api.acme.example/*' } }),
    'no permissions, as some editors write it': build({ permissions: null }),
    'the settings of a browser in a list': build({ browser_specific_settings: [] }),
    'an id that is none': build({ browser_specific_settings: { gecko: { id: 4 } } }, { browser: 'firefox' }),
    'a worker in place of the background': build({ background: 'worker.js' }),
    'a script in place of a list': build({ background: { scripts: 'worker.js' } }),
    'several of them': build({ permissions: 'tabs', host_permissions: 'tabs' }),
  });
  await expect(outcomes).toMatchFileSnapshot('odd-manifests.txt');
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
