// Examines an administrator's policy before a browser has it, with the reader of the extension.

import { allRules } from '../../src/config/config.ts';
import { describe, formatPath, quote, type Path } from '../../src/config/config-error.ts';
import { memberOf } from '../../src/config/value-schema.ts';
import { isObject } from '../../src/session/shape.ts';
import { policyTextKey } from '../../src/config/policy-schema.ts';
import { readPolicy, type Policy } from '../../src/config/policy.ts';
import type { Config, Provider } from '../../src/config/provider.ts';
import { parseObject } from '../../src/oidc/redirect.ts';
import { FileError } from '../build/parse-json.ts';
import { readJson } from '../build/read-text.ts';
import { isPolicy, parsePolicyFile, type FoundPolicy, type PolicyFile } from './policy-forms.ts';
import type { ExtensionIds } from '../redirect-uris.ts';

/** A policy in the file, and what the extension would make of it. */
export interface ExaminedPolicy extends Omit<FoundPolicy, 'policy'> {
  /**
   * Whether it is for this extension. `unknown`: the file names no extension, or the extension's own id is not known.
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
 * report the providers that would be offered, of all policies in the file; each once. Throws a {@link FileError} if the text
 * has no known form, or no policy for this extension.
 */
export function examinePolicyText(text: string, file: string, built: Config, ids: ExtensionIds) {
  const parsed = parsePolicyFile(text, file);
  const { chosen, beside } = choose(parsed, ids, file);
  const examined = chosen.map((one) => examineOne(one, built));
  const policies = examined.map(({ policy }) => policy);
  const report: PolicyReport = { file, form: parsed.form, ids, policies, beside };
  const offered = examined.flatMap(({ providers }) => providers);
  const inForce = [...new Map(offered.map((provider) => [JSON.stringify(provider), provider])).values()];
  return { report, inForce };
}

/** Whether the extension would not get the policy, or not use it. */
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
      `expected its id, which is ${own.join(' or ')}. If a store gave it another, name that: --chrome-id, --edge-id or --firefox-id`,
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
  const reading = readPolicy(policy, built, allRules);
  const notHandedOver = () => (found.browser === 'chromium' ? findWrongTypes(policy) : []);
  const problems = reading.outcome === 'refused' ? reading.problems : notHandedOver();
  if (reading.outcome === 'refused' || problems.length > 0) {
    return { policy: { ...one, problems, settings: null }, providers: [] };
  }
  const { providers, ...others } = reading.policy;
  const settings = {
    ...others,
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

/** A schema as Chromium understands it. */
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

/**
 * One line for each value of `policy` whose type differs from the schema's, beginning with its path. Chrome and Edge don't
 * pass such a value on to an extension: they silently leave it out, and a whole list with one in it. Keys that the schema
 * doesn't have are left to the reader of the policy. Throws a `FileError` if the schema cannot be read.
 */
function findWrongTypes(policy: unknown): readonly string[] {
  return findIn(policy, readJson('src/public/managed-schema.json') as ManagedSchema, []);
}

function findIn(value: unknown, schema: ManagedSchema | undefined, path: Path): readonly string[] {
  if (schema === undefined) return [];
  const [kind, isKind] = types[schema.type];
  if (!isKind(value)) {
    const found = `${formatPath(path) || 'policy'}: ${describe(value)}`;
    return [
      `${found}; Chrome and Edge hand over only ${kind} here, and leave out the whole list in which it stands; ` +
        'write the policy as one text in "json", beside "version"',
    ];
  }
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) return value.flatMap((item, index) => findIn(item, items, [...path, index]));
  return Object.entries(isObject(value) ? value : {}).flatMap(([key, member]) => {
    // Where keys are listed, the schema of all others is for mistakes.
    const known = properties === undefined || Object.hasOwn(properties, key);
    return known ? findIn(member, properties?.[key] ?? additionalProperties, [...path, key]) : [];
  });
}
