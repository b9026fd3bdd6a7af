// Reads a managed policy: the settings of an administrator, laid over the configuration of the build.

import * as v from 'valibot';
import { findAbsentSettings } from './built-parts.ts';
import { ConfigError, formatPath, type Mistake } from './config-error.ts';
import { readByRules, type PartRule } from './config.ts';
import { quote, toMistake } from './describe.ts';
import { unknownKeys } from './keys.ts';
import { once } from '../concurrency/once.ts';
import { configuredOrigins, toProviderOrigins } from './origins.ts';
import { policyEntries, policyTextKey } from './policy-schema.ts';
import type { Config, Provider } from './provider.ts';
import { isObject, object } from './object-schema.ts';

/** The configuration with a policy laid over it. */
export interface Policy extends Pick<Config, 'providers' | 'persistence'> {
  /** The organization, as the popup names it; null if the policy does not name it. */
  readonly managedBy: string | null;
  /** When to sign people in without a click, who are signed in at the first provider: see {@link AutoSignIn}. */
  readonly autoSignIn: AutoSignIn;
}

/** `popup`: when the popup opens; `startup`: also when the browser starts. Never in a window. */
type AutoSignIn = 'off' | 'popup' | 'startup';

export type PolicyReading =
  | { readonly outcome: 'read'; readonly policy: Policy }
  /** One line for each mistake, beginning with its path. */
  | { readonly outcome: 'refused'; readonly problems: readonly string[] };

const policySchema = once(() => object('an object with "version" and "providers"', policyEntries()));

/**
 * Validates a policy by the rules of the configuration `built`, and lays it over that. A provider with the `id` of one in
 * the build replaces each setting that it names; `allowed` of both must hold. Any other is a whole provider. The hosts are
 * those of the build and its `policyOrigins`: there is no permission for others. Without `locked`, the other providers of
 * the build follow. Never throws. No problem repeats a client secret.
 *
 * `partRules` are the rules of the parts that the build has. A provider that needs another part is refused.
 */
export function readPolicy(json: unknown, built: Config, partRules: readonly PartRule[]): PolicyReading {
  const value = toKeys(json);
  if (value === null) return refuse([{ path: [policyTextKey], text: notJson }]);
  const parsed = v.safeParse(policySchema(), value, { abortPipeEarly: true });
  const mistakes = [...unknownKeys(value, [], policyEntries()), ...(parsed.issues ?? []).map(toMistake)];
  if (!parsed.success || mistakes.length > 0) return refuse(mistakes);
  const { providers: given, locked, persistence = built.persistence, managedBy, autoSignIn } = parsed.output;
  if (locked && given.length === 0) return refuse([{ path: ['providers'], text: nothingLeft }]);
  const isGiven = (id: unknown) => given.some((one) => one['id'] === id);
  const others = locked ? [] : built.providers.filter(({ id }) => !isGiven(id));
  try {
    const laid = given.map((one) => layOver(one, findBuilt(one, built)));
    const { providers } = readByRules({ providers: [...laid, ...others], persistence }, partRules);
    const own = providers.slice(0, given.length);
    const strays = [
      ...findStrayHosts(own, configuredOrigins(built)),
      ...findAbsent(own, built),
      ...findDisjoint(given, built),
    ];
    return strays.length > 0
      ? refuse(strays)
      : { outcome: 'read', policy: { providers, persistence, managedBy, autoSignIn } };
  } catch (error) {
    if (error instanceof ConfigError) return refuse([...error.mistakes, ...findDisjoint(given, built)]);
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

const notJson = `expected the policy as JSON, such as {"version":1,"providers":[{"id":"acme"}]}, and no other key beside "${policyTextKey}"`;
const nothingLeft = 'found an empty list; expected a provider, because "locked" removes the others';

/** The policy's keys, also if they are written as one text; null if that is not JSON. */
function toKeys(json: unknown): unknown {
  if (!isObject(json) || !Object.hasOwn(json, policyTextKey)) return json ?? undefined;
  const { [policyTextKey]: text, ...others } = json;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The text is not repeated: it may hold anything.
    return null;
  }
}

function findBuilt(given: Members, { providers }: Config): Provider | undefined {
  return providers.find(({ id }) => id === given['id']);
}

/** The settings of the build with those of the policy in their place. Who may sign in is decided by both. */
function layOver(given: Members, built: Provider | undefined): Members {
  const { allowed } = given;
  if (built === undefined || !isObject(allowed)) return { ...built, ...given };
  const narrowed = Object.entries(built.allowed).map(([claim, values]) => {
    const listed = Object.hasOwn(allowed, claim) ? allowed[claim] : values;
    return [claim, Array.isArray(listed) ? intersect(values, listed) : listed];
  });
  return { ...built, ...given, allowed: { ...allowed, ...Object.fromEntries(narrowed) } };
}

/** The values of the policy that the build allows. With none in common all are left, for {@link findDisjoint} to name. */
function intersect(values: readonly unknown[], listed: readonly unknown[]): readonly unknown[] {
  const common = listed.filter((value) => values.includes(value));
  return common.length === 0 ? listed : common;
}

/** Claims of which build and policy allow no value in common, so that nobody could sign in. */
function findDisjoint(given: readonly Members[], built: Config): Mistake[] {
  return given.flatMap((provider, index) => {
    const { allowed } = provider;
    return Object.entries(findBuilt(provider, built)?.allowed ?? {}).flatMap(([claim, values]) => {
      const listed = isObject(allowed) && Object.hasOwn(allowed, claim) ? allowed[claim] : values;
      if (!Array.isArray(listed) || listed.some((value) => values.includes(value as string))) return [];
      const text = 'expected at least one of the values that the build allows, because both must hold';
      return [{ path: ['providers', index, 'allowed', claim], text }];
    });
  });
}

/** Hosts for which the extension has no permission. */
function findStrayHosts(providers: readonly Provider[], reachable: readonly string[]): Mistake[] {
  return providers.flatMap((provider, index) =>
    toProviderOrigins(provider)
      .filter((origin) => !reachable.includes(origin))
      .map((origin) => ({
        path: ['providers', index],
        text: `found the host ${quote(origin)}; expected one that the extension was built for; add it to "policyOrigins" of the configuration and build again`,
      })),
  );
}

/** Settings for which the build has no code. */
function findAbsent(providers: readonly Provider[], built: Config): Mistake[] {
  return providers.flatMap((provider, index) =>
    findAbsentSettings(provider, built).map((setting) => ({
      path: ['providers', index, setting],
      text: 'expected a setting that the extension was built for; use it for a provider of the configuration, or name hosts in "policyOrigins", and build again',
    })),
  );
}

function refuse(mistakes: readonly Mistake[]): PolicyReading {
  const problems = mistakes.map(({ path, text }) => `${formatPath(path) || 'policy'}: ${text}`);
  return { outcome: 'refused', problems };
}
