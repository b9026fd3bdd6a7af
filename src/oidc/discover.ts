// The provider's metadata and keys: OpenID Connect Discovery 1.0. What comes back is parsed once, here, and only
// what Latchkey uses is kept.

import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import type { Provider } from '../config/provider.ts';
import { isSecureUrl, toProviderOrigins } from '../config/origins.ts';
import { ProblemError } from '../session/problem.ts';
import type { ProviderClient } from './provider-client.ts';
import { expectJson } from './exchange.ts';

const endpoint = v.pipe(v.string('is not a text'), v.check(isSecureUrl, 'is not an https URL'));
const names = v.array(v.string());

const metadataEntries = {
  issuer: v.string('is not a text'),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: v.exactOptional(endpoint),
  revocation_endpoint: v.exactOptional(endpoint),
  end_session_endpoint: v.exactOptional(endpoint),
  pushed_authorization_request_endpoint: v.exactOptional(endpoint),
  require_pushed_authorization_requests: v.exactOptional(v.boolean()),
  dpop_signing_alg_values_supported: v.exactOptional(names),
  id_token_signing_alg_values_supported: v.optional(names, []),
  authorization_response_iss_parameter_supported: v.optional(v.boolean(), false),
};

const metadataSchema = v.object(metadataEntries, 'is missing');

export type Metadata = Readonly<v.InferOutput<typeof metadataSchema>>;

const jwksSchema = v.object({ keys: v.array(v.looseObject({ kty: v.string() })) });

export type Keys = oauth.JWKS;

/**
 * Asks the provider for its metadata, unless the configuration already names every endpoint that a sign-in
 * needs (Discovery section 4).
 *
 * Throws {@link ProblemError}: `provider-misconfigured` for an issuer that is not the configured one to the
 * letter (section 4.3), for endpoints that are missing or not https, `host-permission-missing` for an endpoint
 * on a host that is not configured, and what an exchange throws.
 */
export async function discover(client: ProviderClient): Promise<Metadata> {
  const { provider, options } = client;
  const configured = v.safeParse(metadataSchema, { ...provider.metadata, issuer: provider.issuer });
  if (configured.success) return toUsable(configured.output, provider);
  const response = await oauth.discoveryRequest(new URL(provider.issuer), { ...options, algorithm: 'oidc' });
  return readMetadata(await expectJson('discovery', response), provider);
}

/** Reads metadata that the provider answered, or that an earlier run kept. Throws as {@link discover} does. */
export function readMetadata(found: unknown, provider: Provider): Metadata {
  const result = v.safeParse(metadataSchema, { ...(found as object), ...provider.metadata });
  if (!result.success) {
    const [issue] = result.issues;
    throw new ProblemError('provider-misconfigured', `discovery: ${v.getDotPath(issue)} ${issue.message}`);
  }
  if (result.output.issuer !== provider.issuer) {
    throw new ProblemError(
      'provider-misconfigured',
      `discovery: the issuer calls itself ${result.output.issuer}, configured is ${provider.issuer}`,
    );
  }
  return toUsable(result.output, provider);
}

/** Asks the provider for its signing keys (RFC 7517). Throws {@link ProblemError}. */
export async function requestKeys({ options }: ProviderClient, metadata: Metadata): Promise<Keys> {
  const response = await options[oauth.customFetch](metadata.jwks_uri, {});
  return readKeys(await expectJson('keys', response));
}

/** Reads a key set that the provider answered, or that an earlier run kept. Throws `response-rejected`. */
export function readKeys(found: unknown): Keys {
  const result = v.safeParse(jwksSchema, found);
  if (!result.success) throw new ProblemError('response-rejected', 'keys: the answer is not a key set');
  return result.output;
}

/**
 * What of the metadata is safe to use: endpoints that we may ask, and signature algorithms with a public key.
 * `none` and HMAC go, since a public client has no secret to verify them with (OpenID Connect Core 3.1.3.7).
 */
function toUsable(metadata: Metadata, provider: Provider): Metadata {
  const origins = toProviderOrigins(provider);
  for (const url of [
    metadata.token_endpoint,
    metadata.jwks_uri,
    metadata.userinfo_endpoint,
    metadata.revocation_endpoint,
    metadata.pushed_authorization_request_endpoint,
  ]) {
    if (url !== undefined && !origins.includes(new URL(url).origin)) {
      throw new ProblemError('host-permission-missing', new URL(url).host);
    }
  }
  const asymmetric = metadata.id_token_signing_alg_values_supported.filter(
    (alg) => !/^(none$|HS)/i.test(alg),
  );
  return {
    ...metadata,
    id_token_signing_alg_values_supported: asymmetric.length > 0 ? asymmetric : ['RS256'],
  };
}
