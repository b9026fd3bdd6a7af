// What each input must come to: a result or a problem in our own words, never an accident, and never a secret.

import { ProblemError, toProblem } from '../../src/session/problem.ts';

/** A text that only a provider, a page or a user writes, in secrets too. It belongs in no problem, journal or log. */
export const foreignText = 'foreignText';

/** Expects that a text for people, support or administrators repeats nothing from outside. */
export function expectOwnWords(text: string): void {
  if (text.includes(foreignText)) throw new Error(`Text from outside is repeated: ${text}`);
}

/** The way in which `run` ends: its own word for a result, or the problem. Throws what is no problem, which is a fault. */
export async function outcomeOf(run: () => Promise<string> | string): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'unexpected') throw error;
    const problem = JSON.stringify(toProblem(error));
    expectOwnWords(problem);
    return problem;
  }
}
