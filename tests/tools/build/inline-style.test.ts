// tests/build.test.ts holds the usual case, and the hash in the policy.

import { expect, test } from 'vitest';
import { inlineStyle } from '../../../tools/build/first-paint.ts';

const asset = (source: string) => ({ type: 'asset', source });
const link = '<link rel="stylesheet" crossorigin href="/assets/popup.css">';
const manifest = { content_security_policy: { extension_pages: "style-src 'self'; x" } };

test('a style sheet that another page has too stays a file', () => {
  const bundle = {
    'src/popup/index.html': asset(`<head>${link}</head>`),
    'src/feature/page.html': asset(link),
    'manifest.json': asset(JSON.stringify(manifest)),
    'assets/popup.css': asset('p { color: red }\n'),
  };
  const { generateBundle } = inlineStyle();
  if (typeof generateBundle !== 'object') throw new Error('The plugin changes no build.');
  Reflect.apply(generateBundle.handler, null, [{}, bundle]);
  expect(bundle['src/popup/index.html'].source).toBe('<head><style>p { color: red }</style></head>');
  expect(bundle['src/feature/page.html'].source).toBe(link);
  expect(bundle).toHaveProperty(['assets/popup.css']);
});
