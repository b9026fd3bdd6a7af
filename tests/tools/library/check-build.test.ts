import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { expect, test } from 'vitest';
import { findBuildMistakes } from '../../../tools/library/check-build.ts';
import { latchkey, withLatchkey } from '../../../tools/library/vite.ts';
import { describeOutcomes } from '../../support/outcomes.ts';
import { makeFolder } from '../../support/folder.ts';
import { acme, readConfig } from '../../support/samples.ts';

const local = 'http://localhost:4455';
const configuration = readConfig({ providers: [{ ...acme, apiOrigins: [local] }] });

const loadable = {
  permissions: ['identity', 'storage'],
  host_permissions: ['https://id.acme.example/*', `${local}/*`],
  background: { service_worker: 'background.js' },
};

/** The mistakes found in a build with these files beside the manifest. */
const check =
  (manifest: object | string, files: Readonly<Record<string, string>> = {}) =>
  () =>
    findBuildMistakes(
      makeFolder({ 'background.js': '', 'manifest.json': manifest, ...files }),
      configuration,
    );

const withMembers = (members: object) => ({ ...loadable, ...members });

test('a build whose extension the browser would not load stops, and says of each file what to do', async () => {
  const module = 'import { a } from "./a.js";';
  const content = (js: readonly string[], css: readonly string[] = []) =>
    withMembers({ content_scripts: [{ matches: ['https://notes.example/*'], js, css }] });
  const worker = (background: object) => withMembers({ background });
  const outcomes = describeOutcomes({
    'files of every kind that are there': check(
      withMembers({
        default_locale: 'en',
        icons: { 16: '/icons/16.png' },
        action: { default_popup: './popup/index.html?from=toolbar', default_icon: 'icons/16.png' },
        options_ui: { page: 'popup/index.html#options' },
        web_accessible_resources: [{ resources: ['assets/*', '_favicon/*'], matches: ['<all_urls>'] }],
        chrome_url_overrides: { newtab: 'popup/index.html' },
        homepage_url: 'https://notes.example/',
      }),
      { 'icons/16.png': '', 'popup/index.html': '', '_locales/en/messages.json': '{}' },
    ),
    'no file of those that the manifest names': check(
      withMembers({
        default_locale: 'en',
        icons: { 16: 'icons/16.png' },
        action: { default_popup: 'popup.html', default_icon: { 16: 'icons/16.png' } },
        options_page: 'options.html',
        options_ui: { page: 'options.html' },
        side_panel: { default_path: 'panel.html' },
        sidebar_action: { default_panel: 'panel.html' },
        devtools_page: 'devtools.html',
        chrome_url_overrides: { newtab: 'newtab.html' },
        sandbox: { pages: ['sandbox.html'] },
        web_accessible_resources: [{ resources: ['inject.css', 'assets/*'], matches: ['<all_urls>'] }],
        declarative_net_request: { rule_resources: [{ id: 'a', enabled: true, path: 'rules.json' }] },
        storage: { managed_schema: 'schema.json' },
      }),
    ),
    'sources in place of what the build makes of them': check(
      {
        ...loadable,
        background: { service_worker: 'src/worker.ts', scripts: ['src/worker.ts'] },
        action: { default_popup: 'popup.html' },
        content_scripts: [{ matches: ['https://notes.example/*'], js: ['src/content.tsx'] }],
      },
      { 'assets/worker-Bx3_k9aZ.js': '', 'assets/content.js': '', 'src/popup/popup.html': '' },
    ),
    'a content script that imports': check(content(['content.js']), { 'content.js': module }),
    'a content script that exports': check(content(['content.js']), {
      'content.js': 'const a = 1; export { a };',
    }),
    'content scripts that are scripts': check(
      content(['a.js', 'b.js'], ['a.css']),
      // The second has syntax that only a later version of Node may know.
      { 'a.js': 'void import(chrome.runtime.getURL("later.js"));', 'b.js': '{ using a = b }', 'a.css': '' },
    ),
    'a worker that imports': check(loadable, { 'background.js': module }),
    'a worker that is a module': check(worker({ service_worker: 'background.js', type: 'module' }), {
      'background.js': module,
    }),
    'a worker that waits at the top, which no type would help': check(loadable, {
      'background.js': 'await a();',
    }),
    'a content script that waits at the top': check(content(['content.js']), { 'content.js': 'await a();' }),
    'a manifest that withLatchkey has not seen': check({ background: { service_worker: 'background.js' } }),
    'a manifest with a permission that the extension had': check(withMembers({ permissions: ['storage'] })),
    'a manifest that has the permissions, and not the hosts': check(
      withMembers({ host_permissions: undefined }),
    ),
    'hosts as Firefox takes them, without a port': check(
      withMembers({ host_permissions: ['https://id.acme.example/*', 'http://localhost/*'] }),
    ),
    'no worker': check(withMembers({ background: undefined })),
    'a manifest with comments': check(
      `{ // For Firefox:
         "background": { "scripts": ["background.js"] },
         "icons": { "16": "16.png" }, "permissions": ["storage", "identity"],
         "host_permissions": ["<all_urls>", "https://id.acme.example/*", "${local}/*"] }`,
    ),
    'no manifest of an extension': check('[]'),
    'members of other forms, which the browser refuses': check(
      withMembers({ icons: 4, content_scripts: {}, action: null, web_accessible_resources: ['a.css'] }),
    ),
  });
  await expect(outcomes).toMatchFileSnapshot('build-mistakes.txt');
});

