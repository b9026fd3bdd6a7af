import { expect, test } from 'vitest';
import type { Plot } from './results.ts';
import { toSvg } from './svg.ts';

const plot: Plot = {
  id: 'bytes',
  title: 'Bytes & <time>',
  place: 'chrome',
  size: 'bytes',
  value: 'time, ms',
  lines: [
    {
      name: 'page',
      points: [
        [1, 1],
        [10, 10],
        [100, 100],
      ],
    },
    {
      name: 'feature',
      points: [
        [1, 2],
        [10, 2],
        [100, 2],
      ],
    },
  ],
};

const pathOf = (svg: string, index: number): number[] => {
  const paths = [...svg.matchAll(/<path d="(M[\d. L]+)" fill="none"/g)].map(([, path = '']) => path);
  return (paths[index] ?? '').split(/[ML ]/).filter(Boolean).map(Number);
};

test('linear growth is a straight rising line, and no growth a flat one', () => {
  const svg = toSvg(plot);
  const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN, x3 = NaN, y3 = NaN] = pathOf(svg, 0);
  expect(x2 - x1).toBeCloseTo(x3 - x2, 0);
  expect(y1 - y2).toBeCloseTo(y2 - y3, 0);
  expect(y1).toBeGreaterThan(y3);
  const flat = pathOf(svg, 1);
  expect(flat[1]).toBe(flat[5]);
});

test('names each line and escapes every text', () => {
  const svg = toSvg(plot);
  expect(svg).toContain('>page</text>');
  expect(svg).toContain('>feature</text>');
  expect(svg).toContain('Bytes &amp; &lt;time&gt;');
  expect(svg).not.toContain('<time>');
});

test('a value of zero stands at the lower edge', () => {
  const svg = toSvg({
    ...plot,
    lines: [
      {
        name: 'zero',
        points: [
          [1, 0],
          [10, 5],
        ],
      },
    ],
  });
  expect(svg).not.toMatch(/NaN|Infinity/);
});
