// Reads manifest.json, and the version from package.json.

import * as v from 'valibot';
import { toMistake } from '../../src/config/config-error.ts';
import type { Manifest, SourceManifest } from '../../src/config/manifest.ts';
import { memberOf, object } from '../../src/config/value-schema.ts';
import { isObject } from '../../src/session/shape.ts';
import { FileError, latchkey, parseJson, toProblem, readJson, readText } from './read-text.ts';

/**
 * Reads manifest.json. Members that it leaves out are those of Latchkey's own, apart from what identifies an extension. With
 * `folder`, it's the file of that folder, and stands alone. Throws a `FileError` that names the place of each mistake.
 */
export function readManifest(folder?: string): SourceManifest {
  return read('manifest.json', manifestSchema, folder, folder === undefined) as SourceManifest;
}

/**
 * The product's name in the default language. The name of manifest.json may be the name of a message, in the form
 * `__MSG_extensionName__`.
 */
export function readProductName(): string {
  const { name, default_locale: locale } = readManifest();
  const key = /^__MSG_(\w+)__$/.exec(name)?.[1];
  if (key === undefined) return name;
  const file = `src/public/_locales/${String(locale)}/messages.json`;
  const messages = readJson(file) as Readonly<Record<string, { readonly message: string }>>;
  // Two dollar signs stand for one, because a single one begins a placeholder.
  return messages[key]?.message.replaceAll('$$', () => '$') ?? name;
}

/** Reads manifest.json, as {@link readManifest} does, and adds the version of package.json. */
export function readVersionedManifest(): Manifest {
  return { ...readManifest(), version: readPackage().version };
}

/**
 * Reads the packages' name and the version from package.json. Throws a `FileError` for a version that browsers don't
 * accept.
 */
export function readPackage(folder?: string): { readonly name: string; readonly version: string } {
  return read('package.json', packageSchema, folder) as v.InferOutput<typeof packageSchema>;
}

const packageVersion = 'one to four numbers up to 65535, such as "1.0.0", because browsers accept no others';

const packageSchema = object('an object', {
  name: v.string("a name for the packages' files"),
  version: v.pipe(v.string(packageVersion), v.check(isBrowserVersion, packageVersion)),
});

/** Whether Chrome and Firefox accept the version in a manifest: Chrome sets the greatest number. */
function isBrowserVersion(version: string): boolean {
  return (
    /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){0,3}$/.test(version) &&
    version.split('.').every((part) => Number(part) <= 65_535)
  );
}

/** Chrome takes PEM too, and leaves out the lines around the key before it makes the ID. */
const publicKey = 'a public key in base64, in one line and without "-----BEGIN PUBLIC KEY-----"';
const worker = 'the path of the worker\'s module, "src/background/main.ts"';
const chromeVersion = 'the oldest version of Chrome, such as "148"';
const firefoxVersion = 'the oldest version of Firefox, such as "142.0"';
const firefoxId = 'the id for Firefox, such as "sign-in@acme.example"';
const firefox =
  'the settings for Firefox, such as { "gecko": { "id": "sign-in@acme.example", "strict_min_version": "142.0" } }';

const version = (expected: string) => v.pipe(v.string(expected), v.regex(/^\d/, expected));

/** The members that the build needs. The browsers and the stores check the others. */
const manifestSchema = object('an object', {
  name: v.string('the name of the extension'),
  version: v.optional(v.never('no version, because the build takes it from package.json; remove this key')),
  background: v.object({ service_worker: v.string(worker) }, worker),
  minimum_chrome_version: version(chromeVersion),
  key: v.exactOptional(v.pipe(v.string(publicKey), v.regex(/^[A-Za-z\d+/]+=*$/, publicKey))),
  browser_specific_settings: v.object(
    { gecko: v.object({ id: v.string(firefoxId), strict_min_version: version(firefoxVersion) }, firefox) },
    firefox,
  ),
});

function read(file: string, schema: v.GenericSchema, folder?: string, isCompleted = false): unknown {
  const parsed = parseJson(readText(file, folder), file);
  const value = isCompleted ? complete(parsed.value) : parsed.value;
  const { issues } = v.safeParse(schema, value);
  if (issues === undefined) return value;
  throw new FileError(issues.map((issue) => toProblem(parsed, toMistake(issue))));
}

/** Adds the members of Latchkey's own manifest.json that `own` leaves out. Its key and its id for Firefox stay its own. */
function complete(own: unknown): unknown {
  if (!isObject(own)) return own;
  const { key: _key, browser_specific_settings: ofFirefox, ...shared } = readManifest(latchkey);
  const { id: _id, ...gecko } = ofFirefox.gecko;
  const settings = own['browser_specific_settings'];
  const ownGecko = memberOf(settings, 'gecko');
  if (!isObject(settings) || !isObject(ownGecko)) return { ...shared, ...own };
  return { ...shared, ...own, browser_specific_settings: { ...settings, gecko: { ...gecko, ...ownGecko } } };
}
