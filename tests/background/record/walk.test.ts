// A million random events: the record's rules hold after any events in any order.

import { expect, test } from 'vitest';
import { isInner, isLong } from '../../support/extent.ts';
import { randomNumbers } from '../../support/explorer/gates.ts';
import { Met, Walk } from '../../support/record-walk.ts';
import { readSeed } from '../../support/seed.ts';

const steps = isLong ? 20_000_000 : isInner ? 40_000 : 1_000_000;
/** A walk begins anew after so many steps, with nothing. */
const walkLength = 1_000;

test(
  'whatever happens to the record, no token is lost, and nothing late changes the session',
  () => {
    const seed = readSeed();
    const random = randomNumbers(seed);
    const met = new Met();
    let walk = new Walk(random, met);
    for (let taken = 0; taken < steps; taken += 1) {
      if (taken % walkLength === 0) walk = new Walk(random, met);
      const broken = walk.next();
      if (broken.length > 0) expect.fail(`seed ${seed}, step ${taken}: ${broken.join('; ')}`);
    }
    if (!isInner) expect(met.findMissing()).toEqual([]);
  },
  isLong ? 600_000 : 60_000,
);

test('the random numbers do not begin to repeat themselves within all steps of a run', () => {
  const random = randomNumbers(readSeed());
  const next = () => [random(), random()] as const;
  // A pair that comes again would begin a circle. It is compared with all that follow, up to the next power of two.
  let [one, other] = next();
  for (let drawn = 1; drawn < 16 * steps; drawn += 1) {
    const [first, second] = next();
    if (first === one && second === other) expect.fail(`the same after ${2 * drawn} numbers`);
    if ((drawn & (drawn - 1)) === 0) [one, other] = [first, second];
  }
});
