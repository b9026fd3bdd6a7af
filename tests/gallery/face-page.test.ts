import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A page's text without what the two may differ in: names, language, script, and what is there before it runs. */
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

test('the page of a face is the popup’s own page with another script', () => {
  expect(readPage('src/gallery/face.html')).toBe(readPage('src/popup/index.html'));
});
