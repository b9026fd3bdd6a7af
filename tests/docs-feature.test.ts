// Holds the code of a feature, in the documents, to the compiler and the linter.

import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { blockFor, blocksOf } from './support/first-hour/documented.ts';
import { makeFolder } from './support/folder.ts';

const root = resolve(import.meta.dirname, '..');

const imports = `import { useState } from 'react';
import type { FeatureProps } from './feature-props.ts';
const notesUrl = 'https://api.acme.example/notes';
`;

const pages = ['feature', 'feature-how-to', 'feature-pages', 'feature-reference'].map(
  (page) => `docs/${page}.md`,
);

/** The README shows a component without the imports, which its reader knows. */
const inReadme = blocksOf('README.md')
  .filter(({ language }) => language === 'tsx')
  .map((block) => ({ ...block, file: 'src/feature/Feature.tsx', code: imports + block.code }));

describe('the code of a feature in the documents', () => {
  const shown = pages.flatMap(blocksOf).filter(({ language }) => /^tsx?$/.test(language));
  const snippets = [...shown, ...inReadme];

  test('names the file in whose place it stands', () => {
    expect(snippets.length).toBeGreaterThan(6);
    expect(snippets.filter(({ file }) => file === null)).toEqual([]);
  });

  test('compiles there', async () => {
    const { folder, overlays } = writeOverlays(snippets);
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
    const { folder, overlays } = writeOverlays(snippets);
    for (const overlay of overlays) await cp(join(root, '.oxlintrc.json'), join(overlay, '.oxlintrc.json'));
    expect(await complaintsOf(folder, 'oxlint/bin/oxlint', '--deny-warnings', '--quiet')).toBe('');
  }, 60_000);
});

/** Writes each snippet as if it stood in the project. Each has a folder of its own, because two may name the same file. */
function writeOverlays(snippets: ReturnType<typeof blocksOf>) {
  const files = snippets.map(({ file, code }, index) => [`${index}/${file}`, code] as const);
  const folder = makeFolder(Object.fromEntries(files));
  return { folder, overlays: snippets.map((_, index) => join(folder, String(index))) };
}

/** The output of a tool of node_modules that fails in `cwd`; empty if it succeeds. */
async function complaintsOf(cwd: string, tool: string, ...args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd });
  return running.then(
    () => '',
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
}

test('the component in the guide reads the members that its worker stores', () => {
  const guide = 'docs/feature-how-to.md';
  const [, stored] =
    /set\(\{ \[key\]: \{ ([^}]*) \} \}\)/.exec(blockFor(guide, 'src/feature/worker.ts')) ?? [];
  const component = blockFor(guide, 'src/feature/Feature.tsx', 2);
  const read = [...component.matchAll(/readonly (\w+): string/g)].map(([, member]) => member);
  expect(read).toEqual(stored?.split(', '));
});
