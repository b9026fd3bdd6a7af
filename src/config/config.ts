// Validates a configuration. The only reader there is, so that every source of a configuration follows the
// same rules.

import * as v from 'valibot';
import { keyProblems, toPath } from './keys.ts';
import { toProviderOrigins } from './origins.ts';
import type { Config } from './provider.ts';
import { configSchema } from './schema.ts';

export type { Config, Provider } from './provider.ts';

/** Everything wrong with a configuration: one line per problem, each beginning with its path in the file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Validates parsed JSON and fills in the defaults.
 *
 * Throws {@link ConfigError} with every problem at once. No line repeats a client secret, or the password or
 * query of a URL.
 */
export function readConfig(json: unknown): Config {
  const result = v.safeParse(configSchema, json);
  const problems = [
    ...keyProblems(json),
    ...(result.issues ?? []).map(toLine),
    ...(result.typed ? duplicateIds(result.output.providers) : []),
    ...(result.typed ? unreachableEndpoints(result.output.providers) : []),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { providers, persistence, policyOrigins } = result.output;
  return { providers, persistence, policyOrigins };
}

type ParsedProviders = v.InferOutput<typeof configSchema>['providers'];

/** The id must be unique: it identifies the provider on the board, in the vault and in the redirect URI. */
function duplicateIds(providers: ParsedProviders): string[] {
  const firsts = new Map<string, number>();
  return providers.flatMap(({ id }, index) => {
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, index);
    return first === undefined
      ? []
      : `providers[${index}].id: found ${quote(id)}; expected a unique id, but providers[${first}] has the same one`;
  });
}

/** Endpoints that the worker fetches, so their hosts need a permission. */
const fetchedEndpoints = [
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
] as const;

function unreachableEndpoints(providers: ParsedProviders): string[] {
  return providers.flatMap((provider, index) => {
    const { issuer, metadata } = provider;
    if (metadata === null || !URL.canParse(issuer)) return [];
    const reachable = toProviderOrigins(provider);
    return fetchedEndpoints.flatMap((name) => {
      const url = metadata[name];
      if (url === undefined || !URL.canParse(url)) return [];
      const { origin } = new URL(url);
      return reachable.includes(origin)
        ? []
        : `providers[${index}].metadata.${name}: found ${quote(url)}; expected a host listed in "origins"; add "${origin}" there`;
    });
  });
}

function toLine({ path, input, message }: v.BaseIssue<unknown>): string {
  const place = (path ?? []).reduce((parent, { key }) => toPath(parent, key), '');
  return `${place || 'configuration'}: ${describe(input)}; expected ${message}`;
}

/** Describes a value without revealing anything confidential in it. */
function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return `found ${value}`;
  if (typeof value === 'string') return `found ${quote(value)}`;
  if (!Array.isArray(value)) return typeof value === 'object' ? 'found an object' : `found a ${typeof value}`;
  return value.length === 0 ? 'found an empty list' : `found a list of ${value.length}`;
}

/** Quotes at most 80 characters, without anything before an "@" or after a "?" or "#". */
function quote(text: string): string {
  const redacted = text.replace(/^.*@/s, '…@').replace(/([?#]).*/s, '$1…');
  return JSON.stringify(redacted.length > 80 ? `${redacted.slice(0, 80)}…` : redacted);
}
