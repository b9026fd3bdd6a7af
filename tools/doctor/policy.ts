// Examines an administrator's policy before a browser has it, with the reader of the extension.

import { join, resolve } from 'node:path';
import { toBuiltParts } from '../../src/config/built-parts.ts';
import { deviceFlowRule, idTokenRule, userApiRule, type PartRule } from '../../src/config/config.ts';
import { formatPath, type Path } from '../../src/config/config-error.ts';
import { describe, quote } from '../../src/config/describe.ts';
import { isObject } from '../../src/config/value-schema.ts';
import { policyTextKey } from '../../src/config/policy-schema.ts';
import { readPolicy, type Policy } from '../../src/config/policy.ts';
import type { Config, Provider } from '../../src/config/provider.ts';
import { parseObject } from '../../src/oidc/json-object.ts';
import { FileError } from '../build/parse-json.ts';
import { readJson, readText } from '../build/read-text.ts';
import { isPolicy, parsePolicyFile, type FoundPolicy, type PolicyFile } from './policy-forms.ts';
import type { ExtensionIds } from './targets.ts';

const root = resolve(import.meta.dirname, '../..');

/** The ids by which the browsers know the extension; null if unknown. */
export interface KnownIds extends ExtensionIds {
  readonly edgeId: string | null;
}

/**
 * Whether a policy is for this extension. `unknown`: the file names no extension, or the extension's own id is not known.
 * `placeholder`: the id of a sample is still there.
 */
type Addressee = 'own' | 'unknown' | 'placeholder' | 'other';

/** A policy in the file, and what the extension would make of it. */
export interface ExaminedPolicy extends Pick<FoundPolicy, 'browser' | 'extensionId'> {
  readonly addressee: Addressee;
  /** One line for each mistake, beginning with its path. With one, the extension uses nothing of the policy. */
  readonly problems: readonly string[];
  /** Ids of the policy's providers that the build does not have. Such a provider has to be complete. */
  readonly newIds: readonly string[];
  /** The settings that would hold; null with a mistake. */
  readonly settings: PolicySettings | null;
}

/** The settings that a policy brings about. */
export interface PolicySettings extends Omit<Policy, 'providers'> {
  /** In the order of their buttons, each with the rules for who may sign in. */
  readonly providers: readonly Pick<Provider, 'id' | 'name' | 'issuer' | 'allowed'>[];
  /** The providers of the build that are not offered. */
  readonly notOffered: readonly Pick<Provider, 'id' | 'name'>[];
}

export interface PolicyReport {
  /** The policy's file. */
  readonly file: string;
  /** The form of the file, in words. */
  readonly form: string;
  /** The ids of the extension. */
  readonly ids: KnownIds;
  readonly policies: readonly ExaminedPolicy[];
  /** Ids of other extensions with something like a policy of ours, beside one that is for this extension. */
  readonly beside: readonly string[];
}

export interface PolicyExamination {
  readonly report: PolicyReport;
  /** The providers that would be offered, of all policies in the file; each once. */
  readonly inForce: readonly Provider[];
}

/**
 * Reads the file at `path` and examines each policy for the extension in it, laid over the configuration of the build.
 * Throws a {@link FileError} if the file cannot be read, has no known form, or no policy for this extension.
 */
export function examinePolicy(path: string, built: Config, ids: KnownIds): PolicyExamination {
  return examinePolicyText(readText(resolve(root, path), path), path, built, ids);
}

/** Does the same with the text of a file. */
export function examinePolicyText(
  text: string,
  file: string,
  built: Config,
  ids: KnownIds,
): PolicyExamination {
  const parsed = parsePolicyFile(text, file);
  const { chosen, beside } = choose(parsed, ids, file);
  const examined = chosen.map((found) => examineOne(found, built, ids));
  const offered = examined.flatMap(({ providers }) => providers);
  return {
    report: { file, form: parsed.form, ids, policies: examined.map(({ policy }) => policy), beside },
    inForce: [...new Map(offered.map((provider) => [JSON.stringify(provider), provider])).values()],
  };
}

/** Whether the extension would not get the policy, or not use it. */
export function isBroken({ addressee, problems }: ExaminedPolicy): boolean {
  return problems.length > 0 || addressee === 'placeholder' || addressee === 'other';
}

/** The policies for this extension, or else those that may be meant for it. A browser's file has others too. */
function choose({ found }: PolicyFile, ids: KnownIds, file: string) {
  const addressees = new Map(found.map((one) => [one, toAddressee(one, ids)]));
  const isOurs = (one: FoundPolicy) =>
    addressees.get(one) === 'own' ||
    addressees.get(one) === 'placeholder' ||
    one.extensionId === null ||
    (addressees.get(one) === 'unknown' && isPolicy(one.policy));
  const ours = found.filter(isOurs);
  const alike = found.filter((one) => !isOurs(one) && isPolicy(one.policy));
  if (ours.length > 0) return { chosen: ours, beside: alike.map(({ extensionId }) => String(extensionId)) };
  if (alike.length > 0) return { chosen: alike, beside: [] };
  const named = found.slice(0, 5).map(({ extensionId }) => quote(String(extensionId)));
  const own = [ids.chromeId, ids.edgeId, ids.firefoxId].filter((id) => id !== null);
  throw new FileError([
    `${file}: found no policy for this extension, but for ${named.join(', ') || 'no extension at all'}${found.length > 5 ? ' and others' : ''}; ` +
      `expected its id, which is ${own.join(' or ')}. If a store gave it another, name that: --chrome-id, --edge-id or --firefox-id`,
  ]);
}

