// Validates a configuration. The only reader there is, so that every source of a configuration follows the
// same rules.

import * as v from 'valibot';
import { findPartialEmails } from './allowed.ts';
import {
  findApiMistakes,
  findCodeMistakes,
  findIdTokenMistakes,
  findScopeMistakes,
  findUserApiMistakes,
} from './rules.ts';
import {
  describe,
  findInEach,
  formatPath,
  mistakesOf,
  quote,
  toMistake,
  withoutMisspelled,
  type FindMistakes,
  type Mistake,
  type Path,
  type Rule,
} from './config-error.ts';
import { toAddresses, toProviderOrigins } from './manifest.ts';
import { applyProfiles, type Profiles } from './profiles.ts';
import type { Config, Provider } from './provider.ts';
import { configSchema } from './schema.ts';
import { checkEndpoint, checkIssuer } from './url.ts';

export type { Config, Provider } from './provider.ts';

export type ConfigReading =
  | { readonly outcome: 'read'; readonly config: Config }
  | { readonly outcome: 'refused'; readonly mistakes: readonly Mistake[] };

/**
 * Validates parsed JSON, and fills in the settings of the profiles and the defaults. A setting is the provider's own, or
 * else its profile's, or else the default. Nothing else of a profile is in the result. `findMore` finds more mistakes in the JSON
 * with the settings of the profiles.
 *
 * Finds every mistake at once. None repeats a client secret, or the password or query of a URL.
 */
export function readConfig(
  json: unknown,
  profiles: Profiles,
  findMore: (applied: unknown) => readonly Mistake[] = () => [],
): ConfigReading {
  const applied = applyProfiles(json, profiles);
  const first = [...applied.mistakes, ...findMore(applied.json)];
  const { parsed, mistakes: found } = readByRules(applied.json, configSchema(), allRules);
  if (parsed === null || first.length > 0)
    return {
      outcome: 'refused',
      mistakes: withoutMisspelled([...first, ...withoutPlaces(found, first).map(applied.explain)]),
    };
  const { $schema: _, ...config } = parsed;
  const providers = config.providers.map(({ profile: _applied, ...provider }) => provider);
  return { outcome: 'read', config: { ...config, providers } };
}

const commonRules: readonly FindMistakes[] = [
  findUnreachableEndpoints,
  findPartialEmails,
  findScopeMistakes,
  findCodeMistakes,
  findEndMistakes,
];

/** The rules for settings that need a part of the extension: see built-parts.ts. */
export const allRules: readonly FindMistakes[] = [
  findUserApiMistakes,
  findIdTokenMistakes,
  findDeviceMistakes,
  findApiMistakes,
];

/**
 * Parses JSON with providers in it, and finds every mistake. `parsed` is null if there is one. `partRules` are the only
 * rules of that kind: a reader may only omit the rule of a part if it refuses each provider that needs the part.
 */
export function readByRules<
  Parsed extends { readonly providers: Provider[] } & Partial<
    Pick<Config, 'autoSignIn' | 'policies' | 'policyOrigins'>
  >,
>(
  json: unknown,
  schema: v.GenericSchema<unknown, Parsed>,
  partRules: readonly FindMistakes[],
): { readonly parsed: Parsed | null; readonly mistakes: readonly Mistake[] } {
  // A text that fails one check often fails the next for the same reason.
  const result = v.safeParse(schema, json, { abortPipeEarly: true });
  const mistakes = (result.issues ?? []).map(toMistake);
  if (!result.typed) return { parsed: null, mistakes };
  const { providers, autoSignIn = 'off', policies = true, policyOrigins = [] } = result.output;
  const rules = [...commonRules, ...partRules];
  mistakes.push(
    ...mistakesOf(findDuplicateIds(providers)),
    ...mistakesOf([[!policies && policyOrigins.length > 0, ['policyOrigins'], noPolicies]]),
    ...findInEach(providers, (provider) => rules.flatMap((findMistakes) => findMistakes(provider))),
    ...mistakesOf(providers.slice(0, 1).map((first) => findAutoSignInMistakes(autoSignIn, first))),
  );
  return { parsed: mistakes.length === 0 ? result.output : null, mistakes };
}

