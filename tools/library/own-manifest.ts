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

const entries = {
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
};

const schema = v.looseObject(entries);

/** Those members, which have the form that browsers expect. */
export type OwnManifest = v.InferOutput<typeof schema>;

/**
 * Reads those members. Throws an Error with a line for each that isn't in the form of version 3 of manifests, and for a manifest
 * that isn't an object.
 */
export function readOwnManifest(manifest: unknown): OwnManifest {
  const obstacle = findObstacle(manifest);
  if (obstacle !== null) throw new Error(`manifest: ${obstacle}`);
  const lines = [...findTags(manifest as object)];
  const reading = v.safeParse(schema, manifest);
  for (const { path, text: said } of (reading.issues ?? []).map(toMistake)) {
    lines.push(`manifest.json: ${formatPath(path)}: ${said}`);
  }
  if (lines.length > 0) throw new Error(lines.join('\n'));
  return reading.output as OwnManifest;
}

/** Builds accept a manifest in more forms than one. Spread, these would leave an empty manifest behind. */
function findObstacle(manifest: unknown): string | null {
  if (typeof manifest === 'function') {
    return (
      'found a function; expected what it returns. Pass a function to your build, and call this one in it: ' +
      'async (env) => withLatchkey(await manifest(env), { ...env, browser })'
    );
  }
  if (manifest instanceof Promise)
    return 'found a promise; expected what it resolves with. Write "await" before it';
  if (typeof manifest === 'string') {
    return (
      'found text; expected an object. Import the file, and if it has comments, turn it into a module: ' +
      'manifest.ts with "export default { … }"'
    );
  }
  return isObject(manifest) ? null : 'expected an object';
}

/** Some builds have keys for one browser, such as `{{firefox}}.permissions`, and put them in place later. */
function findTags(manifest: object): readonly string[] {
  return Object.keys(manifest)
    .filter((key) => {
      const member = /^\{\{.*\}\}\.(.+)$/.exec(key)?.[1];
      return member === 'manifest_version' || (member !== undefined && member in entries);
    })
    .map(
      (key) =>
        `manifest.json: ${JSON.stringify(key)}: found a key for one browser; expected the manifest of the browser ` +
        'for which the build is, without such keys',
    );
}
