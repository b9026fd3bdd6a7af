// Device authorization (RFC 8628): the user enters a code on a page of the provider, and the worker asks for the tokens
// at the provider's pace. The flow has no redirect, and so no state, no PKCE and no nonce: the device code, which the
// provider gives only to us over TLS, takes their place. So the ID token has no nonce.

import * as oauth from 'oauth4webapi';
import { toProviderOrigins } from '../config/manifest';
import { detail, type Detail } from '../session/detail';
import { ProblemError } from '../session/problem';
import { isSecureUrl, parseUrl } from '../session/secure-url';
import { readStandardAnswer } from '../oidc/answer';
import type { Metadata } from '../oidc/discover';
import { findOAuthError, isTransient, toProblemError } from '../oidc/problems';
import { wantsDpop } from '../oidc/resource';
import type { KeySource } from '../oidc/id-token';
import type { ProviderClient, TokenClient } from '../oidc/http';
import {
  toOwnParameters,
  toParameters,
  toWholeResource,
  toWholeScope,
  type AdditionalScopes,
} from '../oidc/authorize';
import { narrowFirst, requestTokens, type Identify, type Obtained } from '../oidc/code-flow';
import type { DeviceGrant } from '../background/record/record.ts';

/** The response to one request for the tokens. */
export type DeviceAnswer =
  | { readonly outcome: 'signed-in'; readonly result: Obtained }
  /** The user hasn't finished. */
  | { readonly outcome: 'pending' }
  /** The same, and the pauses are too short. */
  | { readonly outcome: 'too-fast' }
  /** The provider says that the code has expired, or was redeemed already. */
  | { readonly outcome: 'expired' }
  /** The provider couldn't be reached, which says nothing about the code. */
  | { readonly outcome: 'unreachable' };

/** The pause if the provider names none (RFC 8628 section 3.2). */
const defaultIntervalSeconds = 5;
const maxIntervalSeconds = 60;
/** A longer lifetime is shortened: no one looks at a code for that long, and the worker would stay awake all the time. */
const maxLifetimeSeconds = 30 * 60;
/** Visible ASCII characters, and spaces between them. Letters of other scripts could look like a different code. */
const userCodePattern = /^[!-~](?:[ -~]{0,30}[!-~])?$/;
const maxUriLength = 2_000;

/**
 * Requests a code (RFC 8628 section 3.1). The standard has no way to ask for a different account or to identify the user: the
 * provider's page lets them choose.
 *
 * Throws {@link ProblemError}: `provider-misconfigured` if the provider names no endpoint for it, doesn't let this client
 * use it, or can't bind the tokens to a key as required; `response-rejected` for a code or an address that must not be
 * shown; and what an exchange throws.
 */
export async function requestDeviceGrant(
  client: ProviderClient,
  metadata: Metadata,
  additional: AdditionalScopes = {},
): Promise<DeviceGrant> {
  const { provider, options, oauthClient } = client;
  try {
    const { device_authorization_endpoint: endpoint } = metadata;
    // Throws, so that the user isn't asked to enter a code in vain.
    wantsDpop(provider, metadata);
    // oauth4webapi says that it is missing; the exchange rejects a host that isn't configured.
    if (endpoint !== undefined && !isSecureUrl(endpoint)) {
      throw new ProblemError('provider-misconfigured', detail`device code: its endpoint is not an https URL`);
    }
    const response = await oauth.deviceAuthorizationRequest(
      metadata,
      oauthClient(),
      client.authentication,
      toParameters({
        ...provider.authorizationParameters,
        audience: provider.audience,
        max_age: provider.maxAgeSeconds,
        ...(provider.acrValues !== null && { acr_values: provider.acrValues }),
        // Plain OAuth 2 may need no scope.
        scope: toWholeScope(provider, additional) || null,
        resource: toWholeResource(provider),
      }),
      options,
    );
    const answer = await readStandardAnswer(response, ['device_code', 'user_code']);
    return toGrant(client, answer, answer.device_code, answer.user_code);
  } catch (error) {
    if (findOAuthError(error) !== 'device_flow_disabled')
      throw toProblemError(client, detail`device code`, error);
    // GitHub's own.
    const reason = detail`device code: device_flow_disabled: switch it on for this client at the provider`;
    throw new ProblemError('provider-misconfigured', reason);
  }
}

