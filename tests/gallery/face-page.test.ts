import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A page's HTML without what may differ: the title, the language, the script, and the markup before it runs. */
function readPage(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/<html[^>]*>/, '<html>')
    .replace(/<title>[^<]*<\/title>/, '<title></title>')
    .replace(/href="[^"]*popup\.css"/, 'href="popup.css"')
    .replace(/src="[^"]*\.tsx"/, 'src=""')
    .replace(/<!--.*?-->/s, '')
    .replace(/<main.*<\/main>/s, '')
    .replaceAll(/\s+/g, '');
}

test('the face page equals the popup’s page, except for its script', () => {
  expect(readPage('src/gallery/face.html')).toBe(readPage('src/popup/index.html'));
});
