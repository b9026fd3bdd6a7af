import { expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import { redirectUris } from '../../tools/redirect-uris.ts';

test('redirectUris returns the URIs that the browsers give to the extension in this checkout', () => {
  expect(redirectUris(manifest, 'demo')).toEqual({
    chrome: 'https://mccmlgehmoicaeilcpoogfaohefhnoia.chromiumapp.org/demo',
    firefox: 'https://bae1b49efb3234f3878b25c10c1f5eced9e067f6.extensions.allizom.org/demo',
  });
});
