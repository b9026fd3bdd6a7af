import { expect, test } from 'vitest';
import type { Row } from './results.ts';
import { toColumns, toGrowth, toMarkdown, toPeers } from './table.ts';

const popup: Row = {
  id: 'popup',
  what: 'popup opened → painted',
  place: 'chrome',
  unit: 'ms',
  value: 61.5,
  limits: [
    { name: 'static HTML', value: 41 },
    { name: 'one line in React', value: 50 },
  ],
  peers: [
    { name: 'slow', value: 123.4 },
    { name: 'none', reason: 'needs its service' },
  ],
};
const idle: Row = {
  id: 'idle',
  what: 'requests in an hour',
  place: 'node',
  unit: 'requests',
  value: 0,
  limits: [{ name: 'nothing', value: 0 }],
  peers: [],
};

test('the table has one line for each limit, with its ratio, and names the best peer once', () => {
  expect(toColumns([popup, idle]).split('\n')).toEqual([
    'what                    where     Latchkey  limit                       ratio  best peer',
    'popup opened → painted  Chromium  61.5 ms   static HTML: 41.0 ms        1.50   slow: 123 ms',
    '                                            one line in React: 50.0 ms  1.23',
    'requests in an hour     Node      0         nothing: 0',
  ]);
});

test('the table says why no peer has a value', () => {
  const peers = [{ name: 'all', reason: 'need their service' }];
  expect(toMarkdown([{ ...idle, peers }])).toContain('| all: need their service |');
});

test('the table in Markdown escapes the character that divides its cells', () => {
  expect(toMarkdown([{ ...idle, what: 'a|b' }])).toContain('| a\\|b | Node | 0 | nothing: 0 |');
});

test('a peer without a value is listed with the reason', () => {
  expect(toPeers(popup)).toBe('slow: 123 ms; none: needs its service');
});

test('the growth of a line is told with its ends and its exponent', () => {
  const plot = { id: 'bytes', title: 'Bytes', place: 'chrome', size: 'bytes', value: 'time, ms' } as const;
  const lines = [
    {
      name: 'linear',
      points: [
        [1, 1],
        [1_000, 20],
        [10_000, 200],
      ],
    },
    {
      name: 'flat',
      points: [
        [1, 5],
        [1_000, 5],
        [10_000, 5],
      ],
    },
  ] as const;
  expect(toGrowth({ ...plot, lines })).toEqual([
    'linear: 1 bytes: 1.0 ms → 10,000 bytes: 200 ms, exponent 1.00',
    'flat: 1 bytes: 5.0 ms → 10,000 bytes: 5.0 ms, exponent 0.00',
  ]);
});
