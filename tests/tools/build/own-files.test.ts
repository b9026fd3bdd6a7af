import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { knownMessages, popupPage } from '../../../tools/build/own-files.ts';
import { readVersionedManifest } from '../../../tools/build/read-manifest.ts';
import { makeFolder } from '../../support/folder.ts';

test('an extension of its own shows Latchkey’s popup as an options page and in a side panel, too', async () => {
  const folder = makeFolder();
  // The folder of the extension is read once.
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  vi.resetModules();
  // The next file shares the modules of this one.
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });
  const { toSourceManifest } = await import('../../../tools/build/own-files.ts');
  const source = toSourceManifest({
    ...readVersionedManifest(),
    options_ui: { page: popupPage, open_in_tab: true },
    side_panel: { default_path: popupPage },
  });
  const { action, options_ui, side_panel } = source as unknown as Record<string, Record<string, string>>;
  const shown = [action?.['default_popup'], options_ui?.['page'], side_panel?.['default_path']];
  const latchkeys = resolve(import.meta.dirname, '../../..', popupPage);
  expect(shown.map((page) => join(folder, String(page)))).toEqual([latchkeys, latchkeys, latchkeys]);
});

test('a build stops at a message that no language has', async () => {
  const publicDir = makeFolder({ '_locales/en/messages.json': '{ "title": { "message": "Notes" } }' });
  const plugin = knownMessages(publicDir, { ...readVersionedManifest(), default_locale: 'en' });
  const file = resolve(import.meta.dirname, '../../../src/feature/Feature.tsx').replaceAll('\\', '/');
  const check = (key: string, id = file) => {
    const said: string[] = [];
    const { transform } = plugin as { readonly transform: (code: string, id: string) => void };
    transform.call({ error: (text: string) => void said.push(text) }, `getMessage(${key})`, id);
    return said;
  };
  expect(check("'titel'")).toEqual([
    'src/feature/Feature.tsx: no language has the message "titel". Add it to src/public/_locales.',
  ]);
  for (const key of ["'title'", '"@@ui_locale"', 'key', '`row_${key}`']) expect(check(key)).toEqual([]);
  expect(check("'titel'", '/project/node_modules/notes/index.js')).toEqual([]);
});
