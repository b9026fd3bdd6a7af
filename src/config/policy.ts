// Reads a managed policy: the settings of an administrator, laid over the configuration of the build.

import { findCommonValues } from './allowed.ts';
import { findAbsentSettings } from './built-parts.ts';
import {
  findInEach,
  quote,
  toLines,
  withoutMisspelled,
  type FindMistakes,
  type Mistake,
  type Rule,
} from './config-error.ts';
import { readByRules } from './config.ts';
import { once } from '../concurrency.ts';
import { coversIssuers, shareIssuer } from './issuer.ts';
import { configuredOrigins, toAddresses, type Address } from './manifest.ts';
import { policyEntries, policyTextKey } from './policy-schema.ts';
import type { Config, Provider, WorkerConfig } from './provider.ts';
import { memberOf, strictObject } from './value-schema.ts';
import { findNearest } from './nearest.ts';
import { isObject } from '../session/shape.ts';

/** The configuration with a policy laid over it. */
export interface Policy extends Pick<
  Config,
  'providers' | 'persistence' | 'autoSignIn' | 'rememberAccounts'
> {
  /** The organization, as the popup names it; null if the policy doesn't name it. */
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
 * else the same issuer, sets limits: for a claim in `allowed` of both, only the values in both count, the `userApi` that provides
 * it stays, and the hosts are those that the build names for it. The hosts of `policyOrigins` are allowed to each
 * provider, and to its APIs all of the build. Without `locked`, the other providers of the build follow. Never throws. No
 * problem repeats a client secret.
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
  const { laid, given, others } = layOver(value, built);
  const { parsed, mistakes } = readByRules(laid, policySchema(), partRules);
  if (parsed === null) return refuse(nameUnknown(withoutMisspelled(mistakes), value, built));
  const own = parsed.providers.slice(0, given);
  const strays = findInEach(own, (provider) => findStrays(provider, built));
  if (strays.length > 0) return refuse(strays);
  const { persistence, autoSignIn, rememberAccounts } = { ...built, ...parsed };
  const { managedBy } = parsed;
  const narrowed = own.map((provider) => {
    const limits = findLimits(provider, built);
    const allowed = { ...provider.allowed, ...Object.fromEntries(findCommonValues(provider, limits)) };
    const { profileClaims, allowed: allowedByBuild = {} } = limits ?? {};
    const isNarrowed = JSON.stringify(allowed) !== JSON.stringify(allowedByBuild);
    const policy = { by: managedBy, allowedByBuild };
    return {
      ...provider,
      allowed,
      ...(isNarrowed && { policy }),
      ...(profileClaims && { profileClaims }),
    };
  });
  return {
    outcome: 'read',
    policy: { providers: [...narrowed, ...others], persistence, managedBy, autoSignIn, rememberAccounts },
  };
}

const notJson = `expected the policy as JSON, such as {"version":1,"providers":[]}, and next to "${policyTextKey}" the key "version" alone, with 1`;

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
    // The text isn't repeated: it may hold anything.
    return null;
  }
}

/**
 * The mistakes, but for a provider that has nothing of a whole one: then its `id` is one that the build doesn't have, and rather
 * misspelled.
 */
function nameUnknown(
  mistakes: readonly Mistake[],
  value: unknown,
  { providers }: WorkerConfig,
): readonly Mistake[] {
  // Members that every provider needs. One with an `id` of the build has them from there.
  const whole: readonly unknown[] = ['name', 'issuer', 'clientId'];
  const ids = [memberOf(value, 'providers')].flat().map((one) => {
    const isBare = isObject(one) && !Object.keys(one).some((key) => whole.includes(key));
    return isBare ? memberOf(one, 'id') : null;
  });
  return mistakes.flatMap((mistake): readonly Mistake[] => {
    const [key, at, member] = mistake.path;
    const id = ids[Number(at)];
    if (typeof id !== 'string' || !whole.includes(member)) return [mistake];
    const nearest = findNearest(
      id,
      providers.map((provider) => provider.id),
    );
    const meant = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
    const text = `the build has no ${quote(id)}${meant}`;
    return member === whole[0] ? [{ path: [key ?? '', at ?? '', 'id'], text }] : [];
  });
}

