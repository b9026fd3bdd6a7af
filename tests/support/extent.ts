// How much the tests try out. `npm test` has a few minutes, so it tries some of the inputs, views and languages.
// `npm run test:long`, which adds to it, tries many more.

export const isLong = process.env['LATCHKEY_TEST'] === 'long';

/** The inner loop has a quarter of a minute, and each changed line of `npm run mutate` less. */
export const isInner = process.env['LATCHKEY_TEST'] === 'inner';
