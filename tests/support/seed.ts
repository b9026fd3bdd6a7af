// The seed of a run. It chooses the inputs of the properties and the orders of events, so a run can be repeated.

// In a shell, an empty variable usually means an unset one.
const text = process.env['LATCHKEY_SEED'] ?? '';

/** The same for each run that names none: a run that fails then fails because of a change, and not by chance. */
const usual = 165_802;

/** The seed in `LATCHKEY_SEED`; the usual one if it isn't set or empty. Throws if it isn't a whole number. */
export function readSeed(): number {
  const seed = text === '' ? usual : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(seed)) return seed;
  throw new Error(
    `LATCHKEY_SEED is ${JSON.stringify(text)}; expected a whole number, such as 7, or "random".`,
  );
}

/** A seed by chance. fast-check takes 32 bits of it. */
export const drawSeed = () => 1 + Math.floor(Math.random() * 999_999);

/** The seed for a new run; with `LATCHKEY_SEED=random`, one by chance. */
export function chooseSeed(): number {
  return text === 'random' ? drawSeed() : readSeed();
}
