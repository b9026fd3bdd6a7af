import { expect, test } from 'vitest';
import { measureInTurns, median } from './turns.ts';

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

test('measureInTurns takes every measure once in a turn, in changing order, and leaves out the first turns', async () => {
  const order: string[] = [];
  let call = 0;
  const measure = (name: string) => () => {
    order.push(name);
    call += 1;
    // The turn that warms up is slower.
    return Promise.resolve(call <= 2 ? 100 : call);
  };
  const medians = await measureInTurns({ one: measure('one'), other: measure('other') }, { turns: 2 });
  expect(order).toEqual(['other', 'one', 'one', 'other', 'other', 'one']);
  expect(medians).toEqual({ one: 4.5, other: 4.5 });
});
