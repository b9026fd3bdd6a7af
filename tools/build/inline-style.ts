// Puts the popup's style sheet into its page, because each file that a page loads delays its paint.

import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const page = 'src/popup/index.html';

interface BuiltManifest {
  readonly content_security_policy: { readonly extension_pages: string };
}

/**
 * Replaces the popup's links to style sheets by the styles, which the content security policy then allows by their hash. A
 * style sheet that another file names stays a file as well.
 */
export function inlineStyle(): Plugin {
  return {
    name: 'inline-style',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After the page and the manifest are written.
      order: 'post',
      handler(_options, bundle) {
        const [html, manifest] = [bundle[page], bundle['manifest.json']];
        if (html?.type !== 'asset' || manifest?.type !== 'asset') return;
        for (const [link, path = ''] of String(html.source).matchAll(
          /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g,
        )) {
          const file = bundle[path];
          if (file?.type !== 'asset') continue;
          const styles = String(file.source).trim();
          // A function, because the styles may contain a replacement pattern such as `$&`.
          html.source = String(html.source).replace(link, () => `<style>${styles}</style>`);
          manifest.source = allowStyles(String(manifest.source), styles);
          const isNamed = Object.values(bundle).some((other) =>
            String(other.type === 'chunk' ? other.code : other.source).includes(path),
          );
          if (!isNamed) delete bundle[path];
        }
      },
    },
  };
}

/** Adds the hash of a page's own styles to the policy in the text of a manifest. */
function allowStyles(manifest: string, styles: string): string {
  const hash = createHash('sha256').update(styles).digest('base64');
  const built = JSON.parse(manifest) as BuiltManifest;
  const policy = built.content_security_policy.extension_pages.replace(
    "style-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
  );
  return `${JSON.stringify({ ...built, content_security_policy: { extension_pages: policy } }, null, 2)}\n`;
}
