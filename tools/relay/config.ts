// The relay's configuration: its providers, with their secrets from the environment.

import * as v from 'valibot';

/** Visible ASCII, with spaces only inside. */
const shown = /^[!-~]([ -~]*[!-~])?$/;

const endpoint = v.pipe(
  v.string(),
  v.check(
    isEndpoint,
    'expected a URL with "https:", or "http:" for this computer, without user name or fragment',
  ),
);

const providerSchema = v.strictObject({
  /** The last part of the relay's paths: `/token/<id>` and `/revoke/<id>`. */
  id: v.pipe(v.string(), v.regex(/^[a-z\d-]{1,40}$/, 'expected 1 to 40 characters of a-z, 0-9 and "-"')),
  clientId: v.pipe(v.string(), v.regex(shown, 'expected the client ID, as the provider shows it')),
  /** Where codes and refresh tokens are redeemed (RFC 6749, section 3.2). */
  tokenEndpoint: endpoint,
  /** Where tokens are revoked (RFC 7009); null if nowhere. */
  revocationEndpoint: v.nullish(endpoint, null),
  /** How the secret is sent (OpenID Connect Core, section 9). */
  clientAuthentication: v.optional(
    v.picklist(['client_secret_basic', 'client_secret_post']),
    'client_secret_basic',
  ),
  /** The extension's redirect URIs. A code is redeemed for exactly one of these. */
  redirectUris: v.pipe(
    v.array(v.pipe(v.string(), v.check(isEndpoint, 'expected a redirect URI, as `npm run build` prints it'))),
    v.nonEmpty('expected at least one redirect URI'),
  ),
});

const configSchema = v.strictObject({
  providers: v.pipe(
    v.array(providerSchema),
    v.nonEmpty('expected at least one provider'),
    v.check(
      (providers) => new Set(providers.map(({ id }) => id)).size === providers.length,
      'expected a different id for each provider',
    ),
  ),
});

/** A provider to which the relay is a confidential client. */
export interface RelayProvider extends Readonly<v.InferOutput<typeof providerSchema>> {
  readonly clientSecret: string;
}

export interface RelayConfig {
  readonly providers: readonly RelayProvider[];
}

/** A shorter one could be guessed, and might occur by chance in a response of the provider. */
const minSecretLength = 8;

/**
 * Reads a parsed configuration and takes the secrets from `environment`: `LATCHKEY_RELAY_SECRET_ACME` for "acme". Throws an
 * Error with a line for each mistake. No line quotes a secret.
 */
export function readRelayConfig(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): RelayConfig {
  const { success, output, issues } = v.safeParse(configSchema, value);
  if (!success) throw new Error(issues.map(toLine).join('\n'));
  const providers = output.providers.map((provider) => {
    const variable = `LATCHKEY_RELAY_SECRET_${provider.id.toUpperCase().replaceAll('-', '_')}`;
    const clientSecret = environment[variable] ?? '';
    if (clientSecret.length >= minSecretLength && shown.test(clientSecret))
      return { ...provider, clientSecret };
    throw new Error(
      `${variable}: ${clientSecret === '' ? 'not set; ' : ''}expected the client secret, ` +
        `at least ${minSecretLength} visible ASCII characters without spaces at either end`,
    );
  });
  return { providers };
}

function toLine(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue) ?? 'configuration';
  if (issue.received === 'undefined') return `${place}: missing; docs/relay.md describes it`;
  return issue.expected === 'never'
    ? `${place}: unknown key; docs/relay.md lists the known ones, and a secret comes from the environment`
    : `${place}: ${issue.message}`;
}

/** Whether `text` is an absolute URL to which a secret may be sent. */
function isEndpoint(text: string): boolean {
  if (!/^https?:\/\/[!-~]+$/.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
