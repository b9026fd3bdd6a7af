// Examines an administrator's policy before a browser has it, with the reader of the extension.

import { allRules } from '../../src/config/config.ts';
import { explainUnknown } from '../../src/config/keys.ts';
import { describe, formatPath, quote, type Path } from '../../src/config/config-error.ts';
import { memberOf } from '../../src/config/value-schema.ts';
import { policyTextKey, policyEntries } from '../../src/config/policy-schema.ts';
import { readPolicy, type Policy } from '../../src/config/policy.ts';
import type { Config, Provider } from '../../src/config/provider.ts';
import { parseObject } from '../../src/oidc/jwt.ts';
import { FileError, latchkey, parseJson, readJson } from '../build/read-text.ts';
import { readRegistry } from './registry.ts';
import type { ExtensionIds } from '../redirect-uris.ts';
import { isObject } from '../../src/session/shape.ts';

/** A policy in the file, and what the extension would make of it. */
export interface ExaminedPolicy extends Omit<FoundPolicy, 'policy'> {
  /**
   * Whether it is for this extension. `unknown`: the file names no extension, or the extension's own id isn't known.
   * `placeholder`: the id of a sample is still there.
   */
  readonly addressee: 'own' | 'unknown' | 'placeholder' | 'other';
  readonly problems: readonly string[];
  readonly newIds: readonly string[];
  readonly settings: PolicySettings | null;
}

/** The settings that a policy brings about. */
export interface PolicySettings extends Omit<Policy, 'providers'> {
  readonly providers: readonly Pick<Provider, 'id' | 'name' | 'issuer' | 'allowed'>[];
  readonly notOffered: readonly Pick<Provider, 'id' | 'name'>[];
}

/** The output of `--json` for a policy. docs/doctor.md explains the members. */
export interface PolicyReport {
  readonly file: string;
  readonly form: string;
  readonly ids: ExtensionIds;
  readonly policies: readonly ExaminedPolicy[];
  readonly beside: readonly string[];
}

/**
 * Examines each policy for the extension in the text of a file, laid over the configuration of the build. Returns with the
 * report the providers that would be offered, of all policies in the file; each once. Throws a {@link FileError} if the build
 * leaves policies out, or the text has no known form, or no policy for this extension.
 */
export function examinePolicyText(text: string, file: string, built: Config, ids: ExtensionIds) {
  if (!built.policies) {
    const reason = 'this build leaves policies out ("policies": false), so the extension wouldn\'t use it';
    throw new FileError([`${file}: ${reason}; build it without that setting`]);
  }
  const parsed = parsePolicyFile(text, file);
  const { chosen, beside } = choose(parsed, ids, file);
  const examined = chosen.map((one) => examineOne(one, built));
  const policies = examined.map(({ policy }) => policy);
  const report: PolicyReport = { file, form: parsed.form, ids, policies, beside };
  const offered = examined.flatMap(({ providers }) => providers);
  const inForce = [...new Map(offered.map((provider) => [JSON.stringify(provider), provider])).values()];
  return { report, inForce };
}

/** Whether the extension wouldn't get the policy, or not use it. */
export function isBroken({ addressee, problems }: ExaminedPolicy): boolean {
  return problems.length > 0 || addressee === 'placeholder' || addressee === 'other';
}

/** The extension's own ids in a browser. */
export function toOwnIds(browser: FoundPolicy['browser'], ids: ExtensionIds): readonly string[] {
  const own = browser === 'firefox' ? [ids.firefoxId] : [ids.chromeId, ids.edgeId];
  return own.filter((id) => id !== null);
}

type Addressed = FoundPolicy & Pick<ExaminedPolicy, 'addressee'>;

/** The policies for this extension, or else those that may be meant for it. A browser's file has others too. */
function choose({ found }: PolicyFile, ids: ExtensionIds, file: string) {
  const addressed: readonly Addressed[] = found.map((one) => ({ ...one, addressee: toAddressee(one, ids) }));
  const isOurs = ({ addressee, extensionId, policy }: Addressed) =>
    addressee === 'unknown' ? extensionId === null || isPolicy(policy) : addressee !== 'other';
  const ours = addressed.filter(isOurs);
  const alike = addressed.filter((one) => !isOurs(one) && isPolicy(one.policy));
  if (ours.length > 0) return { chosen: ours, beside: alike.map(({ extensionId }) => String(extensionId)) };
  if (alike.length > 0) return { chosen: alike, beside: [] };
  const named = found.slice(0, 5).map(({ extensionId }) => quote(String(extensionId)));
  const own = [...toOwnIds('chromium', ids), ...toOwnIds('firefox', ids)];
  throw new FileError([
    `${file}: found no policy for this extension, but for ${named.join(', ') || 'no extension at all'}${found.length > 5 ? ' and others' : ''}; ` +
      `expected its id, which is ${own.join(' or ')}. If a store gave it a different one, set that: --chrome-id, --edge-id or --firefox-id`,
  ]);
}

