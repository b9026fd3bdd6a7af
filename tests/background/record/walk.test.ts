// Random events, a million in the long run: the record's rules hold after any events in any order.

import { expect, test } from 'vitest';
import { isInner, isLong } from '../../support/extent.ts';
import { randomNumbers } from '../../support/explorer/gates.ts';
import { allMoments, limits, Met, Walk } from '../../support/record-walk.ts';
import { readSeed } from '../../support/seed.ts';

const steps = isInner ? 40_000 : isLong ? 1_000_000 : 300_000;
/** A walk begins anew after so many steps, with nothing. */
const walkLength = 1_000;

test('whatever happens to the record, no token is lost, and nothing late changes the session', () => {
  const seed = readSeed();
  const random = randomNumbers(seed);
  const met = new Met();
  let walk = new Walk(random, met);
  let taken = 0;
  let broken: readonly string[] = [];
  for (; taken < steps && broken.length === 0; taken += 1) {
    if (taken % walkLength === 0) walk = new Walk(random, met);
    broken = walk.next();
  }
  expect(broken, `seed ${seed}, step ${taken - 1}`).toEqual([]);
  // A short walk does not meet all.
  if (isInner) return;
  expect(limits.filter((limit) => !met.limits.has(limit))).toEqual([]);
  expect(met.moments.size).toBe(allMoments);
}, 600_000);
