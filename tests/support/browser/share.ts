// Which cases a browser takes, where a case shows the same in both.

import { inject } from 'vitest';
import { isLong } from '../extent.ts';

/**
 * Whether this browser takes the case. The long run takes every case in both browsers; `npm test` takes every other one in
 * each, so that each is in one of them.
 */
export function isOfThisBrowser(index: number): boolean {
  return isLong || (index % 2 === 0) === (inject('browserName') === 'chrome');
}
