// The number of runs of each property test. LATCHKEY_PROPERTY_RUNS sets a higher one for a longer search.

import { vi } from 'vitest';

const numRuns = Number(process.env['LATCHKEY_PROPERTY_RUNS'] ?? 200);

export const propertyRuns = { numRuns };

// A longer search needs a longer timeout, in each test file that imports this one.
vi.setConfig({ testTimeout: 5_000 + 50 * numRuns });