function toAddressee({ browser, extensionId }: FoundPolicy, ids: ExtensionIds): ExaminedPolicy['addressee'] {
  if (extensionId === null) return 'unknown';
  if (['CHROME_ID', 'EDGE_ID', 'FIREFOX_ID'].includes(extensionId)) return 'placeholder';
  if (toOwnIds(browser, ids).includes(extensionId)) return 'own';
  return (browser === 'firefox' ? ids.firefoxId : ids.chromeId) === null ? 'unknown' : 'other';
}

function examineOne(
  { policy, ...found }: Addressed,
  built: Config,
): { readonly policy: ExaminedPolicy; readonly providers: readonly Provider[] } {
  const isBuilt = (id: string) => built.providers.some((provider) => provider.id === id);
  const one = { ...found, newIds: findIds(policy).filter((id) => !isBuilt(id)) };
  if (policy instanceof FileError) throw policy;
  const lost = found.browser === 'chromium' && isObject(policy) ? findWrongTypes(policy) : [];
  const dropped = lost.filter(({ path }) => path.length === 1);
  const rest = isObject(policy)
    ? Object.fromEntries(
        Object.entries(policy).filter(([key]) => !dropped.some(({ path }) => path[0] === key)),
      )
    : policy;
  const reading = readPolicy(rest, built, allRules);
  const others =
    reading.outcome === 'refused' ? reading.problems : lost.filter(({ path }) => path.length > 1).map(toLine);
  const problems = [...dropped.map(toLine), ...others];
  if (reading.outcome === 'refused' || others.length > 0) {
    return { policy: { ...one, problems, settings: null }, providers: [] };
  }
  const { providers, ...global } = reading.policy;
  const settings = {
    ...global,
    providers: providers.map(({ id, name, issuer, allowed }) => ({ id, name, issuer, allowed })),
    notOffered: built.providers
      .filter(({ id }) => !providers.some((offered) => offered.id === id))
      .map(({ id, name }) => ({ id, name })),
  };
  return { policy: { ...one, problems, settings }, providers };
}

/** The ids of the providers that a policy names, also if it has mistakes. Its reader names those. */
function findIds(policy: unknown): readonly string[] {
  const text = memberOf(policy, policyTextKey);
  const providers = memberOf(typeof text === 'string' ? parseObject(text) : policy, 'providers');
  const ids = (Array.isArray(providers) ? providers : []).map((provider: unknown) =>
    memberOf(provider, 'id'),
  );
  return ids.filter((id) => typeof id === 'string');
}

interface ManagedSchema {
  readonly type: keyof typeof types;
  readonly properties?: Readonly<Record<string, ManagedSchema>>;
  readonly additionalProperties?: ManagedSchema;
  readonly items?: ManagedSchema;
}

/** The types of a schema, as messages name them. */
const types = {
  array: ['a list', Array.isArray],
  object: ['an object', isObject],
  integer: ['an integer', Number.isInteger],
  string: ['a text', (value: unknown) => typeof value === 'string'],
  boolean: ['a boolean', (value: unknown) => typeof value === 'boolean'],
} as const;

/** A value that Chrome and Edge silently leave out of a policy. */
interface WrongType {
  readonly path: Path;
  readonly text: string;
}

const toLine = ({ path, text }: WrongType) => `${formatPath(path)}: ${text}`;

/**
 * Finds the values whose type differs from that of the extension's schema, and the keys that it doesn't have. Chrome and Edge drop
 * a key with such a value, and a whole list with one in it. Further unknown keys in lists are left to the reader of the policy.
 * Throws a {@link FileError} if the schema can't be read.
 */
function findWrongTypes(policy: Members): readonly WrongType[] {
  const { properties = {} } = readJson('src/public/managed-schema.json', latchkey) as ManagedSchema;
  return Object.entries(policy).flatMap(([key, value]) =>
    Object.hasOwn(properties, key)
      ? findIn(value, properties[key], [key])
      : [{ path: [key], text: `${explainUnknown(key, Object.keys(properties))}${droppedAlone}` }],
  );
}

const droppedAlone = '; Chrome and Edge drop this key, and hand over the rest';

function findIn(value: unknown, schema: ManagedSchema | undefined, path: Path): readonly WrongType[] {
  if (schema === undefined) return [];
  const [kind, isKind] = types[schema.type];
  if (!isKind(value)) {
    const consequence =
      path.length === 1
        ? `expected ${kind}${droppedAlone}`
        : `Chrome and Edge hand over only ${kind} here, and leave out the whole list in which it stands; ` +
          'write the policy as one text in "json", next to "version"';
    return [{ path, text: `${describe(value)}; ${consequence}` }];
  }
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) return value.flatMap((item, index) => findIn(item, items, [...path, index]));
  return Object.entries(isObject(value) ? value : {}).flatMap(([key, member]) => {
    // Where keys are listed, the schema of all others is for mistakes.
    const known = properties === undefined || Object.hasOwn(properties, key);
    return known ? findIn(member, properties?.[key] ?? additionalProperties, [...path, key]) : [];
  });
}

