// Holds the code in docs/feature.md to the compiler and the linter.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

describe('the code in docs/feature.md', () => {
  const snippets = [...read('docs/feature.md').matchAll(/```tsx?\n\/\/ (\S+)\n([^]*?)```/g)].map(
    ([, file = '', code = '']) => ({ file, code }),
  );

  test('names the file in whose place it stands', () => {
    const blocks = read('docs/feature.md').match(/^```tsx?$/gm);
    expect(blocks?.length).toBeGreaterThan(6);
    expect(snippets).toHaveLength(blocks?.length ?? 0);
  });

  test('compiles there', async () => {
    const overlays = await writeOverlays(snippets);
    const folder = dirname(overlays[0] ?? '');
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const settings = {
      extends: join(root, 'tests/tsconfig.json'),
      compilerOptions: { incremental: false, rootDirs: [...overlays, root] },
      include: [
        ...overlays,
        ...['src/**/*.d.ts', 'tools/**/*.d.ts', 'tests/support/browser/global-setup.ts'].map((file) =>
          join(root, file),
        ),
      ],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    // On one thread, because the others are busy with other tests.
    expect(await complaintsOf(folder, 'typescript/bin/tsc', '-p', '.', '--singleThreaded')).toBe('');
  }, 60_000);

  test('passes the linter there', async () => {
    const overlays = await writeOverlays(snippets);
    for (const overlay of overlays) await cp(join(root, '.oxlintrc.json'), join(overlay, '.oxlintrc.json'));
    const folder = dirname(overlays[0] ?? '');
    expect(await complaintsOf(folder, 'oxlint/bin/oxlint', '--deny-warnings', '--quiet')).toBe('');
  }, 60_000);
});

interface Snippet {
  /** The file that the snippet replaces or adds, relative to the project's root. */
  readonly file: string;
  readonly code: string;
}

/** Writes each snippet as if it stood in the project. Each has a folder of its own, because two may name the same file. */
async function writeOverlays(snippets: readonly Snippet[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const overlays = snippets.map((_, index) => join(folder, String(index)));
  for (const [index, { file, code }] of snippets.entries()) {
    const path = join(folder, String(index), file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
  return overlays;
}

/** The output of a tool of node_modules that fails in `cwd`; empty if it succeeds. */
async function complaintsOf(cwd: string, tool: string, ...args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd });
  return running.then(
    () => '',
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
}
