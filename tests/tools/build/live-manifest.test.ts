import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { toManifest } from '../../../src/config/manifest.ts';
import { toLiveManifest, type Live } from '../../../tools/build/live-manifest.ts';
import { readVersionedManifest } from '../../../tools/build/read-manifest.ts';
import { withAcme } from '../../support/samples.ts';

/** The directives of the content security policy that differ from those of a build. */
function relaxedBy(live: Live): readonly string[] {
  const manifest = toManifest(readVersionedManifest(), readConfig(withAcme({})), 'chrome');
  const [built, relaxed] = [manifest, toLiveManifest(manifest, live)].map((one) =>
    one.content_security_policy.extension_pages.split(';').map((directive) => directive.trim()),
  );
  return relaxed?.filter((directive) => !built?.includes(directive)) ?? [];
}

const framing = ["frame-src 'self'", "frame-ancestors 'self'"];

test('a build that follows the source lets only the gallery show the popup in frames', () => {
  expect(relaxedBy('rebuilt').toSorted()).toEqual(framing.toSorted());
});

test('a server that follows the source may also be asked for modules and updates, and styles may be in the page', () => {
  const further = relaxedBy('served').filter((directive) => !framing.includes(directive));
  expect(further.toSorted()).toEqual([
    expect.stringMatching(
      /^connect-src http:\/\/localhost:\* ws:\/\/localhost:\* https:\/\/id\.acme\.example/,
    ),
    "style-src 'self' 'unsafe-inline'",
  ]);
});