const noPolicies = 'expected none, because without "policies" nothing uses them; remove one of the two';

/** The mistakes at other places than `named`, which say more about theirs. */
function withoutPlaces(mistakes: readonly Mistake[], named: readonly Mistake[]): readonly Mistake[] {
  const places = new Set(named.map(({ path }) => formatPath(path)));
  return mistakes.filter(({ path }) => !places.has(formatPath(path)));
}

/** The id must be unique: it identifies the provider on the board, in the record and in the redirect URI. */
function findDuplicateIds(providers: readonly Provider[]): Rule[] {
  return providers.map(({ id }, index) => {
    const first = providers.findIndex((other) => other.id === id);
    return [
      first !== index,
      ['providers', index, 'id'],
      `found ${quote(id)}; expected a unique id, but providers[${first}] has the same one`,
    ];
  });
}

/** Nothing fetches these: a window opens them, or they are compared. The host of any other address needs a permission. */
const unfetched: Path = [
  'issuer',
  'issuerTemplate',
  'origins',
  'authorization_endpoint',
  'end_session_endpoint',
];

function findUnreachableEndpoints(provider: Provider): Rule[] {
  if (checkIssuer(provider.issuer) !== null) return [];
  const reachable = toProviderOrigins(provider);
  return toAddresses(provider)
    .filter(([path]) => !path.some((key) => unfetched.includes(key)))
    .flatMap(([path, url]): Rule[] => {
      // A wrong URL is another mistake: `origins` would refuse its host too.
      if (checkEndpoint(url) !== null) return [];
      const { origin } = new URL(url);
      const text = `found ${quote(url)}; expected a host listed in "origins"; add "${origin}" there`;
      return [[!reachable.includes(origin), path, text]];
    });
}

/** Discovery isn't asked for an endpoint that is null, nor if all others of a sign-in are configured. */
export function findDeviceMistakes({ deviceFlow, metadata }: Provider): Rule[] {
  if (deviceFlow === 'off' || metadata === null) return [];
  const {
    device_authorization_endpoint: endpoint,
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
  } = metadata;
  const isDiscovered = [authorization_endpoint, token_endpoint, jwks_uri].includes(undefined);
  return [
    [
      typeof endpoint !== 'string' && (endpoint === null || !isDiscovered),
      ['metadata', 'device_authorization_endpoint'],
      `${describe(endpoint)}; expected the endpoint that "deviceFlow" needs, because discovery isn't asked for it`,
    ],
  ];
}

/**
 * The setting with which `login_required` doesn't prove that the user has signed out at the provider: the response never comes, or
 * the provider also sends it for people who signed in on a different device, too long ago or in a different way.
 */
function findUnclear(provider: Provider): string | undefined {
  return (['userApi', 'deviceFlow', 'maxAgeSeconds', 'acrValues'] as const).find(
    (name) => provider[name] !== null && provider[name] !== 'off',
  );
}

function findEndMistakes(provider: Provider): Rule[] {
  const beside = findUnclear(provider);
  const text = `found true; expected false, because with "${beside}" the provider's response is missing or can mean something else`;
  return [[provider.endWithProvider && beside !== undefined, ['endWithProvider'], text]];
}

/** The first provider must have a silent sign-in, if that is tried. */
function findAutoSignInMistakes(autoSignIn: Config['autoSignIn'], first: Provider): Rule {
  const hasNone = first.userApi !== null || first.deviceFlow === 'only';
  const text = `found "${autoSignIn}"; expected "off", because with its "${findUnclear(first)}" the first provider has no silent sign-in`;
  return [autoSignIn !== 'off' && hasNone, ['autoSignIn'], text];
}
