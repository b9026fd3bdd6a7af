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

/** Visible ASCII, with spaces only inside. */
const shown = /^[!-~]([ -~]*[!-~])?$/;

/** A text that `pattern` describes, or the check. `expected` is the whole message. */
const matching = (pattern: RegExp, expected: string) =>
  v.pipe(v.string(expected), v.regex(pattern, expected));
const url = (expected: string) => v.pipe(v.string(expected), v.check(isEndpoint, expected));

const endpoint = url(
  'expected a URL with "https:", or "http:" for this computer, without user name or fragment',
);
const redirectUri = url('expected a whole redirect URI, as `npm run build` prints it');
const redirectUris = 'expected a list of redirect URIs, as `npm run build` prints them';
const providers = 'expected a list of providers, at least one';

const configSchema = v.strictObject(
  {
    providers: v.pipe(
      v.array(
        v.strictObject(
          {
            id: matching(/^[a-z\d-]{1,40}$/, 'expected 1 to 40 characters of a-z, 0-9 and "-"'),
            clientId: matching(shown, 'expected the client ID, as the provider shows it'),
            tokenEndpoint: endpoint,
            revocationEndpoint: v.nullish(endpoint, null),
            clientAuthentication: v.optional(
              v.picklist(
                ['client_secret_basic', 'client_secret_post'],
                'expected "client_secret_basic" or "client_secret_post"',
              ),
              'client_secret_basic',
            ),
            redirectUris: v.pipe(v.array(redirectUri, redirectUris), v.nonEmpty(redirectUris)),
          },
          'expected a provider object with the keys that docs/relay.md describes, and no others',
        ),
        providers,
      ),
      v.nonEmpty(providers),
    ),
  },
  'expected an object with "providers", and no keys but those that docs/relay.md describes',
);

/** A shorter one could be guessed, and would be found by chance in an answer of the provider. */
const minSecretLength = 8;

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
  const configured = result.output.providers.map((provider) => ({
    ...provider,
    clientSecret: environment[toSecretVariable(provider.id)] ?? '',
  }));
  const ids = configured.map(({ id }) => id);
  const problems = configured.flatMap(({ id, clientSecret }, index) => [
    ...(ids.indexOf(id) === index
      ? []
      : [`providers[${index}].id: "${id}" is used twice; expected another id`]),
    ...findSecretProblem(toSecretVariable(id), clientSecret),
  ]);
  if (problems.length > 0) throw new RelayConfigError(problems);
  return { providers: configured };
}

function toLine(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue)?.replaceAll(/\.(\d+)/g, '[$1]') ?? 'configuration';
  if (issue.expected !== 'never') {
    return `${place}: ${issue.received === 'undefined' ? 'missing; docs/relay.md describes it' : issue.message}`;
  }
  return /secret/i.test(place)
    ? `${place}: a secret does not belong in a file; set the environment variable that docs/relay.md names`
    : `${place}: unknown key; docs/relay.md lists the known ones`;
}

function findSecretProblem(variable: string, secret: string): string[] {
  if (secret === '') return [`${variable}: not set; expected the client secret that the provider gave you`];
  if (secret.length >= minSecretLength && shown.test(secret)) return [];
  return [
    `${variable}: expected the whole secret, at least ${minSecretLength} visible ASCII characters ` +
      'without spaces at either end',
  ];
}

/** Whether `text` is an absolute URL to which a secret may be sent. */
function isEndpoint(text: string): boolean {
  if (!/^https?:\/\/[!-~]+$/.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
