// What the documentation says of the tests and of the files is true.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const claims = [...read('docs/security.md').matchAll(/`(tests\/[^`]+)` «([^»]*)»/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
);

test('the page on security names its tests', () => {
  expect(claims.length).toBeGreaterThan(20);
});

test.each(claims)('%s has the test «%s» that the page on security relies on', (file, title) => {
  expect(title).not.toBe('');
  // A row of the table of faults is named by its number alone.
  const fault = /^F(\d+)$/.exec(title);
  expect(read(file)).toContain(fault === null ? title : `test('${title}: `);
});

test('every relative link of the documentation leads to a file', () => {
  for (const page of ['README.md', 'docs/security.md', 'docs/feature.md', 'docs/translating.md']) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => read(resolve(root, page, '..', target)), `${page} → ${target}`).not.toThrow();
    }
  }
});

test('the code of the page on features compiles, each piece in the place of its file', async () => {
  const pieces = [...read('docs/feature.md').matchAll(/```tsx?\n\/\/ (\S+)\n([^]*?)```/g)];
  expect(pieces.length).toBeGreaterThan(3);
  for (const [, file = '', code = ''] of pieces) await expectToCompile(file, code);
}, 60_000);

/** Compiles a file as if it stood in the project, with what else is there around it. */
async function expectToCompile(file: string, code: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, dirname(file)), { recursive: true });
  await writeFile(join(folder, file), code);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rootDirs: [folder, root] },
    include: [join(folder, file), join(root, 'src/**/*.d.ts'), join(root, 'tools/**/*.d.ts')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => {
    const { stdout } = error as { readonly stdout: string };
    throw new Error(`${file} does not compile:\n${stdout}`);
  });
}