const placeholders: readonly (string | null)[] = ['CHROME_ID', 'EDGE_ID', 'FIREFOX_ID'];

function toAddressee({ browser, extensionId }: FoundPolicy, ids: KnownIds): Addressee {
  if (extensionId === null) return 'unknown';
  if (placeholders.includes(extensionId)) return 'placeholder';
  const own = browser === 'firefox' ? [ids.firefoxId] : [ids.chromeId, ids.edgeId];
  if (own.includes(extensionId)) return 'own';
  return own[0] === null ? 'unknown' : 'other';
}

function examineOne(
  found: FoundPolicy,
  built: Config,
  ids: KnownIds,
): { readonly policy: ExaminedPolicy; readonly providers: readonly Provider[] } {
  const { browser, extensionId } = found;
  const newIds = findIds(found.policy).filter(
    (id) => !built.providers.some((provider) => provider.id === id),
  );
  const one = { browser, extensionId, addressee: toAddressee(found, ids), newIds };
  const reading = readPolicy(found.policy, built, toPartRules(built));
  const problems =
    reading.outcome === 'refused'
      ? reading.problems
      : browser === 'chromium'
        ? findWrongTypes(found.policy)
        : [];
  if (reading.outcome === 'refused' || problems.length > 0) {
    return { policy: { ...one, problems, settings: null }, providers: [] };
  }
  const { providers, ...settings } = reading.policy;
  const isOffered = ({ id }: Provider) => providers.some((offered) => offered.id === id);
  const shown = providers.map(({ id, name, issuer, allowed }) => ({ id, name, issuer, allowed }));
  const notOffered = built.providers
    .filter((provider) => !isOffered(provider))
    .map(({ id, name }) => ({ id, name }));
  return {
    policy: { ...one, problems: [], settings: { ...settings, providers: shown, notOffered } },
    providers,
  };
}

/** The ids of the providers that a policy names, also if it has mistakes. Its reader names those. */
function findIds(policy: unknown): readonly string[] {
  const members = isObject(policy) ? policy : {};
  const text = members[policyTextKey];
  const { providers } = typeof text === 'string' ? (parseObject(text) ?? {}) : members;
  const list: readonly unknown[] = Array.isArray(providers) ? providers : [];
  return list.flatMap((provider) =>
    isObject(provider) && typeof provider['id'] === 'string' ? [provider['id']] : [],
  );
}

/** The rules of the parts that the build has, as its worker has them. */
function toPartRules(built: Config): readonly PartRule[] {
  const { usesUserApi, usesIdTokenResponse, usesDeviceFlow } = toBuiltParts(built);
  return [
    ...(usesUserApi ? [userApiRule] : []),
    ...(usesIdTokenResponse ? [idTokenRule] : []),
    ...(usesDeviceFlow ? [deviceFlowRule] : []),
  ];
}

// Chrome and Edge do not hand over to an extension what has another type than its schema of policies. They leave out a whole
// list with such a value in it, and say nothing to the extension.

const schemaFile = 'src/public/managed-schema.json';

/** A schema as Chromium understands it. */
interface ManagedSchema {
  readonly type: string;
  readonly properties?: Readonly<Record<string, ManagedSchema>>;
  readonly additionalProperties?: ManagedSchema;
  readonly items?: ManagedSchema;
}

/**
 * One line for each value of `policy` that has another type than the schema, beginning with its path. A key that the schema
 * does not have is left to the reader of the policy. Throws a `FileError` if the schema cannot be read.
 */
function findWrongTypes(policy: unknown): readonly string[] {
  const schema = readJson(join(root, schemaFile), schemaFile) as ManagedSchema;
  return findIn(policy, schema, []).map(
    ([path, value, type]) =>
      `${formatPath(path) || 'policy'}: ${describe(value)}; Chrome and Edge hand over only ${article(type)} here, and leave out ` +
      'the whole list in which it stands; write the policy as one text in "json", beside "version"',
  );
}

type WrongType = readonly [path: Path, value: unknown, type: string];

function findIn(value: unknown, schema: ManagedSchema, path: Path): readonly WrongType[] {
  if (!hasType(value, schema.type)) return [[path, value, schema.type]];
  const { items } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((item, index) => findIn(item, items, [...path, index]));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const known = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
    // Where keys are listed, the schema of all others is for mistakes.
    const own = known ?? (schema.properties === undefined ? schema.additionalProperties : undefined);
    return own === undefined ? [] : findIn(member, own, [...path, key]);
  });
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function article(type: string): string {
  if (type === 'string') return 'a text';
  return type === 'array' ? 'a list' : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
