// Reads the policies for extensions in a file of the Windows registry, as browsers read the registry. Chromium converts values by the
// extension's schema, and Firefox doesn't:
// https://source.chromium.org/chromium/chromium/src/+/main:components/policy/core/common/registry_dict.cc
// https://searchfox.org/mozilla-central/source/toolkit/components/enterprisepolicies/WindowsGPOParser.sys.mjs

import { isObject } from '../../src/session/shape.ts';
import { policyTextKey } from '../../src/config/policy-schema.ts';
import { FileError, latchkey, readJson } from '../build/read-text.ts';

/** A schema as Chromium understands it. */
export interface ManagedSchema {
  readonly type: 'array' | 'object' | 'integer' | 'string' | 'boolean';
  readonly properties?: Readonly<Record<string, ManagedSchema>>;
  readonly additionalProperties?: ManagedSchema;
  readonly items?: ManagedSchema;
}

/** The schema of the extension's policies. Throws a {@link FileError} if it can't be read. */
export const readSchema = () => readJson('src/public/managed-schema.json', latchkey) as ManagedSchema;

/** A policy in the registry. */
interface RegistryPolicy {
  readonly browser: 'chromium' | 'firefox';
  readonly extensionId: string;
  /** The policy as the browser reads it, or why one of its values can't be read. */
  readonly policy: unknown;
}

/** A text, a number, the lines of a list of texts; or why a value can't be read. */
type Value = string | number | readonly string[] | FileError;

/** A key with its values and the keys below it, in the order of their names. */
interface Key {
  readonly values: Map<string, Value>;
  readonly keys: Map<string, Key>;
}

/**
 * A key of the registry in which a browser looks for the policy of an extension, and the keys below. Windows compares the names
 * without case.
 */
const registryKey =
  /^HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\(?:(?:Google\\Chrome|Chromium|Microsoft\\Edge)\\3rdparty\\extensions\\([^\\]+)\\policy|Mozilla\\Firefox\\3rdparty\\Extensions\\([^\\]+))((?:\\[^\\]+)*)$/i;

/** The policies of all extensions, in the order of the file. Other keys, and values without a name, are left out. */
export function readRegistry(text: string, fileName: string): readonly RegistryPolicy[] {
  const found = new Map<string, { readonly policy: Omit<RegistryPolicy, 'policy'>; readonly key: Key }>();
  let here: Key | null = null;
  // A long value of another type than a text goes on in the next line after a backslash.
  const lines = text.replaceAll(/\\[ \t]*\r?\n[ \t]*(?=[\da-f]{2}[,\s\\])/gi, '').split(/\r\n|[\n\r]/);
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (/^\[.*\]$/.test(trimmed)) here = open(found, trimmed.slice(1, -1));
    const [, name, written = ''] = /^"((?:[^"\\]|\\.)+)"=(.*)$/.exec(trimmed) ?? [];
    if (here === null || name === undefined || written === '-') continue;
    const value = readValue(written);
    const isWrong = value === null || (name === policyTextKey && typeof value !== 'string');
    here.values.set(
      unescape(name),
      isWrong ? new FileError([`${fileName}:${index + 1}: ${toUnreadable(name)}`]) : value,
    );
  }
  return [...found.values()].map(({ policy, key }) => ({ ...policy, policy: toPolicy(policy.browser, key) }));
}

const newKey = (): Key => ({ values: new Map(), keys: new Map() });

/** The key of this path; null if it's of no extension. */
function open(
  found: Map<string, { readonly policy: Omit<RegistryPolicy, 'policy'>; readonly key: Key }>,
  path: string,
): Key | null {
  const [, chromium, firefox, below = ''] = registryKey.exec(path) ?? [];
  const extensionId = chromium ?? firefox;
  if (extensionId === undefined) return null;
  const root = path.slice(0, path.length - below.length).toLowerCase();
  const browser = chromium === undefined ? 'firefox' : 'chromium';
  const one = found.get(root) ?? { policy: { browser, extensionId }, key: newKey() };
  found.set(root, one);
  let { key } = one;
  for (const name of below.split('\\').filter(Boolean)) {
    const next = key.keys.get(name) ?? newKey();
    key.keys.set(name, next);
    key = next;
  }
  return key;
}

