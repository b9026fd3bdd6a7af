// Reads a configuration. It is the one reader: of the file at build and at start, and of a managed policy.

import * as v from 'valibot';
import { keyProblems, toPath } from './keys.ts';
import { toProviderOrigins } from './origins.ts';
import type { Config } from './provider.ts';
import { configSchema } from './schema.ts';

export type { Config, Provider } from './provider.ts';

/** What is wrong with a configuration: one line for each problem, with its path in the file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads a configuration from JSON that has been parsed, and fills in the defaults.
 *
 * Throws {@link ConfigError} with every problem at once. No line repeats a client secret, a URL's password or
 * its query.
 */
export function readConfig(json: unknown): Config {
  const result = v.safeParse(configSchema, json);
  const problems = [
    ...keyProblems(json),
    ...(result.issues ?? []).map(toLine),
    ...(result.typed ? sharedIds(result.output.providers) : []),
    ...(result.typed ? unreachableEndpoints(result.output.providers) : []),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { providers, persistence, policyOrigins } = result.output;
  return { providers, persistence, policyOrigins };
}

type FoundProviders = v.InferOutput<typeof configSchema>['providers'];

/** An id names its provider everywhere: on the board, in the vault and in the redirect URI. */
function sharedIds(providers: FoundProviders): string[] {
  const ids = providers.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    return first === index
      ? []
      : `providers[${index}].id: found ${quote(id)}; expected another id than that of providers[${first}].id`;
  });
}

/** The worker asks these endpoints itself, so their hosts need a permission. */
const fetchedEndpoints = [
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
] as const;

function unreachableEndpoints(providers: FoundProviders): string[] {
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
        : `providers[${index}].metadata.${name}: found ${quote(url)}; expected its host in "origins": add "${origin}" there`;
    });
  });
}

function toLine({ path, input, message }: v.BaseIssue<unknown>): string {
  const place = (path ?? []).reduce((parent, { key }) => toPath(parent, key), '');
  return `${place || 'configuration'}: ${describe(input)}; expected ${message}`;
}

/** What was found, without what might be confidential in it. */
function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return `found ${value}`;
  if (typeof value === 'string') return `found ${quote(value)}`;
  if (!Array.isArray(value)) return typeof value === 'object' ? 'found an object' : `found a ${typeof value}`;
  return value.length === 0 ? 'found an empty list' : `found a list of ${value.length}`;
}

/** A text as evidence: short, without what may stand before an "@" and after a "?" or "#". */
function quote(text: string): string {
  const harmless = text.replace(/^.*@/s, '…@').replace(/([?#]).*/s, '$1…');
  return JSON.stringify(harmless.length > 80 ? `${harmless.slice(0, 80)}…` : harmless);
}
