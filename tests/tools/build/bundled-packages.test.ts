import { expect, test } from 'vitest';
import { toNotices } from '../../../tools/build/bundled-packages.ts';

test('the notices have the extension’s licence, and that of each package below its name', () => {
  const one = { name: 'one', version: '1.0.0', identifier: 'MIT', text: 'The text.\r\nIts end.' };
  const notices = toNotices('Ours.', [one, { name: 'bare', version: '2.0.0' }]);
  expect(notices).toMatch(/^Ours\.\n/);
  expect(notices).toContain('one 1.0.0 (MIT)\n\nThe text.\nIts end.\n');
  expect(notices).toContain('bare 2.0.0 (unknown)\n\nThe package contains no text of its licence.\n');
});
