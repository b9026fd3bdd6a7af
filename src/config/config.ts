// Validates a configuration. The only reader there is, so that every source of a configuration follows the
// same rules.

import * as v from 'valibot';
import { findApiKeyMistakes, findApiMistakes } from './apis.ts';
import { ConfigError, formatPath, type Mistake } from './config-error.ts';
import { describe, quote, toMistake } from './describe.ts';
import { findKeyMistakes, type KeyRule } from './keys.ts';
import { toProviderOrigins } from './origins.ts';
import { refuseProfiles, type ApplyProfiles } from './profiles.ts';
import { findCodeMistakes, findIdTokenMistakes } from './response-type.ts';
import type { Config, Provider } from './provider.ts';
import { configSchema } from './schema.ts';
import { findSilentMistakes } from './silent-sign-in.ts';
import { checkEndpoint, checkIssuer } from './url.ts';
import { findScopeMistakes, findUserApiKeyMistakes, findUserApiMistakes } from './user-api.ts';

export type { Config, Provider } from './provider.ts';

/**
 * Validates parsed JSON, and fills in the settings of the profiles and the defaults. A setting is the provider's own, or
 * else its profile's, or else the default. Nothing else of a profile is in the result. Without `applyProfiles`, a profile is
 * a mistake.
 *
 * Throws {@link ConfigError} with every mistake at once. None repeats a client secret, or the password or
 * query of a URL.
 */
export function readConfig(json: unknown, applyProfiles: ApplyProfiles = refuseProfiles): Config {
  return readByRules(json, allRules, applyProfiles);
}

/** The rules for a setting that needs a part of the extension: see built-parts.ts. */
export interface PartRule {
  readonly findKeyMistakes?: KeyRule;
  readonly findMistakes: (providers: ParsedProviders) => Mistake[];
}

export const userApiRule: PartRule = {
  findKeyMistakes: findUserApiKeyMistakes,
  findMistakes: findUserApiMistakes,
};
export const idTokenRule: PartRule = { findMistakes: findIdTokenMistakes };
export const deviceFlowRule: PartRule = { findMistakes: findMissingDeviceEndpoints };

export const apisRule: PartRule = { findKeyMistakes: findApiKeyMistakes, findMistakes: findApiMistakes };

export const allRules: readonly PartRule[] = [userApiRule, idTokenRule, deviceFlowRule, apisRule];

/**
 * Does the same with `partRules` as the only rules of that kind. A reader may go without the rule of a part only if it
 * refuses each provider that needs the part.
 */
export function readByRules(
  json: unknown,
  partRules: readonly PartRule[],
  applyProfiles: ApplyProfiles = refuseProfiles,
): Config {
  const applied = applyProfiles(json);
  // A text that fails one check would often fail the next for the same reason.
  const result = v.safeParse(configSchema(), applied.json, { abortPipeEarly: true });
  const found = [
    ...findKeyMistakes(
      applied.json,
      partRules.flatMap((rule) => rule.findKeyMistakes ?? []),
    ),
    ...(result.issues ?? []).map(toMistake),
    ...(result.typed ? findDuplicateIds(result.output.providers) : []),
    ...(result.typed ? findUnreachableEndpoints(result.output.providers) : []),
    ...(result.typed ? findPartialEmails(result.output.providers) : []),
    ...(result.typed ? findRepeatedParameters(result.output.providers) : []),
    ...(result.typed ? findScopeMistakes(result.output.providers) : []),
    ...(result.typed ? findCodeMistakes(result.output.providers) : []),
    ...(result.typed ? findSilentMistakes(result.output) : []),
    ...(result.typed ? partRules.flatMap((rule) => rule.findMistakes(result.output.providers)) : []),
  ];
  const mistakes = [...applied.mistakes, ...withoutPlaces(found, applied.mistakes).map(applied.explain)];
  if (!result.success || mistakes.length > 0) throw new ConfigError(mistakes);
  const { $schema: _, providers, ...others } = result.output;
  return { providers: providers.map(withoutProfile), ...others };
}