/** Null for a value that Windows would not read, or of a type that no browser reads. */
function readValue(written: string): Exclude<Value, FileError> | null {
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(written) ?? [];
  if (quoted !== undefined) return unescape(quoted);
  const [, number] = /^dword:([\da-f]{1,8})$/i.exec(written) ?? [];
  if (number !== undefined) return Number.parseInt(number, 16);
  const [, type, bytes] = /^hex\(([127])\):((?:[\da-f]{2},?\s*)*)$/i.exec(written) ?? [];
  if (bytes === undefined) return null;
  const text = Buffer.from(bytes.replaceAll(/[^\da-f]/gi, ''), 'hex')
    .toString('utf16le')
    .replace(/\0+$/, '');
  return type === '7' ? text.split('\0') : text;
}

function unescape(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1');
}

const toUnreadable = (name: string) =>
  `"${name}": found a value that Windows doesn't read as one text; expected "…" in one line, and in it \\" for ` +
  'each quotation mark and \\\\ for each backslash';

function toPolicy(browser: RegistryPolicy['browser'], key: Key): unknown {
  return findUnreadable(key) ?? (browser === 'chromium' ? asChromium(key, readSchema()) : asFirefox(key));
}

function findUnreadable({ values, keys }: Key): FileError | null {
  for (const value of values.values()) if (value instanceof FileError) return value;
  for (const key of keys.values()) {
    const inner = findUnreadable(key);
    if (inner !== null) return inner;
  }
  return null;
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one.toLowerCase() < other.toLowerCase() ? -1 : 1;

/** Chromium makes a list of keys and values whose names are numbers, in the order of texts: "10" comes before "2". */
function asChromium({ values, keys }: Key, schema: ManagedSchema | undefined): unknown {
  const isList = schema?.type === 'array';
  const schemaOf = (name: string) =>
    isList ? schema.items : (schema?.properties?.[name] ?? schema?.additionalProperties);
  const members = [
    ...[...keys].toSorted(byName).map(([name, key]) => [name, asChromium(key, schemaOf(name))] as const),
    ...[...values].toSorted(byName).map(([name, value]) => [name, convert(value, schemaOf(name))] as const),
  ];
  if (isList) return members.filter(([name]) => /^-?\d+$/.test(name)).map(([, value]) => value);
  return Object.fromEntries(members);
}

/** A value of the schema's type, where Chromium makes one of it. */
function convert(value: Value, schema: ManagedSchema | undefined): unknown {
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value;
  switch (schema?.type) {
    case 'boolean':
      return typeof number === 'number' ? number !== 0 : value;
    case 'integer':
      return number;
    case 'array':
    case 'object': {
      const parsed = typeof value === 'string' ? toJson(value) : undefined;
      const isKind = schema.type === 'array' ? Array.isArray(parsed) : isObject(parsed);
      return isKind ? parsed : value;
    }
    default:
      return value;
  }
}

/** Firefox reads JSON in a list of texts, and takes a key whose first name is "1" for a list. */
function asFirefox({ values, keys }: Key): unknown {
  const own = [...values].map(
    ([name, value]) => [name, readsJson(value) ? toJson(value.join('\n')) : value] as const,
  );
  const below = [...keys].map(([name, key]) => [name, asFirefox(key)] as const);
  for (const members of [own, below]) if (members[0]?.[0] === '1') return members.map(([, value]) => value);
  return Object.fromEntries([...own, ...below]);
}

function readsJson(value: Value): value is readonly string[] {
  return Array.isArray(value);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
