// How much the tests try out. `npm test` has four minutes, so it takes a part of what has no end: inputs, views, languages.
// `npm run test:long` takes all of it.

export const isLong = process.env['LATCHKEY_TEST'] === 'long';

/** For property tests: the same few inputs each time, so that `npm test` is red for a change alone; or many new ones. */
export const propertyRuns = isLong ? { numRuns: 5_000 } : { numRuns: 50, seed: 1 };
