// Writes results and refusals of functions as text, for comparison with a file beside the test. After a change, run the test with
// `-u` and read the difference.

type Cases = Readonly<Record<string, () => unknown>>;

/** The outcome of each case below its title. */
export function describeOutcomes(cases: Cases): string {
  return Object.entries(cases)
    .map(([what, run]) => `# ${what}\n${outcomeOf(run)}\n`)
    .join('\n');
}

/** A text as it is, lines one below the other, anything else as JSON, and an error with its name. */
function outcomeOf(run: () => unknown): string {
  try {
    const value = run();
    const isLines = Array.isArray(value) && value.every((line) => typeof line === 'string');
    if (isLines) return value.join('\n') || 'nothing';
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  } catch (error) {
    return String(error);
  }
}