/**
 * Asks once for the tokens of a code (RFC 8628 sections 3.4 and 3.5), and verifies them as those of any sign-in. The request
 * names what the access token is for, including the scope that was requested in addition to the configured one. If a check fails,
 * no token is returned.
 *
 * Throws {@link ProblemError}: `denied` if the user or the provider refuses, and what `identify` throws.
 */
export async function requestDeviceTokens(
  client: TokenClient,
  metadata: Metadata,
  keys: KeySource,
  { deviceCode }: Pick<DeviceGrant, 'deviceCode'>,
  identify: Identify,
  dpopKey: CryptoKeyPair | null = null,
  additional: AdditionalScopes = {},
): Promise<DeviceAnswer> {
  const { acrValues, maxAgeSeconds } = client.provider;
  const step = detail`device code`;
  const additionalParameters = toOwnParameters(client.provider, additional);
  let isRedeemed = false;
  try {
    const answer = await requestTokens(client, dpopKey, (proof) =>
      oauth.deviceCodeGrantRequest(metadata, client.oauthClient(), client.authentication, deviceCode, {
        ...client.tokenOptions,
        ...proof,
        additionalParameters,
      }),
    );
    // A device code can be redeemed once, so asking again can't help from here on.
    isRedeemed = true;
    // The device code takes the place of a nonce.
    const expected = { nonce: null, maxAgeSeconds, acrValues };
    const result = await identify({ client, metadata, keys, expected, dpopKey }, answer);
    return { outcome: 'signed-in', result: narrowFirst(client, additionalParameters, result) };
  } catch (error) {
    const problem = toProblemError(client, step, error);
    const outcome = isRedeemed ? null : toOutcome(problem);
    if (outcome === null) throw problem;
    return { outcome };
  }
}

function toOutcome(error: unknown): 'pending' | 'too-fast' | 'expired' | 'unreachable' | null {
  const code = findOAuthError(error);
  if (code === 'authorization_pending') return 'pending';
  if (code === 'slow_down') return 'too-fast';
  if (code === 'expired_token' || code === 'invalid_grant') return 'expired';
  return isTransient(error) ? 'unreachable' : null;
}

/**
 * Checks the code and the address from the provider, because they're shown or opened in a tab. The page must be on the provider's
 * own hosts, so that no one enters another client's code at another provider. `origins` of the configuration adds hosts.
 */
function toGrant(
  { world, provider }: ProviderClient,
  answer: Readonly<Record<string, unknown>>,
  deviceCode: string,
  userCode: string,
): DeviceGrant {
  const origins = toProviderOrigins({ ...provider, apiOrigins: [], apis: [] });
  // Google's is older than the standard (https://developers.google.com/identity/protocols/oauth2/limited-input-device).
  const uri = toShownUri(answer['verification_uri'] ?? answer['verification_url']);
  if (!userCodePattern.test(userCode)) throw reject(detail`the code for the user cannot be shown`);
  if (uri === null) throw reject(detail`the address for the user is not an https URL`);
  if (!origins.includes(uri.origin)) throw reject(detail`its page is on a host that is not in "origins"`);
  const complete = toShownUri(answer['verification_uri_complete']);
  const page = complete !== null && complete.origin === uri.origin ? complete : uri;
  const shown = `${userCode} ${page.href} ${decodeURIComponentSafely(page.href)}`;
  if (shown.includes(deviceCode)) throw reject(detail`its secret in what people see`);
  // The provider says when a code without a lifetime has ended.
  const lifetimeSeconds = Math.min(Number(answer['expires_in'] ?? Infinity), maxLifetimeSeconds);
  const intervalSeconds = Number(answer['interval'] ?? defaultIntervalSeconds);
  return {
    shown: {
      userCode,
      verificationUri: page.href,
      expiresAtMs: world.nowMs() + lifetimeSeconds * 1000,
    },
    deviceCode,
    intervalSeconds: Math.min(Math.max(intervalSeconds, 1), maxIntervalSeconds),
  };
}

/** The URL of a page that a user may be sent to; null for any other text. */
function toShownUri(text: unknown): URL | null {
  const url = typeof text === 'string' && isSecureUrl(text) ? parseUrl(text) : null;
  if (url === null || url.href.length > maxUriLength) return null;
  // A user name before the host could look like the host.
  return url.username !== '' || url.password !== '' ? null : url;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign. The text itself has already been compared.
    return '';
  }
}

function reject(reason: Detail): ProblemError {
  return new ProblemError('response-rejected', detail`device code: ${reason}`);
}
