import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readFolder, toZip } from '../../../tools/build/zip.ts';
import { makeFolder } from '../../support/folder.ts';

const text = (content: string) => new TextEncoder().encode(content);

test('a zip holds every file of a folder by its path with slashes', async () => {
  const files = { 'manifest.json': '{}', 'assets/größe/a.js': 'let a;' };
  const folder = makeFolder(files);
  await utimes(join(folder, 'manifest.json'), 1, 1);
  const unpacked = unzipSync(toZip(readFolder(folder)));
  expect(
    Object.fromEntries(
      Object.entries(unpacked).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
    ),
  ).toEqual(files);
});

test('a zip has the same bytes in whatever order its files are given', () => {
  const files = new Map([
    ['b', text('2')],
    ['a', text('1')],
  ]);
  expect(toZip(new Map([...files].toReversed()))).toEqual(toZip(files));
});

test('a zip holds one time, the earliest that zips know, and no time of a file', () => {
  const zip = toZip(new Map([['a', text('1')]]));
  // The time is bytes 10 to 13 of a file's header: 00:00 on 1 January 1980.
  expect([...zip.subarray(10, 14)]).toEqual([0, 0, 0x21, 0]);
});
