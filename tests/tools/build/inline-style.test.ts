import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inlineStyle } from '../../../tools/build/inline-style.ts';

interface Asset {
  readonly type: 'asset';
  readonly source: string;
}

const asset = (source: string): Asset => ({ type: 'asset', source });
const styles = 'p { color: red }';
const link = '<link rel="stylesheet" crossorigin href="/assets/popup.css">';
const popup = 'src/popup/index.html';
const manifest = JSON.stringify({ content_security_policy: { extension_pages: "style-src 'self'; x" } });

/** A build with the popup and its style sheet, after the plugin. */
function build(others: Readonly<Record<string, Asset>>): Readonly<Record<string, Asset>> {
  const bundle = {
    [popup]: asset(`<head>${link}</head>`),
    'manifest.json': asset(manifest),
    'assets/popup.css': asset(`${styles}\n`),
    ...others,
  };
  const { generateBundle } = inlineStyle();
  if (typeof generateBundle !== 'object') throw new Error('The plugin changes no build.');
  Reflect.apply(generateBundle.handler, null, [{}, bundle]);
  return bundle;
}

test('the styles of the popup move into its page, and the policy allows them alone', () => {
  const built = build({});
  const hash = createHash('sha256').update(styles).digest('base64');
  expect(built[popup]?.source).toBe(`<head><style>${styles}</style></head>`);
  expect(JSON.parse(built['manifest.json']?.source ?? '')).toEqual({
    content_security_policy: { extension_pages: `style-src 'self' 'sha256-${hash}'; x` },
  });
  expect(built).not.toHaveProperty(['assets/popup.css']);
});

test('a style sheet that another page has too stays a file', () => {
  const built = build({ 'src/feature/page.html': asset(link) });
  expect(built[popup]?.source).toContain('<style>');
  expect(built['src/feature/page.html']?.source).toBe(link);
  expect(built).toHaveProperty(['assets/popup.css']);
});