/** The mistakes at other places than `named`, which say more about theirs. */
function withoutPlaces(mistakes: readonly Mistake[], named: readonly Mistake[]): readonly Mistake[] {
  const places = new Set(named.map(({ path }) => formatPath(path)));
  return mistakes.filter(({ path }) => !places.has(formatPath(path)));
}

function withoutProfile({ profile: _applied, ...provider }: ParsedProviders[number]): Provider {
  return provider;
}

type ParsedProviders = v.InferOutput<ReturnType<typeof configSchema>>['providers'];

/** The id must be unique: it identifies the provider on the board, in the vault and in the redirect URI. */
function findDuplicateIds(providers: ParsedProviders): Mistake[] {
  const firsts = new Map<string, number>();
  return providers.flatMap(({ id }, index) => {
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, index);
    return first === undefined
      ? []
      : {
          path: ['providers', index, 'id'],
          text: `found ${quote(id)}; expected a unique id, but providers[${first}] has the same one`,
        };
  });
}

/** Endpoints that the worker fetches, as it does the discovery document and the user API, so their hosts need a permission. */
const fetchedEndpoints = [
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
] as const;

function findUnreachableEndpoints(providers: ParsedProviders): Mistake[] {
  return providers.flatMap((provider, index) => {
    const { issuer, discoveryUrl, metadata, userApi } = provider;
    if (checkIssuer(issuer) !== null) return [];
    const reachable = toProviderOrigins(provider);
    const addresses = [
      { path: ['discoveryUrl'], url: discoveryUrl },
      ...fetchedEndpoints.map((name) => ({ path: ['metadata', name], url: metadata?.[name] ?? null })),
      { path: ['userApi', 'url'], url: userApi?.url ?? null },
    ];
    return addresses.flatMap(({ path, url }) => {
      // Another mistake: `origins` would refuse this host too.
      if (url === null || checkEndpoint(url) !== null) return [];
      const { origin } = new URL(url);
      return reachable.includes(origin)
        ? []
        : {
            path: ['providers', index, ...path],
            text: `found ${quote(url)}; expected a host listed in "origins"; add "${origin}" there`,
          };
    });
  });
}

/** A part of an address, such as its domain, would let no one in. */
function findPartialEmails(providers: ParsedProviders): Mistake[] {
  return providers.flatMap(({ allowed }, index) =>
    (allowed['email'] ?? []).flatMap((value, position) =>
      isWholeAddress(value)
        ? []
        : {
            path: ['providers', index, 'allowed', 'email', position],
            text: `${describe(value)}; expected a whole address, such as "ada@example.com"; for a domain use a claim that holds it, such as "hd"`,
          },
    ),
  );
}

/** One value would replace the other in the URL. */
function findRepeatedParameters(providers: ParsedProviders): Mistake[] {
  return providers.flatMap(({ logoutParameters }, index) => {
    const named = Object.entries(logoutParameters).filter(([, name]) => name !== null);
    return named.flatMap(([key, name], position) => {
      const [first] = named.find(([, other]) => other === name) ?? [];
      return position === 0 || first === key
        ? []
        : {
            path: ['providers', index, 'logoutParameters', key],
            text: `found ${quote(String(name))}; expected a name other than that of "${first}"`,
          };
    });
  });
}

/** Discovery is not asked for an endpoint that is null, nor if all others of a sign-in are configured. */
function findMissingDeviceEndpoints(providers: ParsedProviders): Mistake[] {
  return providers.flatMap(({ deviceFlow, metadata }, index) => {
    if (deviceFlow === 'off' || metadata === null) return [];
    const { device_authorization_endpoint: endpoint } = metadata;
    const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
    const isDiscovered = [authorization_endpoint, token_endpoint, jwks_uri].includes(undefined);
    return typeof endpoint === 'string' || (endpoint === undefined && isDiscovered)
      ? []
      : {
          path: ['providers', index, 'metadata', 'device_authorization_endpoint'],
          text: `${describe(endpoint)}; expected the endpoint that "deviceFlow" needs, because discovery is not asked for it`,
        };
  });
}

function isWholeAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('*')) return false;
  const parts = value.split('@');
  return parts.length === 2 && !parts.includes('');
}
