// The code that the documents show, for the tests that do what they say.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

interface Block {
  /** The heading above it, of whatever level. */
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** The document's code blocks, in its order. Indentation, as in a list, is removed. */
function blocksOf(document: string): readonly Block[] {
  const blocks: Block[] = [];
  const text = readFileSync(resolve(root, document), 'utf8');
  let heading = '';
  for (const [, title, indent = '', language = '', code = ''] of text.matchAll(
    /^#+ (.+)$|^( *)```(\w+)\n([^]*?)^ *```$/gm,
  )) {
    if (title === undefined)
      blocks.push({ heading, language, code: code.replaceAll(`\n${indent}`, '\n').slice(indent.length) });
    else heading = title;
  }
  return blocks;
}

/** The block of this language under a heading; `index` chooses if there are several. Throws if it is missing. */
export function blockUnder(document: string, heading: string, language: string, index = 0): string {
  const found = blocksOf(document).filter(
    (block) => block.heading === heading && block.language === language,
  );
  const code = found[index]?.code;
  if (code === undefined)
    throw new Error(`${document} has no block ${index} of ${language} under "${heading}".`);
  return code;
}

/** The document's code for `file`, which its first line names in a comment; `index` chooses if there are several. */
export function blockFor(document: string, file: string, index = 0): string {
  const [first, rest] = [`// ${file}\n`, blocksOf(document)] as const;
  const code = rest.filter((block) => block.code.startsWith(first))[index]?.code.slice(first.length);
  if (code === undefined) throw new Error(`${document} has no block ${index} for ${file}.`);
  return code;
}
