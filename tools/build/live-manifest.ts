// The manifest while `npm run dev` follows the source.

import type { toManifest } from '../../src/config/manifest.ts';

type BuiltManifest = ReturnType<typeof toManifest>;

/** `served` where Vite's server sends the modules of the pages, `rebuilt` where each change is a new build. */
export type Live = 'served' | 'rebuilt';

/** Relaxes the content security policy: for the frames of the gallery, and for the modules and updates of Vite's server. */
export function toLiveManifest(manifest: BuiltManifest, live: Live): BuiltManifest {
  const framed = manifest.content_security_policy.extension_pages
    .replace("default-src 'none'", "default-src 'none'; frame-src 'self'")
    .replace("frame-ancestors 'none'", "frame-ancestors 'self'");
  const policy =
    live === 'served'
      ? framed
          .replace('connect-src', 'connect-src http://localhost:* ws://localhost:*')
          .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
      : framed;
  return { ...manifest, content_security_policy: { extension_pages: policy } };
}
