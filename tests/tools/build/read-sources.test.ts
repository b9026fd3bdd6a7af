import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listUncommitted, readSourceFiles } from '../../../tools/build/read-sources.ts';
import { makeFolder } from '../../support/folder.ts';

const project = resolve(import.meta.dirname, '../../..');

/** A checkout with these files, which are committed. */
function makeCheckout(files: Readonly<Record<string, string>>): string {
  const root = makeFolder(files);
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example'];
  execFileSync('git', ['init', '--quiet', root]);
  execFileSync('git', ['-C', root, 'add', '.'], { stdio: 'ignore' });
  execFileSync('git', ['-C', root, ...who, 'commit', '--quiet', '--message', 'first']);
  return root;
}

test('the sources are the files that git knows, with their content, and what is not committed is named', () => {
  const root = makeCheckout({ 'main.ts': 'main();', 'src/a.ts': 'a();' });
  writeFileSync(join(root, 'src/a.ts'), 'b();');
  writeFileSync(join(root, 'src/secret'), 'hunter2');
  const files = readSourceFiles(root);
  expect([...files.keys()].toSorted()).toEqual(['main.ts', 'src/a.ts']);
  expect(String(files.get('src/a.ts'))).toBe('b();');
  expect(listUncommitted(root).toSorted()).toEqual(['src/a.ts', 'src/secret']);
});

test('git adds no file that may hold a secret', () => {
  const ignored = readFileSync(join(project, '.gitignore'), 'utf8');
  const secrets = {
    '.env': 'hunter2',
    '.env.local': 'hunter2',
    'key.pem': 'hunter2',
    'relay.json': 'hunter2',
  };
  const root = makeCheckout({ 'main.ts': 'main();', '.gitignore': ignored, ...secrets });
  expect([...readSourceFiles(root).keys()].toSorted()).toEqual(['.gitignore', 'main.ts']);
});

test('the sources need a checkout, and say so', () => {
  expect(() => readSourceFiles(makeFolder())).toThrow(/Run `npm run package` in a git checkout/);
});