/** A project with a worker and a content script, which both use the polyfill. Returns how to build it. */
async function makeProject(files: Readonly<Record<string, string | object>> = {}) {
  const root = makeFolder({
    'latchkey.json': { providers: [acme] },
    'background.js': 'console.log("worker");',
    ...files,
  });
  const config = join(root, 'latchkey.json');
  const manifest = withLatchkey(
    { manifest_version: 3, name: 'Notes', background: { service_worker: 'background.js' } },
    { browser: 'chrome' },
    { config },
  );
  const writes = (written: object): Plugin => ({
    name: 'manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source: JSON.stringify(written) });
    },
  });
  const settings = (plugins: Plugin[]): InlineConfig => ({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [latchkey({ config }), ...plugins],
    build: {
      rolldownOptions: { input: join(root, 'background.js'), output: { entryFileNames: '[name].js' } },
    },
  });
  return { root, manifest, writes, run: (...plugins: Plugin[]) => build(settings(plugins)) };
}

test('Vite’s build stops at a manifest that names a file which is neither built nor in “public”', async () => {
  const { root, manifest, writes, run } = await makeProject();
  const named = { ...manifest, icons: { 16: 'icon.png' } };
  await expect(run(writes(named))).rejects.toThrow('icons.16: the build has no file "icon.png"');
  await mkdir(join(root, 'public'));
  await writeFile(join(root, 'public/icon.png'), '');
  await run(writes(named));
});

test('Vite’s build stops at a manifest in “public”, to which nothing is added', async () => {
  const manifest = { manifest_version: 3, background: { service_worker: 'background.js' } };
  const { run } = await makeProject({ 'public/manifest.json': manifest });
  await expect(run()).rejects.toThrow('permissions: without "identity". Write the manifest');
});

test('a build that writes no manifest doesn’t look at that of an earlier one', async () => {
  const { root, run } = await makeProject();
  const keep: Plugin = { name: 'keep', config: () => ({ build: { emptyOutDir: false } }) };
  const old = join(root, 'dist/manifest.json');
  await mkdir(join(root, 'dist'));
  await writeFile(old, '{ "icons": { "16": "icon.png" } }');
  await utimes(old, 1_000, 1_000);
  await expect(run(keep)).resolves.toBeDefined();
  await rm(old);
  await expect(run(keep)).resolves.toBeDefined();
});
