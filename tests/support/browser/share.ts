// Divides test cases between the browsers, where a case has the same result in both.

import { inject } from 'vitest';
import { isLong } from '../extent.ts';

/**
 * Whether this browser runs the case. The long run runs every case in both browsers; `npm test` runs half of them in each
 * browser.
 */
export function isOfThisBrowser(index: number): boolean {
  return isLong || (index % 2 === 0) === (inject('browserName') === 'chrome');
}

/** The cases that this browser runs. */
export function ofThisBrowser<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, index) => isOfThisBrowser(index));
}
