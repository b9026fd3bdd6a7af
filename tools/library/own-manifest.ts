// The members of an extension's own manifest that Latchkey reads, checked before any of them is used.

import * as v from 'valibot';
import { formatPath, toMistake } from '../../src/config/config-error.ts';
import { isObject } from '../../src/session/shape.ts';

const firefoxVersion = 'a version in double quotes, such as "142.0"';
const chromeVersion = 'a version in double quotes, such as "148"';
const policies =
  'an object, such as { "extension_pages": "script-src \'self\'" }, as manifests of version 3 have';
const policy = 'a policy in double quotes';
const file = 'the path of a file';
const files = 'a list of files, such as ["background.js"]';

const names = (expected: string) => v.optional(v.array(v.string(expected), expected));
const text = (expected: string) => v.optional(v.string(expected));

/** `v.object` accepts lists. */
const object = <const Entries extends v.ObjectEntries>(expected: string, entries: Entries) =>
  v.optional(
    v.pipe(v.custom<Readonly<Record<string, unknown>>>(isObject, expected), v.looseObject(entries, expected)),
  );

const collected = 'a list, such as ["authenticationInfo", "personallyIdentifyingInfo"]';

const schema = v.looseObject({
  permissions: names('a list of names, such as ["storage"]'),
  host_permissions: names('a list of match patterns, such as ["https://api.acme.example/*"]'),
  content_security_policy: object(policies, { extension_pages: text(policy) }),
  minimum_chrome_version: text(chromeVersion),
  browser_specific_settings: object('an object', {
    gecko: object('an object', {
      id: text('an id in double quotes'),
      strict_min_version: text(firefoxVersion),
      data_collection_permissions: object('an object', { required: names(collected) }),
    }),
  }),
  background: object('an object', {
    service_worker: text(file),
    scripts: names(files),
    page: text(file),
  }),
});

/** Those members, which have the form that browsers expect. */
export type OwnManifest = v.InferOutput<typeof schema>;

/**
 * Reads those members. Throws an Error with a line for each that isn't in the form of version 3 of manifests, and for a manifest
 * that isn't an object.
 */
export function readOwnManifest(manifest: unknown): OwnManifest {
  if (!isObject(manifest) || manifest instanceof Promise) {
    throw new Error(
      'manifest: expected an object. Call a function, as CRXJS and WXT take it: async (env) => withLatchkey(await manifest(env), ' +
        '{ ...env, browser }). Await a promise. Import a file, as manifest.ts with "export default { … }" if it has comments',
    );
  }
  const { issues, output } = v.safeParse(schema, manifest);
  const lines = (issues ?? [])
    .map(toMistake)
    .map(({ path, text: said }) => `manifest.json: ${formatPath(path)}: ${said}`);
  if (lines.length > 0) throw new Error(lines.join('\n'));
  return output as OwnManifest;
}
