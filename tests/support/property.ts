// fast-check with the run's seed and extent. Tests import it from here, so that each property takes both.

import fc from 'fast-check';
import { isInner, isLong } from './extent.ts';
import { readSeed } from './seed.ts';

/** How many inputs a property tries. A cheap property takes a multiple. */
export const numRuns = isLong ? 5_000 : isInner ? 20 : 50;

// A failure prints the seed, with the path to the shortest input.
fc.configureGlobal({ seed: readSeed(), numRuns });

export { fc };
