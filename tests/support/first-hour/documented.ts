// The documents and the code that they show, for the tests that do what they say.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

const listIn = (folder: string) =>
  readdirSync(resolve(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );

/** The paths of all documents: those in the project's folder, and those in docs. */
export const documents: readonly string[] = [
  ...listIn('.'),
  ...listIn('docs').map((file) => `docs/${file.replaceAll('\\', '/')}`),
];

interface Block {
  /** The heading above it, of whatever level. */
  readonly heading: string;
  readonly language: string;
  /** The file that its first line names in a comment, which isn't part of the code; null if it names none. */
  readonly file: string | null;
  readonly code: string;
}

/** The document's code blocks, in its order. Indentation, as in a list, is removed. */
export function blocksOf(document: string): readonly Block[] {
  const blocks: Block[] = [];
  const text = readFileSync(resolve(root, document), 'utf8');
  let heading = '';
  for (const [, title, indent = '', language = '', shown = ''] of text.matchAll(
    /^#+ (.+)$|^( *)```(\w+)\n([^]*?)^ *```$/gm,
  )) {
    if (title !== undefined) heading = title;
    else {
      const code = shown.replaceAll(`\n${indent}`, '\n').slice(indent.length);
      const [first = '', file = null] = /^\/\/ (\S+\.(?:tsx?|js))\n/.exec(code) ?? [];
      blocks.push({ heading, language, file, code: code.slice(first.length) });
    }
  }
  return blocks;
}

/** The block of this language under a heading; `index` chooses if there are several. Throws if it is missing. */
export function blockUnder(document: string, heading: string, language: string, index = 0): string {
  const isMeant = (block: Block) => block.heading === heading && block.language === language;
  const found = blocksOf(document).filter(isMeant)[index];
  if (found !== undefined) return found.code;
  throw new Error(`${document} has no block ${index} of ${language} under "${heading}".`);
}

/** The document's code for `file`; `index` chooses if there are several. */
export function blockFor(document: string, file: string, index = 0): string {
  const found = blocksOf(document).filter((block) => block.file === file)[index];
  if (found !== undefined) return found.code;
  throw new Error(`${document} has no block ${index} for ${file}.`);
}
