// Checks the members of manifest.json that the build needs. The browsers and the stores check the others.

import * as v from 'valibot';
import type { Mistake } from './config-error.ts';
import { toMistake } from './describe.ts';

const worker = 'the path of the worker\'s module, "src/background/main.ts"';
const chromeVersion = 'the oldest version of Chrome, such as "148"';
const firefoxVersion = 'the oldest version of Firefox, such as "142.0"';
const firefoxId = 'the id for Firefox, such as "sign-in@acme.example"';
const firefox =
  'the settings for Firefox, such as { "gecko": { "id": "sign-in@acme.example", "strict_min_version": "142.0" } }';

const version = (expected: string) => v.pipe(v.string(expected), v.regex(/^\d/, expected));

/** Describes a missing member like a wrong one. */
function members<const Entries extends v.ObjectEntries>(expected: string, entries: Entries) {
  return v.object(entries, ({ path }) => {
    const entry = entries[String(path?.[0].key)];
    return entry !== undefined && 'message' in entry && typeof entry.message === 'string'
      ? entry.message
      : expected;
  });
}

const manifestSchema = members('an object', {
  name: v.string('the name of the extension'),
  version: v.optional(v.never('no version, because the build takes it from package.json; remove this key')),
  background: v.object({ service_worker: v.string(worker) }, worker),
  minimum_chrome_version: version(chromeVersion),
  key: v.exactOptional(v.string('a public key in base64')),
  browser_specific_settings: v.object(
    { gecko: v.object({ id: v.string(firefoxId), strict_min_version: version(firefoxVersion) }, firefox) },
    firefox,
  ),
});

/** Returns the mistakes in a manifest: none if it is a `Manifest`. */
export function findManifestMistakes(json: unknown): Mistake[] {
  return (v.safeParse(manifestSchema, json).issues ?? []).map(toMistake);
}
