// Reads a managed policy: the settings of an administrator, laid over the configuration of the build.

import * as v from 'valibot';
import { findAbsentSettings } from './built-parts.ts';
import {
  ConfigError,
  findInEach,
  mistakesOf,
  toLines,
  type Mistake,
  type Path,
  type Rule,
} from './config-error.ts';
import { readByRules, type FindMistakes } from './config.ts';
import { quote, toMistake } from './describe.ts';
import { once } from '../concurrency/once.ts';
import { coversIssuers, shareIssuer } from './issuer.ts';
import { configuredOrigins } from './origins.ts';
import { policyEntries, policyTextKey } from './policy-schema.ts';
import type { Config, Provider, WorkerConfig } from './provider.ts';
import { workerSchema } from './schema.ts';
import { isObject, memberOf, strictObject } from './value-schema.ts';

/** The configuration with a policy laid over it. */
export interface Policy extends Pick<Config, 'providers' | 'persistence' | 'autoSignIn'> {
  /** The organization, as the popup names it; null if the policy does not name it. */
  readonly managedBy: string | null;
}

export type PolicyReading =
  | { readonly outcome: 'read'; readonly policy: Policy }
  /** One line for each mistake, beginning with its path. */
  | { readonly outcome: 'refused'; readonly problems: readonly string[] };

const policySchema = once(() => strictObject('an object with "version" and "providers"', policyEntries()));

/**
 * Validates a policy by the rules of the configuration `built`, and lays it over `built`. A provider with the `id` of one in
 * the build replaces each setting that it names. Any other is a whole provider. The one of the build with the same `id`, or
 * else the same issuer, sets limits: `allowed` of both must hold, the `userApi` that answers for it stays, and the hosts are
 * those that the build names for it. The hosts of `policyOrigins` are allowed to each provider, and to its APIs all of the
 * build. Without `locked`, the other providers of the build follow. Never throws. No problem repeats a client secret.
 *
 * `partRules` are the rules of the parts that the build has. A provider that needs another part is refused.
 */
