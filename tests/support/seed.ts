// The seed of a run. It chooses the inputs of the properties and the orders of events, so a run can be repeated.

// In a shell, an empty variable usually means an unset one.
const text = process.env['LATCHKEY_SEED'] ?? '';

/** The seed in `LATCHKEY_SEED`, or 1 if it is not set or empty. Throws if it isn't a whole number. */
export function readSeed(): number {
  const seed = text === '' ? 1 : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(seed)) return seed;
  throw new Error(`LATCHKEY_SEED is ${JSON.stringify(text)}; expected a whole number, such as 7.`);
}

/** The seed for a new run: the one that `LATCHKEY_SEED` repeats, or a new one. fast-check takes 32 bits of it. */
export function chooseSeed(): number {
  return text === '' ? 1 + Math.floor(Math.random() * 999_999) : readSeed();
}
