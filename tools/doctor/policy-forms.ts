// Finds the policies for extensions in a file, in each form that docs/administrators.md shows as JSON, and in that of the
// Windows registry.

import { policyEntries, policyTextKey } from '../../src/config/policy-schema.ts';
import { memberOf } from '../../src/config/value-schema.ts';
import { isObject } from '../../src/session/shape.ts';
import { FileError, parseJson } from '../build/parse-json.ts';

/** A policy in a file. */
export interface FoundPolicy {
  /** The browsers that read it: `chromium` for Chrome, Edge and all others with that engine, `any` if the file names none. */
  readonly browser: 'chromium' | 'firefox' | 'any';
  /** The extension that it is for; null if the file does not say. */
  readonly extensionId: string | null;
  /** The policy that the browser would pass to the extension, if it has no mistake. */
  readonly policy: unknown;
}

/** The policies of a file, in its order, and the name of the file's form. */
export interface PolicyFile {
  readonly form: string;
  readonly found: readonly FoundPolicy[];
}

type Members = Readonly<Record<string, unknown>>;

/** The forms, in the words of the messages. */
const readForms =
  'the policy itself, the JSON of Chromium ("3rdparty" with "extensions"), a policies.json of Firefox ("policies", "3rdparty", ' +
  '"Extensions"), that of the Google Admin console, or a .reg file';

const asJson =
  'On macOS `plutil -convert json -o policy.json <file>` makes JSON of it; of a form of Windows, write the policy into a file of its own';

/** Where browsers' policy files keep the policies for extensions. */
const browserFiles = [
  ['a policies.json of Firefox', 'firefox', ['policies', '3rdparty', 'Extensions']],
  ['the JSON of Chromium', 'chromium', ['3rdparty', 'extensions']],
] as const;

/**
 * Parses a file with policies. `fileName` is used in messages only. Policies for other extensions are among them, and other
 * settings of a browser are left out.
 *
 * Throws a {@link FileError} if the text has no form that is known, or no policy for an extension in it.
 */
export function parsePolicyFile(text: string, fileName: string): PolicyFile {
  if (/^\uFEFF?\s*(?:Windows Registry Editor|REGEDIT4)/.test(text)) return fromRegistry(text, fileName);
  if (text.trimStart().startsWith('<')) throw refuse(fileName, `found XML; expected ${readForms}. ${asJson}`);
  const { value } = parseJson(text, fileName);
  if (!isObject(value)) throw refuse(fileName, `found no object; expected ${readForms}`);
  for (const [form, browser, path] of browserFiles) {
    if (Object.hasOwn(value, path[0])) return { form, found: fromBrowser(browser, value, path, fileName) };
  }
  const { PayloadContent: payloads } = value;
  if (Array.isArray(payloads)) {
    return { form: 'a configuration profile of macOS', found: payloads.flatMap(fromPayload) };
  }
  const unwrapped = unwrap(value);
  if (unwrapped !== null) {
    const found = [{ browser: 'chromium' as const, extensionId: null, policy: unwrapped }];
    return { form: 'the JSON of the Google Admin console', found };
  }
  if (isPolicy(value)) {
    return { form: 'the policy itself', found: [{ browser: 'any', extensionId: null, policy: value }] };
  }
  const keys = 'A policy has the keys "version" and "providers"';
  throw refuse(fileName, `found no policy for an extension; expected ${readForms}. ${keys}`);
}

function refuse(place: string, problem: string): FileError {
  return new FileError([`${place}: ${problem}`]);
}

/** Whether a value has a key of a policy of ours. */
export function isPolicy(value: unknown): boolean {
  const keys = [...Object.keys(policyEntries()), policyTextKey];
  return isObject(value) && keys.some((key) => Object.hasOwn(value, key));
}

/**
 * A key of the registry in which a browser looks for the policy of an extension. Windows compares the names without case.
 */
const registryKey =
  /^HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\(?:(?:Google\\Chrome|Chromium|Microsoft\\Edge)\\3rdparty\\extensions\\([^\\]+)\\policy|Mozilla\\Firefox\\3rdparty\\Extensions\\([^\\]+))$/i;

