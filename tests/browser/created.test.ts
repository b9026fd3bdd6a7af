// A new extension, as `npm run create` writes it: its own tests run, one of them in this browser.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { create } from '../../tools/create.ts';
import { packLibrary } from '../../tools/library.ts';
import { installLinked } from '../support/adopters/sample.ts';
import { openWorkerFolder } from '../support/browser/run-folder.ts';
import { browserName } from '../support/browser/setup.ts';
import { run } from '../support/first-hour/project-copy.ts';

test('a new extension passes its own tests, and signs a user in at the demo provider', async () => {
  const home = await mkdtemp(join(openWorkerFolder(), 'created-'));
  const folder = join(home, 'acme');
  const packed = await packLibrary(join(home, 'library'));
  await create({ folder, name: 'Acme', geckoId: 'sign-in@acme.example' }, packed);
  await installLinked(folder, packed);
  await run('npm test', folder, { LATCHKEY_BROWSER: browserName });
  await writeFile(join(folder, 'src/popup.css'), ':root { --brand: #7a3b9e }');
  const output = await run('node node_modules/latchkey-tools/tools/latchkey.js build', folder);
  const built = readdirSync(join(folder, 'dist', browserName));
  expect(built).toEqual(expect.arrayContaining(['THIRD-PARTY-NOTICES.txt', 'manifest.json', 'worker.js']));
  const page = readFileSync(join(folder, 'dist', browserName, 'src/popup/index.html'), 'utf8');
  expect(page).toMatch(/--brand: ?#0b6b60[^]*--brand: ?#7a3b9e/);
  const [, document = ''] = /see (\S+\.md)/.exec(output) ?? [];
  expect(document).toMatch(/releasing\.md$/);
  expect(existsSync(join(folder, document))).toBe(true);
});
