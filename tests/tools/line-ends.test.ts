import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('git checks out every text with the line ends that the formatter accepts, on Windows too', () => {
  expect(readFileSync('.gitattributes', 'utf8').split('\n')).toContain('* text=auto eol=lf');
  expect(JSON.parse(readFileSync('.oxfmtrc.json', 'utf8'))).not.toHaveProperty('endOfLine');
});
