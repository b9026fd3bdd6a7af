// How often a property is tried, in each test that has one. LATCHKEY_PROPERTY_RUNS asks for a longer search.

import { vi } from 'vitest';

const numRuns = Number(process.env['LATCHKEY_PROPERTY_RUNS'] ?? 200);

export const propertyRuns = { numRuns };

// A longer search takes longer; this holds for the test file that imports this one.
vi.setConfig({ testTimeout: 5_000 + 50 * numRuns });