/** A file of the Windows registry. A key of another form, and a value with another name, are left out. */
function fromRegistry(text: string, fileName: string): PolicyFile {
  const policies = new Map<string, FoundPolicy & { readonly policy: Members }>();
  let key = '';
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) key = trimmed.slice(1, -1);
    const [, chromium, firefox] = registryKey.exec(key) ?? [];
    const extensionId = chromium ?? firefox;
    const [, name, written = ''] = /^"(json|version)"=(.*)$/.exec(trimmed) ?? [];
    if (extensionId === undefined || name === undefined) continue;
    const value =
      name === policyTextKey
        ? readRegistryText(written, `${fileName}:${index + 1}`)
        : Number.parseInt(/^dword:([\da-f]{8})$/i.exec(written)?.[1] ?? '', 16);
    const browser = chromium === undefined ? 'firefox' : 'chromium';
    policies.set(key, { browser, extensionId, policy: { ...policies.get(key)?.policy, [name]: value } });
  }
  if (policies.size > 0) return { form: 'a file of the Windows registry', found: [...policies.values()] };
  throw refuse(
    fileName,
    'found no policy of an extension; expected a key that ends in \\3rdparty\\extensions\\<id>\\policy, or ' +
      '\\3rdparty\\Extensions\\<id> for Firefox, and in it "version"=dword:00000001 and "json"="…", each in one line',
  );
}

/** The text of a value. Throws a {@link FileError} for one that Windows would not read as a whole. */
function readRegistryText(written: string, place: string): string {
  const [, escaped] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(written) ?? [];
  if (escaped !== undefined) return escaped.replace(/\\(["\\])/g, '$1');
  throw refuse(
    place,
    `"${policyTextKey}": found a value that Windows does not read as one text; expected "…" in one line, and in it \\" for ` +
      'each quotation mark and \\\\ for each backslash',
  );
}

/** The policies in a browser's file, below `path`. */
function fromBrowser(
  browser: FoundPolicy['browser'],
  file: Members,
  path: readonly string[],
  fileName: string,
): readonly FoundPolicy[] {
  const extensions = path.reduce<unknown>(memberOf, file);
  if (isObject(extensions) && Object.keys(extensions).length > 0) return toFound(browser, extensions);
  throw refuse(
    `${fileName}: ${path.join('.')}`,
    `found ${extensions === undefined ? 'nothing' : 'no policy'}; expected an object with the policy of ` +
      'each extension under its id. The browser reads the key in exactly this spelling',
  );
}

function toFound(browser: FoundPolicy['browser'], extensions: unknown): readonly FoundPolicy[] {
  const entries = Object.entries(isObject(extensions) ? extensions : {});
  return entries.map(([extensionId, policy]) => ({ browser, extensionId, policy }));
}

/** A payload of a configuration profile of macOS. */
function fromPayload(payload: unknown): readonly FoundPolicy[] {
  const type = memberOf(payload, 'PayloadType');
  const named = /^com\.(?:google\.Chrome|microsoft\.Edge)\.extensions\.(.+)$/;
  const [, extensionId] = named.exec(String(type)) ?? [];
  if (extensionId === undefined || !isObject(payload)) {
    return toFound('firefox', memberOf(memberOf(payload, '3rdparty'), 'Extensions'));
  }
  const own = Object.entries(payload).filter(([key]) => !key.startsWith('Payload'));
  return [{ browser: 'chromium', extensionId, policy: Object.fromEntries(own) }];
}

/** The Google Admin console writes each value as `{ "Value": … }`. Returns null for another form. */
function unwrap(file: Members): Members | null {
  const members = Object.entries(file);
  const isWrapped = members.every(([, value]) => isObject(value) && Object.hasOwn(value, 'Value'));
  if (members.length === 0 || !isWrapped) return null;
  return Object.fromEntries(members.map(([key, value]) => [key, memberOf(value, 'Value')]));
}
