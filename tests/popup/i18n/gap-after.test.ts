import { expect, test } from 'vitest';
import { gapAfter } from '../../../src/popup/i18n/gap-after.ts';

test.each([
  ['You’re offline.', ' '],
  ['オフラインです。', ''],
  ['您已离线。', ''],
])('the gap after %j is %j', (sentence, gap) => {
  expect(gapAfter(sentence)).toBe(gap);
});
