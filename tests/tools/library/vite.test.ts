import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { beforeEach, expect, test } from 'vitest';
import { latchkey, withLatchkey } from '../../../tools/library/vite.ts';
import { makeFolder } from '../../support/folder.ts';
import { acme } from '../../support/samples.ts';

let config: string;

const write = (name: string) => writeFile(config, JSON.stringify({ providers: [{ ...acme, name }] }));

beforeEach(async () => {
  config = join(makeFolder(), 'sign-in.json');
  await write('Acme');
});

test('the plugin gives the configuration to its module, and nothing to others', () => {
  const plugin = latchkey({ config });
  const watched: string[] = [];
  const load = (id: string) => plugin.load.call({ addWatchFile: (file) => void watched.push(file) }, id);
  expect(plugin.resolveId('latchkey/worker')).toBeUndefined();
  const id = plugin.resolveId('latchkey:config') ?? '';
  expect(load(id)).toContain('"name":"Acme"');
  expect(load('/src/popup.ts')).toBeUndefined();
  expect(watched).toEqual([config.replaceAll('\\', '/')]);
});

test('the package shares no polyfill with the extension, whose content scripts would have to import it', () => {
  const plugin = latchkey({ config });
  const source = 'webextension-polyfill';
  const own = resolve(import.meta.dirname, '../../../src/bridge/browser.ts');
  const id = plugin.resolveId(source, own) ?? '';
  // A build of `latchkey-tools` marks the worker's copy of each module.
  for (const each of [id, `${id}?worker-script`]) {
    expect(plugin.load.call({ addWatchFile: () => undefined }, each)).toBe(
      'export default globalThis.browser;',
    );
  }
  expect(plugin.resolveId(source, '/notes/src/content.ts')).toBeUndefined();
  expect(plugin.resolveId('idb', own)).toBeUndefined();
});

test('a changed configuration is read anew, and lets Vite’s server start anew', async () => {
  const plugin = latchkey({ config });
  const configFileDependencies: string[] = ['vite.config.ts'];
  plugin.configResolved({ configFileDependencies, plugins: [] });
  expect(configFileDependencies).toEqual(['vite.config.ts', config.replaceAll('\\', '/')]);
  await write('Other');
  expect(plugin.load.call({ addWatchFile: () => undefined }, '\0latchkey:config')).toContain('"Other"');
});

test('a mistake in the configuration stops the build when it begins', async () => {
  await writeFile(config, '{ "providers": 1 }');
  expect(() => latchkey({ config })).toThrow(/sign-in\.json:1:\d+: providers/);
  expect(() => withLatchkey({}, { browser: 'chrome' }, { config })).toThrow(/sign-in\.json:1:\d+: providers/);
});

test('the plugin fits Vite, whose types its own do not name', async () => {
  expect((latchkey({ config }) satisfies Plugin).enforce).toBe('pre');
  const source = await readFile(resolve(import.meta.dirname, '../../../tools/library/vite.ts'), 'utf8');
  expect(source).not.toMatch(/from 'vite'/);
});
