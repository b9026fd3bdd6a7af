// A million random events: the record's rules hold after any events in any order.

import { expect, test } from 'vitest';
import { isInner, isLong } from '../../support/extent.ts';
import { randomNumbers } from '../../support/explorer/gates.ts';
import { Walk } from '../../support/record-walk.ts';
import { readSeed } from '../../support/seed.ts';

const steps = isLong ? 20_000_000 : isInner ? 40_000 : 1_000_000;
/** A walk begins anew after so many steps, with nothing. */
const walkLength = 1_000;

test(
  'whatever happens to the record, no token is lost, and nothing late changes the session',
  () => {
    const seed = readSeed();
    const random = randomNumbers(seed);
    let walk = new Walk(random);
    let broken: readonly string[] = [];
    let taken = 0;
    for (; taken < steps && broken.length === 0; taken += 1) {
      if (taken % walkLength === 0) walk = new Walk(random);
      broken = walk.next();
    }
    expect(broken, `seed ${seed}, step ${taken}`).toEqual([]);
  },
  isLong ? 600_000 : 60_000,
);
