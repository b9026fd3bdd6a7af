// The forms that manifests of public extensions have, under other names: one for each kind of build.

import { expect, test } from 'vitest';
import { toGuestManifest } from '../../../tools/library/guest-manifest.ts';
import { describeOutcomes } from '../../support/outcomes.ts';
import { acme, readConfig } from '../../support/samples.ts';

const config = readConfig({ providers: [acme] });
const gecko = (members: object) => ({
  browser_specific_settings: { gecko: { id: 'notes@acme.example', ...members } },
});
const content = { matches: ['<all_urls>'], js: ['content.js'], css: ['content.css'] };

const forms: Readonly<Record<string, object>> = {
  'Vite alone, in one build for each script': {
    options_ui: { page: './dist/options/index.html', open_in_tab: true },
    background: { service_worker: './dist/background/index.mjs' },
    permissions: ['tabs', 'storage', 'activeTab'],
    host_permissions: ['*://*/*'],
    content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
  },
  'Vite in a workspace, with a manifest in TypeScript': {
    ...gecko({ strict_min_version: '109.0' }),
    default_locale: 'en',
    name: '__MSG_extensionName__',
    permissions: ['storage', 'scripting', 'sidePanel'],
    background: { service_worker: 'background.js', type: 'module' },
    chrome_url_overrides: { newtab: 'new-tab/index.html' },
    side_panel: { default_path: 'side-panel/index.html' },
    web_accessible_resources: [{ resources: ['*.js'], matches: ['*://*/*'] }],
  },
  'CRXJS, whose manifest is an asynchronous function': async () => ({ manifest_version: 3, name: 'Notes' }),
  'CRXJS, in one configuration for each browser': {
    action: { default_popup: 'src/pages/popup/index.html' },
    permissions: ['activeTab'],
    background: { scripts: ['src/pages/background/index.ts'] },
    content_scripts: [content],
    devtools_page: 'src/pages/devtools/index.html',
  },
  'WXT, with hosts among the permissions for Firefox': {
    default_locale: 'en',
    permissions: ['storage', 'https://api.acme.example/*'],
  },
  'WXT, with settings of Firefox that are undefined elsewhere': {
    permissions: ['tabs', 'offscreen', 'storage', 'alarms'],
    host_permissions: ['https://*/*'],
    optional_permissions: ['notifications'],
    browser_specific_settings: undefined,
  },
  'Plasmo, with variables in package.json': {
    permissions: ['cookies', 'storage'],
    host_permissions: ['http://localhost/*', '$FRONTEND_API/*'],
    key: '$CRX_PUBLIC_KEY',
  },
  'Parcel, for both browsers': {
    minimum_chrome_version: '121',
    ...gecko({ strict_min_version: '109.0' }),
    background: { service_worker: 'background.js', type: 'module', scripts: ['background.js'] },
  },
  'webpack, in Chrome alone': {
    background: { service_worker: 'background.bundle.js' },
    web_accessible_resources: [{ resources: ['icon.png'], matches: [] }],
  },
  'webpack, for both browsers, with a sign-in of its own': {
    ...gecko({ strict_min_version: '142.0' }),
    permissions: ['storage', 'activeTab', 'scripting', 'identity'],
    background: { service_worker: 'background/background.js', scripts: ['background/background.js'] },
  },
  'Rollup, for desktop and Android, without data collection': {
    ...gecko({ strict_min_version: '142.0', data_collection_permissions: { required: ['none'] } }),
    optional_host_permissions: ['*://*/*'],
    background: { service_worker: 'assets/background.js', type: 'module', scripts: ['assets/background.js'] },
  },
  'no build, with content scripts in 21 files': {
    minimum_chrome_version: '117.0',
    background: { service_worker: 'background_scripts/main.js', type: 'module' },
    permissions: ['tabs', 'history', 'favicon'],
    host_permissions: ['<all_urls>'],
    content_scripts: [content, { matches: ['file:///'], css: ['file.css'] }],
  },
};

test('manifests of real extensions are built, or stopped with what to write', async () => {
  const builds = Object.entries(forms).flatMap(([form, manifest]) =>
    ['chrome', 'firefox'].map((browser) => {
      const run = () => toGuestManifest(manifest, config, { browser });
      return [`${form}: ${browser}`, run] as const;
    }),
  );
  await expect(describeOutcomes(Object.fromEntries(builds))).toMatchFileSnapshot('real-manifests.txt');
});
