// The words of the documents and of what the tools print: none of those that were rejected, as in the popup's texts.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents } from '../support/first-hour/documented.ts';
import { type Rejected, rejectedInDocuments } from './rejected-words.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** The text of a document without what it quotes from elsewhere: code, links, comments, and the titles of tests. */
const toProse = (text: string) =>
  text
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/``.*?``|`[^`]*`|«[^»]*»|“[^”]*”|"[^"]*"/g, '"…"')
    .replaceAll(/\]\([^)]*\)|<!--[^]*?-->|<img[^>]*>/g, ']')
    .replaceAll(/^\| fact[^]*?\n\n/gm, '');

/** The sentences in a file of code: its strings with a space in them, without what they quote. */
function toSentences(code: string): string {
  const strings = code
    .replaceAll(/\/\*[^]*?\*\/|(?<![:'"`\w])\/\/.*$/gm, '')
    .matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g);
  return [...strings]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => text.includes(' '))
    .join('\n')
    .replaceAll(/"[^"\n]*"|`[^`]*`|“[^”]*”|\$\{[^}]*\}/g, '"…"');
}

function faultsIn(text: string, rules: Rejected): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      Object.entries(rules).flatMap(([instead, pattern]) =>
        [...line.matchAll(pattern)].map(([word]) => `“${word}” in “${line.trim()}”. Say: ${instead}`),
      ),
    );
}

/** The texts for the stores are formal, and the titles of tests are quoted. */
const own = documents.filter((file) => !/^docs\/(?:store\/|security-tests)/.test(file));

const list = (folder: string) =>
  readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(?:bench|gallery)\b/.test(file))
    .map((file) => join(folder, file).replaceAll('\\', '/'));

describe('none of the words that were rejected is in', () => {
  test.each(own)('%s', (file) => {
    expect(faultsIn(toProse(read(file)), rejectedInDocuments)).toEqual([]);
  });

  test.each([...list('tools'), ...list('src/config'), ...list('src/providers')])(
    'the texts of %s',
    (file) => {
      expect(faultsIn(toSentences(read(file)), rejectedInDocuments)).toEqual([]);
    },
  );
});
