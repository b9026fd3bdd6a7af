// Holds the documents together: their links, the index, and the commands and variables that they name.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents as paths } from './support/first-hour/documented.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const documents = paths.map((file) => ({ file, text: read(file) }));

/** The text outside of blocks of code. */
const toProse = (text: string) => text.replaceAll(/^ *```[^]*?^ *```$/gm, '');

/** The anchor that GitHub gives a heading: small letters, and a hyphen for each space. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

const anchorsOf = (text: string) =>
  new Set(
    [...toProse(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      toAnchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
    ),
  );

const anchors = new Map(documents.map(({ file, text }) => [file, anchorsOf(text)]));

describe('each document', () => {
  test.each(documents)(
    '$file links to files that are there, and to headings that they have',
    ({ file, text }) => {
      const links = [...toProse(text).matchAll(/\]\((?!https?:|mailto:)([^)#]*)#?([^)]*)\)/g)];
      const broken = links.filter(([, path = '', anchor = '']) => {
        const target = path === '' ? resolve(root, file) : resolve(root, dirname(file), path);
        const known = anchors.get(relative(root, target).replaceAll('\\', '/'));
        return !existsSync(target) || (anchor !== '' && known?.has(anchor) !== true);
      });
      expect(broken.map(([link]) => link)).toEqual([]);
    },
  );

  test.each(documents)('$file shows pictures that are there', ({ file, text }) => {
    const pictures = [...toProse(text).matchAll(/\bsrc(?:set)?="([^"]+)"/g)].map(
      ([, picture = '']) => picture,
    );
    expect(pictures.filter((picture) => !existsSync(resolve(root, dirname(file), picture)))).toEqual([]);
  });

  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  test.each(documents)('$file names commands that package.json has', ({ text }) => {
    const named = [...text.matchAll(/\bnpm (?:run ([a-z:-]+)|(start|test)\b)/g)].map(
      ([, script, own]) => script ?? own ?? '',
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test.each(documents)('$file names scripts that are there', ({ text }) => {
    const named = [...text.matchAll(/\b(?:npx tsx|node --import tsx) ([\w/.-]+)/g)].map(
      ([, script = '']) => script,
    );
    expect(named.filter((script) => !existsSync(resolve(root, script)))).toEqual([]);
  });
});

test('docs/README.md lists every page of docs', () => {
  expect(documents.length).toBeGreaterThan(50);
  const listed = read('docs/README.md');
  const pages = documents
    .map(({ file }) => file)
    // The pages of the providers have a list of their own.
    .filter((file) => file.startsWith('docs/') && !/^docs\/(README\.md|providers\/(?!README))/.test(file));
  expect(pages.filter((file) => !listed.includes(`](${file.slice('docs/'.length)}`))).toEqual([]);
});

/** The pages that the index lists, apart from the texts for the stores, which stand for themselves. */
const pages = [...read('docs/README.md').matchAll(/^- \[([^\]]+)\]\((?!\.\.|store\/)([^)]+)\)/gm)].map(
  ([, title = '', page = '']) => ({ title, page, text: read(`docs/${page}`) }),
);

describe('each page of the index', () => {
  test('is found', () => {
    expect(pages.length).toBeGreaterThan(25);
  });

  test.each(pages)('$page has the title that the index says', ({ title, text }) => {
    expect(/^# (.*)$/m.exec(text)?.[1]).toBe(title);
  });

  test.each(pages)('$page says which kind of page it is, and leads back and on', ({ text }) => {
    expect(text).toMatch(
      /^# .*\n\n\[Documentation\]\((?:\.\.\/)?README\.md\) \/ (?:Tutorial|How-to|Reference|Explanation)\n/,
    );
    expect(text).toMatch(/\n\n\*\*Next\*\*: [^\n]*(?:\n[^\n]+)*\n$/);
  });
});

/** Words of prose: what stands in blocks of code is read in another way. */
const countWords = (text: string) => toProse(text).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

test('the README has at most 600 words, and each page but the references at most 1,600', () => {
  const isLong = ({ file, text }: { readonly file: string; readonly text: string }) => {
    if (file === 'README.md') return countWords(text) > 600;
    const isMeasured = /^(?:CONTRIBUTING|docs\/[^/]+)\.md$/.test(file) && !text.includes(') / Reference\n');
    return isMeasured && countWords(text) > 1_600;
  };
  expect(documents.filter(isLong).map(({ file }) => file)).toEqual([]);
});

test('README, CONTRIBUTING and the pages of docs have at most 22,300 words of prose', () => {
  const counted = documents.filter(({ file }) =>
    /^(?:README|CONTRIBUTING|docs\/(?!security-tests)[^/]+)\.md$/.test(file),
  );
  const words = counted.reduce((sum, { text }) => sum + countWords(text), 0);
  expect(words).toBeLessThanOrEqual(22_300);
});

test('the documents name the variables of the environment that the code reads', () => {
  const named = new Set(documents.flatMap(({ text }) => text.match(/\bLATCHKEY_[A-Z]+(?:_[A-Z]+)*/g) ?? []));
  const code = ['tools', 'src', 'tests/support']
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => read(join(folder, file))),
    )
    .join('\n');
  // The name of each secret ends in the id of its provider.
  const toRead = (name: string) => name.replace(/^(LATCHKEY_RELAY_SECRET_).*/, '$1');
  expect([...named].filter((name) => !code.includes(toRead(name)))).toEqual([]);
});
