import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { toAnimatedPng } from '../../tools/animated-png.ts';

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file));
const [plain, waiting] = ['latchkey-16', 'latchkey-signing-in-16'].map((name) =>
  read(`src/public/icons/${name}.png`),
) as [Buffer, Buffer];

/** The chunks of a PNG file, each of which must have the right sum. */
function readChunks(file: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < file.length;) {
    const end = at + 8 + file.readUInt32BE(at);
    expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

test('an animation holds the pixels of each frame, in order, with its time', () => {
  const frames = [
    { picture: plain, ms: 2_000 },
    { picture: waiting, ms: 500 },
  ];
  const chunks = readChunks(toAnimatedPng(frames));
  const find = (wanted: string, among = chunks) =>
    among.filter(({ type }) => type === wanted).map(({ data }) => data);
  const pixelsOf = (picture: Buffer) => find('IDAT', readChunks(picture));
  const types = [...new Set(chunks.map(({ type }) => type))];
  expect(types).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fdAT', 'IEND']);
  expect(find('acTL')[0]?.readUInt32BE(0)).toBe(2);
  expect(find('fcTL').map((data) => data.readUInt16BE(20))).toEqual([2_000, 500]);
  expect(find('IDAT')).toEqual(pixelsOf(plain));
  expect(find('fdAT').map((data) => data.subarray(4))).toEqual(pixelsOf(waiting));
  const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT');
  expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual(numbered.map((_, index) => index));
});

test.each([
  ['no frame', [], 'An animation needs a frame.'],
  ['frames of two sizes', [plain, read('src/public/icons/latchkey-32.png')], 'The frames differ in size'],
  ['a file that is no PNG', [Buffer.from('no picture')], "A frame isn't a PNG file."],
])('%s makes no animation', (_, pictures, reason) => {
  expect(() => toAnimatedPng(pictures.map((picture) => ({ picture, ms: 1 })))).toThrow(reason);
});

test('the picture of the README loads fast: it has at most 600 kB', () => {
  expect(read('docs/pictures/sign-in.png').length).toBeLessThan(600_000);
});
