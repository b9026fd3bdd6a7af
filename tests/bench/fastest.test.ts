import { expect, test } from 'vitest';
import { measureGrowth, toExponent } from './fastest.ts';

/** Returns the times of a size in turn, the last one from then on. */
function scripted(times: Readonly<Record<number, readonly number[]>>) {
  const asked: number[] = [];
  const measure = (size: number) => {
    const before = asked.filter((other) => other === size).length;
    asked.push(size);
    const own = times[size] ?? [];
    return Promise.resolve(own[Math.min(before, own.length - 1)] ?? NaN);
  };
  return { asked, measure };
}

test.each([
  [[1, 2], [4, 8], 1],
  [[1, 2], [4, 32], 2],
  [[1, 2], [4, 2], 0],
  // Less than a millisecond
  [[1, 0.001], [4, 0.9], 0],
] as const)('the exponent from %j to %j is %d', (first, last, exponent) => {
  expect(toExponent([first, last])).toBeCloseTo(exponent);
});

test('times that grow linearly are measured once', async () => {
  const { asked, measure } = scripted({ 1: [9], 4: [4], 16: [16] });
  expect(await measureGrowth([1, 4, 16], 4, measure)).toEqual([
    [1, 9],
    [4, 4],
    [16, 16],
  ]);
  expect(asked).toEqual([1, 4, 16]);
});

test('a time that other load has made longer is measured again, and the fastest counts', async () => {
  const { asked, measure } = scripted({ 4: [4, 5], 16: [90, 40, 16] });
  const times = await measureGrowth([4, 16], 4, measure);
  expect(times).toEqual([
    [4, 4],
    [16, 16],
  ]);
  expect(asked).toHaveLength(6);
});

test('times that grow with the square do so however often they are measured', async () => {
  const { asked, measure } = scripted({ 4: [4], 16: [64] });
  expect(toExponent(await measureGrowth([4, 16], 4, measure))).toBe(2);
  expect(asked).toHaveLength(10);
});
