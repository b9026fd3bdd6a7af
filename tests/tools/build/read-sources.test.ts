import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listUncommitted, readSourceFiles } from '../../../tools/build/read-sources.ts';

const project = resolve(import.meta.dirname, '../../..');

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A checkout with one file. */
function makeCheckout(): string {
  const folder = makeFolder();
  execFileSync('git', ['init', '--quiet', folder]);
  writeFileSync(join(folder, 'main.ts'), 'main();');
  return folder;
}

test('the sources are the files that git knows, with their content, and what is not committed is named', () => {
  const root = makeCheckout();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), 'a();');
  commitIn(root);
  writeFileSync(join(root, 'src/a.ts'), 'b();');
  writeFileSync(join(root, 'src/secret'), 'hunter2');
  const files = readSourceFiles(root);
  expect([...files.keys()].toSorted()).toEqual(['main.ts', 'src/a.ts']);
  expect(String(files.get('src/a.ts'))).toBe('b();');
  expect(listUncommitted(root).toSorted()).toEqual(['src/a.ts', 'src/secret']);
});

test.each(['.env', '.env.local', 'key.pem', 'relay.json'])(
  'git does not add %s, which may hold a secret',
  (file) => {
    const root = makeCheckout();
    copyFileSync(join(project, '.gitignore'), join(root, '.gitignore'));
    writeFileSync(join(root, file), 'hunter2');
    commitIn(root);
    expect(readSourceFiles(root).has(file)).toBe(false);
  },
);

/** Commits everything. */
function commitIn(root: string): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example'];
  execFileSync('git', ['-C', root, 'add', '.'], { stdio: 'ignore' });
  execFileSync('git', ['-C', root, ...who, 'commit', '--quiet', '--message', 'first']);
}

test('the sources need a checkout, and say so', () => {
  expect(() => readSourceFiles(makeFolder())).toThrow(/Run `npm run package` in a git checkout/);
});
