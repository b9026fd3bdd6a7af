// How much the tests try out. `npm test` has a few minutes, so it takes a part of what has no end: inputs, views, languages.
// `npm run test:long` takes all of it.

export const isLong = process.env['LATCHKEY_TEST'] === 'long';

/** The inner loop has a quarter of a minute, and each changed line of `npm run mutate` less. */
export const isInner = process.env['LATCHKEY_TEST'] === 'inner';
