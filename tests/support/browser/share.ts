// Divides test cases between the browsers, where a case has the same result in both.

import { inject } from 'vitest';
import { isLong } from '../extent.ts';

/** Whether this browser runs the case. `npm test` runs half of the cases in each browser, and the long run the other half. */
export function isOfThisBrowser(index: number): boolean {
  const isOfNpmTest = (index % 2 === 0) === (inject('browserName') === 'chrome');
  return isOfNpmTest !== isLong;
}

/** The cases that this browser runs. */
export function ofThisBrowser<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, index) => isOfThisBrowser(index));
}
