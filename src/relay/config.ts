// The relay's configuration: its providers, with their secrets from the environment.

import * as v from 'valibot';

/** A provider to which the relay is a confidential client. */
export interface RelayProvider {
  /** The last part of the relay's paths: `/token/<id>` and `/revoke/<id>`. */
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where codes and refresh tokens are redeemed (RFC 6749, section 3.2). */
  readonly tokenEndpoint: string;
  /** Where tokens are revoked (RFC 7009); null if nowhere. */
  readonly revocationEndpoint: string | null;
  /** How the secret is sent (OpenID Connect Core, section 9). */
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post';
  /** The extension's redirect URIs. A code is redeemed for exactly one of these. */
  readonly redirectUris: readonly string[];
}

export interface RelayConfig {
  readonly providers: readonly RelayProvider[];
  /** How many requests a minute one instance forwards to each provider. */
  readonly requestsPerMinute: number;
}

/** Everything wrong with a relay's configuration, one line for each mistake. No line quotes a secret. */
export class RelayConfigError extends Error {
  override readonly name = 'RelayConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A shorter one could be guessed, and would be found by chance in an answer of the provider. */
const minSecretLength = 8;

const endpoint = v.pipe(
  v.string('expected an endpoint, such as "https://id.example.com/token"'),
  v.check(
    isEndpoint,
    'expected a URL with "https:", or "http:" for this computer, without user name or fragment',
  ),
);
const redirectUri = v.pipe(
  v.string('expected a redirect URI'),
  v.check(isEndpoint, 'expected a whole redirect URI, as `npm run build` prints it'),
);
const expectedRedirects = 'expected a list of 1 to 20 redirect URIs, as `npm run build` prints them';

const providerSchema = v.strictObject(
  {
    id: v.pipe(
      v.string('expected the id that the provider has in src/config.json'),
      v.regex(/^[a-z\d-]{1,40}$/, 'expected 1 to 40 characters of a-z, 0-9 and "-"'),
    ),
    clientId: v.pipe(
      v.string('expected the client ID, as the provider shows it'),
      v.regex(/^[!-~]([ -~]{0,248}[!-~])?$/, 'expected the client ID, as the provider shows it'),
    ),
    tokenEndpoint: endpoint,
    revocationEndpoint: v.optional(v.nullable(endpoint), null),
    clientAuthentication: v.optional(
      v.picklist(
        ['client_secret_basic', 'client_secret_post'],
        'expected "client_secret_basic" or "client_secret_post"',
      ),
      'client_secret_basic',
    ),
    redirectUris: v.pipe(
      v.array(redirectUri, expectedRedirects),
      v.minLength(1, expectedRedirects),
      v.maxLength(20, expectedRedirects),
    ),
  },
  'expected a provider object with the keys that docs/relay.md describes, and no others',
);

const expectedRate = 'expected a whole number of requests a minute, 1 to 100000';

const configSchema = v.strictObject(
  {
    providers: v.pipe(
      v.array(providerSchema, 'expected a list of 1 to 100 providers'),
      v.minLength(1, 'expected a list of 1 to 100 providers'),
      v.maxLength(100, 'expected a list of 1 to 100 providers'),
    ),
    requestsPerMinute: v.optional(
      v.pipe(
        v.number(expectedRate),
        v.integer(expectedRate),
        v.minValue(1, expectedRate),
        v.maxValue(100_000, expectedRate),
      ),
      600,
    ),
  },
  'expected an object with "providers", and no keys but those that docs/relay.md describes',
);

/** The name of the environment variable with a provider's secret: `LATCHKEY_RELAY_SECRET_ACME` for "acme". */
export function toSecretVariable(providerId: string): string {
  return `LATCHKEY_RELAY_SECRET_${providerId.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Reads a parsed configuration and takes the secrets from `environment`. Throws {@link RelayConfigError} with every
 * mistake.
 */
export function readRelayConfig(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): RelayConfig {
  const result = v.safeParse(configSchema, value);
  if (!result.success) throw new RelayConfigError(result.issues.map(toLine));
  const { providers, requestsPerMinute } = result.output;
  const problems = [
    ...findDuplicates(providers.map(({ id }) => id)),
    ...providers.flatMap(({ id }) => findSecretProblem(toSecretVariable(id), environment)),
  ];
  if (problems.length > 0) throw new RelayConfigError(problems);
  return {
    requestsPerMinute,
    providers: providers.map((provider) => ({
      ...provider,
      clientSecret: environment[toSecretVariable(provider.id)] ?? '',
    })),
  };
}

function toLine(issue: v.BaseIssue<unknown>): string {
  const place = (issue.path ?? []).reduce(
    (parent, { key }) => (typeof key === 'number' ? `${parent}[${key}]` : `${parent}.${toName(key)}`),
    '',
  );
  const name = place.replace(/^\./, '') || 'configuration';
  if (issue.expected === 'never') return `${name}: ${describeUnknown(name)}`;
  const isMissing =
    issue.type === 'strict_object' && issue.path !== undefined && issue.received === 'undefined';
  return isMissing ? `${name}: missing; docs/relay.md describes it` : `${name}: ${issue.message}`;
}

/** A key is quoted as it is read, so it may hold anything. */
function toName(key: unknown): string {
  const name = String(key).slice(0, 60);
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
}

function describeUnknown(name: string): string {
  return /secret/i.test(name)
    ? 'a secret does not belong into a file; set the environment variable that docs/relay.md names'
    : 'unknown key; docs/relay.md lists the known ones';
}

function findDuplicates(ids: readonly string[]): string[] {
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index ? [] : [`providers[${index}].id: "${id}" is used twice; expected another id`],
  );
}

function findSecretProblem(
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const secret = environment[variable] ?? '';
  if (secret === '') return [`${variable}: not set; expected the client secret that the provider gave you`];
  if (secret.length < minSecretLength || !/^[!-~]([ -~]*[!-~])?$/.test(secret)) {
    return [
      `${variable}: expected the whole secret, at least ${minSecretLength} visible ASCII characters ` +
        'without spaces at either end',
    ];
  }
  return [];
}

/** Whether `text` is an absolute URL to which a secret may be sent. */
function isEndpoint(text: string): boolean {
  if (text.length > 2000 || !/^https?:\/\/[!-~]+$/.test(text) || text.includes('#')) return false;
  try {
    const { protocol, hostname, username, password } = new URL(text);
    if (username !== '' || password !== '') return false;
    return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  } catch {
    return false; // Not a URL; the caller says what was expected.
  }
}
