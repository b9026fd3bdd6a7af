import { expect, test } from 'vitest';
import { readSnapshot } from './heap-snapshot.ts';

const toSnapshot = (fields: readonly string[], nodes: readonly number[]) =>
  JSON.stringify({
    snapshot: { meta: { node_fields: fields, node_types: [['object', 'code', 'string'], 'number'] } },
    nodes,
  });

test('the sizes of a heap snapshot are those of all objects and of the code among them', () => {
  const nodes = [0, 100, 1, 20, 2, 3, 1, 4];
  expect(readSnapshot(toSnapshot(['type', 'self_size'], nodes))).toEqual({ all: 127, code: 24 });
});

test('a heap snapshot of another form is refused', () => {
  expect(() => readSnapshot(toSnapshot(['kind', 'bytes'], []))).toThrow('another form');
});