export function readPolicy(
  json: unknown,
  built: WorkerConfig,
  partRules: readonly FindMistakes[],
): PolicyReading {
  const value = toKeys(json);
  if (value === null) return refuse([{ path: [policyTextKey], text: notJson }]);
  const parsed = v.safeParse(policySchema(), value, { abortPipeEarly: true });
  if (!parsed.success) return refuse(parsed.issues.map(toMistake));
  const { providers: given, locked, persistence = built.persistence, managedBy, autoSignIn } = parsed.output;
  if (locked && given.length === 0) return refuse([{ path: ['providers'], text: nothingLeft }]);
  const isGiven = (id: unknown) => given.some((one) => one['id'] === id);
  const others = locked ? [] : built.providers.filter(({ id }) => !isGiven(id));
  const disjoint = findInEach(given, (provider) => findDisjoint(provider, built));
  try {
    const laid = given.map((one) => layOver(one, findBuilt(one, built)));
    const { providers } = readByRules(
      { providers: [...laid, ...others], persistence, autoSignIn },
      workerSchema(),
      partRules,
    );
    const strays = [
      ...findInEach(providers.slice(0, given.length), (provider) => findStrays(provider, built)),
      ...disjoint,
    ];
    if (strays.length > 0) return refuse(strays);
    const policy = { providers, persistence, managedBy, autoSignIn: autoSignIn ?? built.autoSignIn };
    return { outcome: 'read', policy };
  } catch (error) {
    if (error instanceof ConfigError) return refuse([...error.mistakes, ...disjoint]);
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

const notJson = `expected the policy as JSON, such as {"version":1,"providers":[{"id":"acme"}]}, and beside "${policyTextKey}" the key "version" alone, with 1`;
const nothingLeft = 'found an empty list; expected a provider, because "locked" removes the others';

/**
 * The policy's keys, even if they are written as one text; null if that isn't JSON, or comes without the version. A browser
 * leaves out a text of a wrong type, and then only the version shows that there is a policy.
 */
function toKeys(json: unknown): unknown {
  if (!isObject(json) || !Object.hasOwn(json, policyTextKey)) return json ?? undefined;
  const { [policyTextKey]: text, version, ...others } = json;
  if (typeof text !== 'string' || version !== 1 || Object.keys(others).length > 0) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The text is not repeated: it may hold anything.
    return null;
  }
}

/** The provider of the build that sets limits to one of a policy: the one with its `id`, or else with an issuer of it. */
function findBuilt(
  { id, issuer, issuerTemplate, clientId }: Members,
  { providers }: WorkerConfig,
): Provider | undefined {
  const given = {
    issuer: typeof issuer === 'string' ? issuer : '',
    issuerTemplate: typeof issuerTemplate === 'string' ? issuerTemplate : null,
  };
  const same = providers.filter((one) => shareIssuer(one, given));
  return providers.find((one) => one.id === id) ?? same.find((one) => one.clientId === clientId) ?? same[0];
}

/** The settings of the build with those of the policy in their place. Who may sign in is decided by both. */
function layOver(given: Members, built: Provider | undefined): Members {
  if (built === undefined) return given;
  const laid = built.id === given['id'] ? { ...built, ...given } : given;
  const { allowed = {} } = given;
  if (!isObject(allowed)) return laid;
  const narrowed = Object.entries(built.allowed).map(([claim, values]) => {
    const listed = Object.hasOwn(allowed, claim) ? allowed[claim] : values;
    return [claim, Array.isArray(listed) ? intersect(values, listed) : listed];
  });
  return { ...laid, allowed: { ...allowed, ...Object.fromEntries(narrowed) } };
}

/** The values of the policy that the build allows. With none in common all are left, for {@link findDisjoint} to name. */
function intersect(values: readonly unknown[], listed: readonly unknown[]): readonly unknown[] {
  const common = listed.filter((value) => values.includes(value));
  return common.length === 0 ? listed : common;
}

/** Claims for which build and policy have no allowed value in common, so that no one could sign in. */
function findDisjoint(given: Members, built: WorkerConfig): Mistake[] {
  return mistakesOf(
    Object.entries(findBuilt(given, built)?.allowed ?? {}).map(([claim, values]): Rule => {
      const listed = memberOf(given['allowed'], claim) ?? values;
      return [
        Array.isArray(listed) && !listed.some((value) => values.includes(value as string)),
        ['allowed', claim],
        'expected at least one of the values that the build allows, because both must hold',
      ];
    }),
  );
}

/**
 * The settings of a policy's provider that go beyond the build: hosts that the build doesn't name for this provider, or, for an
 * API, doesn't name at all; settings that the build has no code for; and ways around an `allowed`.
 */
function findStrays(provider: Provider, built: WorkerConfig): Mistake[] {
  const limits = findBuilt(provider, built);
  const own = [...(limits ? toAddresses(limits).map(toHost) : []), ...built.policyOrigins];
  const apis: Address[] = [
    ...provider.apiOrigins.map((url, at): Address => [['apiOrigins', at], url]),
    ...provider.apis.flatMap(({ origins }, api) =>
      origins.map((url, at): Address => [['apis', api, 'origins', at], url]),
    ),
  ];
  const expectHost = (hosts: readonly string[], addresses: readonly Address[]) =>
    addresses.map((address): Rule => [
      !hosts.includes(toHost(address)),
      address[0],
      `found the host ${quote(toHost(address))}; expected one that the extension was built for in this place; add it to "policyOrigins" of the configuration and build again`,
    ]);
  return mistakesOf([
    ...expectHost(own, toAddresses(provider)),
    ...expectHost(configuredOrigins(built), apis),
    ...findAbsentSettings(provider, built).map((setting): Rule => [
      true,
      [setting],
      'expected a setting that the extension was built for; use it for a provider of the configuration, or name hosts in "policyOrigins", and build again',
    ]),
    findBypass(provider, limits, built),
  ]);
}

/**
 * The setting by which a policy's provider would let in people that the build excludes. Each provider of the build with `allowed`
 * keeps its people to itself, except where its `limits` stand for it: they let in the same people, and the client isn't its own.
 */
function findBypass(provider: Provider, limits: Provider | undefined, { providers }: WorkerConfig): Rule {
  const isSameApi = JSON.stringify(limits?.userApi ?? null) === JSON.stringify(provider.userApi);
  const isCovered = isSameApi && limits !== undefined && coversIssuers(limits, provider);
  const isOwnClient = limits?.clientId === provider.clientId;
  const isBypass = (one: Provider) => {
    if (one === limits) return !isSameApi;
    const isReplaced = isCovered && (isOwnClient || one.clientId !== provider.clientId);
    return !isReplaced && mayShare(one, provider);
  };
  const setting = provider.issuerTemplate === null ? 'id' : 'issuerTemplate';
  return [
    providers.some((one) => Object.keys(one.allowed).length > 0 && isBypass(one)),
    [isSameApi ? setting : 'userApi'],
    'expected the value of the build, because of its "allowed"',
  ];
}

/** Whether the same people may sign in at both. An issuer proves nothing about a user API, so there the hosts count. */
function mayShare(one: Provider, other: Provider): boolean {
  if (one.userApi === null && other.userApi === null) return shareIssuer(one, other);
  const hosts = toAddresses(one).map(toHost);
  return toAddresses(other).some((address) => hosts.includes(toHost(address)));
}

type Address = readonly [Path, string];

/** Where a provider is, apart from its APIs. */
function toAddresses({
  issuer,
  issuerTemplate,
  discoveryUrl,
  origins,
  metadata,
  userApi,
}: Provider): Address[] {
  const named: (readonly [Path, unknown])[] = [
    [['issuer'], issuer],
    [['issuerTemplate'], issuerTemplate],
    [['discoveryUrl'], discoveryUrl],
    [['userApi', 'url'], userApi?.url],
    ...origins.map((url, at) => [['origins', at], url] as const),
    ...Object.entries(metadata ?? {}).map(([name, url]) => [['metadata', name], url] as const),
  ];
  return named.filter((address): address is Address => typeof address[1] === 'string');
}

function toHost([, url]: Address): string {
  return new URL(url).origin;
}

function refuse(mistakes: readonly Mistake[]): PolicyReading {
  return { outcome: 'refused', problems: toLines(mistakes, 'policy') };
}