/**
 * Lays each provider that a policy gives over the one of the build with its `id`, and adds the `others` of the build. Nothing
 * of the policy has been checked yet.
 */
function layOver(value: unknown, { providers }: WorkerConfig) {
  const list = memberOf(value, 'providers');
  if (!isObject(value) || !Array.isArray(list)) return { laid: value, given: 0, others: [] };
  const given: readonly unknown[] = list;
  // The popup has the icons, by the id of their provider.
  const built = providers.map(({ icon: _icon, ...provider }) => provider);
  const withoutClaims = (provider: Provider | undefined) => {
    const { profileClaims: _claims, ...settings } = provider ?? {};
    return settings;
  };
  const hasId = ({ id }: Provider, one: unknown) => memberOf(one, 'id') === id;
  const isLocked = memberOf(value, 'locked') === true;
  const others = isLocked ? [] : built.filter((one) => !given.some((other) => hasId(one, other)));
  const laidOver = given.map((one) =>
    isObject(one) ? { ...withoutClaims(built.find((other) => hasId(other, one))), ...one } : one,
  );
  const laid = { ...value, providers: [...laidOver, ...others.map(withoutClaims)] };
  return { laid, given: given.length, others };
}

/** The provider of the build that sets limits to one of a policy: the one with its `id`, or else with an issuer of it. */
function findLimits(provider: Provider, { providers }: WorkerConfig): Provider | undefined {
  const same = providers.filter((one) => shareIssuer(one, provider));
  return (
    providers.find(({ id }) => id === provider.id) ??
    same.find(({ clientId }) => clientId === provider.clientId) ??
    same[0]
  );
}

/**
 * The settings of a policy's provider that go beyond the build: hosts that the build doesn't name for this provider, or, for an
 * API, doesn't name at all; settings that the build has no code for; and ways around an `allowed`.
 */
function findStrays(provider: Provider, built: WorkerConfig): Rule[] {
  const limits = findLimits(provider, built);
  const known = limits ? toAddresses(limits).map(toHost) : [];
  const own = [...known, ...built.policyOrigins];
  const isGuarded = built.providers.some((one) => isRestricted(one) && shareIssuer(one, provider));
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
      `found the host ${quote(toHost(address))}; expected one that this build lists for this provider, or in "policyOrigins"`,
    ]);
  return [
    ...expectHost(own, toAddresses(provider)),
    ...expectHost(configuredOrigins(built), apis),
    // The hosts that speak for an issuer decide who gets in. Hosts in "origins" take no part unless the issuer's own document names
    // them.
    ...toAddresses(provider).map((address): Rule => [
      isGuarded &&
        address[0][0] !== 'origins' &&
        built.policyOrigins.includes(toHost(address)) &&
        !known.includes(toHost(address)),
      address[0],
      `found the host ${quote(toHost(address))}; expected one that the build names for this provider, because of its "allowed"`,
    ]),
    ...findAbsentSettings(provider, built).map((setting): Rule => [
      true,
      [setting],
      'expected a setting that this build includes; build it with this setting, or with "policyOrigins"',
    ]),
    findBypass(provider, limits, built),
    ...findCommonValues(provider, limits).map(([claim, common]): Rule => [
      common.length === 0,
      ['allowed', claim],
      'expected at least one of the values that the build allows, because both must hold',
    ]),
  ];
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
    providers.some((one) => isRestricted(one) && isBypass(one)),
    [isSameApi ? setting : 'userApi'],
    'expected the value of the build, because of its "allowed"',
  ];
}

/** Whether not everyone may sign in there. */
function isRestricted({ allowed }: Provider): boolean {
  return Object.keys(allowed).length > 0;
}

/** Whether the same people may sign in at both. An issuer proves nothing about a user API, so there the hosts count. */
function mayShare(one: Provider, other: Provider): boolean {
  if (one.userApi === null && other.userApi === null) return shareIssuer(one, other);
  const hosts = toAddresses(one).map(toHost);
  return toAddresses(other).some((address) => hosts.includes(toHost(address)));
}

function toHost([, url]: Address): string {
  return new URL(url).origin;
}

function refuse(mistakes: readonly Mistake[]): PolicyReading {
  return { outcome: 'refused', problems: toLines(mistakes, 'policy') };
}
