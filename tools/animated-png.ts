// Joins PNG pictures into one that shows them in turn (PNG, third edition, section 4.9). Every browser supports that.

import { crc32 } from 'node:zlib';

export interface Frame {
  /** A PNG file. All frames have one size and one kind of pixel. */
  readonly picture: Uint8Array;
  /** How long it is shown, in milliseconds: at most 65,535. */
  readonly ms: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The picture of these frames, as an endless loop. A viewer without support for animation shows the first frame. */
export function toAnimatedPng(frames: readonly Frame[]): Buffer {
  const [header, ...others] = frames.flatMap(({ picture }) => readChunks(picture)[0]?.data ?? []);
  if (header === undefined) throw new Error('An animation needs a frame.');
  if (others.some((other) => Buffer.compare(header, other) !== 0))
    throw new Error('The frames differ in size or in their kind of pixels.');

  let sequence = 0;
  const parts = frames.flatMap(({ picture, ms }, index) => {
    const images = readChunks(picture).filter(({ type }) => type === 'IDAT');
    const control = { type: 'fcTL', data: toControl(sequence++, header, ms) };
    // The first frame is also the picture for viewers without support for animation.
    if (index === 0) return [control, ...images];
    const data = images.map((image) => Buffer.concat([toUint32(sequence++), image.data]));
    return [control, ...data.map((part) => ({ type: 'fdAT', data: part }))];
  });
  const animation = Buffer.concat([toUint32(frames.length), toUint32(0)]);
  return Buffer.concat([
    signature,
    toBytes({ type: 'IHDR', data: header }),
    toBytes({ type: 'acTL', data: animation }),
    ...parts.map(toBytes),
    toBytes({ type: 'IEND', data: Buffer.alloc(0) }),
  ]);
}

/** Where a frame is, over the whole picture, and how long. It replaces the one before. */
function toControl(sequence: number, header: Uint8Array, ms: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(ms, 0);
  delay.writeUInt16BE(1000, 2);
  return Buffer.concat([toUint32(sequence), header.subarray(0, 8), toUint32(0), toUint32(0), delay]);
}

function readChunks(picture: Uint8Array): readonly Chunk[] {
  const bytes = Buffer.from(picture);
  if (!bytes.subarray(0, signature.length).equals(signature)) throw new Error("A frame isn't a PNG file.");
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

function toBytes({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([toUint32(data.length), named, toUint32(crc32(named))]);
}

function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