/** A policy in a file. */
export interface FoundPolicy {
  /** The browsers that read it: `chromium` for Chrome, Edge and all others with that engine, `any` if the file names none. */
  readonly browser: 'chromium' | 'firefox' | 'any';
  /** The extension that it is for; null if the file doesn't say. */
  readonly extensionId: string | null;
  /** The policy that the browser would pass to the extension, if it has no mistake; or why its text can't be read. */
  readonly policy: unknown;
}

/** The policies of a file, in its order, and the name of the file's form. */
export interface PolicyFile {
  readonly form: string;
  readonly found: readonly FoundPolicy[];
}

type Members = Readonly<Record<string, unknown>>;

const readForms =
  'the policy itself, the JSON of Chromium ("3rdparty" with "extensions"), a policies.json of Firefox ("policies", "3rdparty", ' +
  '"Extensions"), that of the Google Admin console, or a .reg file';

const asJson =
  'On macOS `plutil -convert json -o policy.json <file>` makes JSON of it; of a form of Windows, write the policy into a file of its own';

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
  const forMac = memberOf(value['3rdparty'], 'Extensions');
  // In Chromium's file, that key is misspelled.
  if (isObject(forMac) && !Object.keys(forMac).every((id) => /^[a-p]{32}$/.test(id))) {
    return { form: 'the preferences of Firefox on macOS', found: toFound('firefox', forMac) };
  }
  for (const [form, browser, path] of browserFiles) {
    if (Object.hasOwn(value, path[0])) return { form, found: fromBrowser(browser, value, path, fileName) };
  }
  const { PayloadContent: payloads } = value;
  if (Array.isArray(payloads)) {
    return { form: 'a configuration profile of macOS', found: payloads.flatMap(fromPayload) };
  }
  // https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests
  if (value['type'] === 'storage' && typeof value['name'] === 'string') {
    const found = toFound('firefox', { [value['name']]: value['data'] });
    return { form: 'a managed storage manifest of Firefox', found };
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

function isPolicy(value: unknown): boolean {
  const keys = [...Object.keys(policyEntries()), policyTextKey];
  return isObject(value) && keys.some((key) => Object.hasOwn(value, key));
}

function fromRegistry(text: string, fileName: string): PolicyFile {
  const found = readRegistry(text, fileName);
  if (found.length > 0) return { form: 'a file of the Windows registry', found };
  throw refuse(
    fileName,
    'found no policy of an extension; expected a key that ends in \\3rdparty\\extensions\\<id>\\policy, or ' +
      '\\3rdparty\\Extensions\\<id> for Firefox, and in it "version"=dword:00000001 and "json"="…", each in one line',
  );
}

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

function fromPayload(payload: unknown): readonly FoundPolicy[] {
  const type = memberOf(payload, 'PayloadType');
  if (type === 'com.apple.ManagedClient.preferences')
    return fromPreferences(memberOf(payload, 'PayloadContent'));
  const named = /^com\.(?:google\.Chrome|microsoft\.Edge)\.extensions\.(.+)$/;
  const [, extensionId] = named.exec(String(type)) ?? [];
  if (extensionId === undefined || !isObject(payload)) {
    return toFound('firefox', memberOf(memberOf(payload, '3rdparty'), 'Extensions'));
  }
  const own = Object.entries(payload).filter(([key]) => !key.startsWith('Payload'));
  return [{ browser: 'chromium', extensionId, policy: Object.fromEntries(own) }];
}

/** The preferences of several programs in one payload, each with the settings that it must have. */
function fromPreferences(content: unknown): readonly FoundPolicy[] {
  return Object.entries(isObject(content) ? content : {}).flatMap(([program, kinds]) => {
    const forced = memberOf(kinds, 'Forced');
    return (Array.isArray(forced) ? forced : []).flatMap((one: unknown) => {
      const settings = memberOf(one, 'mcx_preference_settings');
      return fromPayload({ ...(isObject(settings) && settings), PayloadType: program });
    });
  });
}

/** The Google Admin console writes each value as `{ "Value": … }`. Returns null for another form. */
function unwrap(file: Members): Members | null {
  const members = Object.entries(file);
  const isWrapped = members.every(([, value]) => isObject(value) && Object.hasOwn(value, 'Value'));
  if (members.length === 0 || !isWrapped) return null;
  return Object.fromEntries(members.map(([key, value]) => [key, memberOf(value, 'Value')]));
}
