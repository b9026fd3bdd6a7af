// fast-check with the run's seed and extent. Tests import it from here, so that each property takes both.

import fc from 'fast-check';
import { isInner, isLong } from './extent.ts';
import { readSeed } from './seed.ts';

/** How many inputs a property tries. */
const numRuns = isLong ? 5_000 : isInner ? 20 : 50;

/** How many a property tries that takes microseconds. */
export const manyRuns = isLong ? 10_000 : 10 * numRuns;

// A failure prints the seed, with the path to the shortest input.
fc.configureGlobal({ seed: readSeed(), numRuns });

export { fc };
