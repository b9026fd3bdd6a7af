import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { readFolder, toZip } from '../../../tools/build/zip.ts';

const text = (content: string) => new TextEncoder().encode(content);

test('a zip holds every file of a folder by its path with slashes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-zip-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'assets/größe'), { recursive: true });
  await writeFile(join(folder, 'manifest.json'), '{}');
  await writeFile(join(folder, 'assets/größe/a.js'), 'let a;');
  await utimes(join(folder, 'manifest.json'), 1, 1);
  const unpacked = unzipSync(toZip(readFolder(folder)));
  expect(
    Object.fromEntries(
      Object.entries(unpacked).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
    ),
  ).toEqual({
    'assets/größe/a.js': 'let a;',
    'manifest.json': '{}',
  });
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
