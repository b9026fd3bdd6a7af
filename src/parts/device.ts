// The device flow (RFC 8628): the user enters a user code on a page of the provider, and the worker asks for the tokens at the
// provider's pace. A provider can be configured to use it always, or only where the browser has no sign-in window. The board shows the
// user code. The device code, which is the worker's secret, is a part of the record, so that the next worker goes on asking. It comes
// over TLS to us alone, and so takes the place of state, PKCE and nonce.

import * as oauth from 'oauth4webapi';
import { findDeviceMistakes } from '../config/config.ts';
import { toProviderOrigins } from '../config/manifest.ts';
import type { Provider } from '../config/provider.ts';
import { once, pause } from '../concurrency.ts';
import { detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { isSecureUrl, parseUrl } from '../session/secure-url.ts';
import type { View, SigningIn } from '../session/view.ts';
import { readStandardAnswer } from '../oidc/answer.ts';
import type { Metadata } from '../oidc/discover.ts';
import { findOAuthError, isTransient, toProblemError } from '../oidc/problems.ts';
import { generateDpopKey, wantsDpop } from '../oidc/resource.ts';
import type { KeySource } from '../oidc/id-token.ts';
import type { ProviderClient, TokenClient } from '../oidc/http.ts';
import { toOwnParameters, toParameters, toWholeResource, toWholeScope } from '../oidc/authorize.ts';
import type { AdditionalScopes, AuthorizationOptions } from '../oidc/authorize.ts';
import type { Members } from '../oidc/jwt.ts';
import { narrowFirst, requestTokens, type Identify, type Obtained } from '../oidc/code-flow.ts';
import type { DeviceParts, DeviceSignIn, Part } from '../background/part.ts';
import type { TokenAccess } from '../background/provider/provider.ts';
import type { CodeSignIn, DeviceGrant } from '../background/record/record.ts';

/** Creates the sign-in of a build with the device flow. */
export function createDeviceSignIn(parts: DeviceParts): DeviceSignIn {
  const { store, windowSignIn, records, hasWindow } = parts;
  /** The attempt that this worker runs; aborted when the session leaves it. */
  let running: { readonly attempt: string; readonly abort: AbortController } | null = null;

  store.subscribe((session, before) => {
    const code = codeOf(session);
    if (running !== null && code?.attempt !== running.attempt) running.abort.abort();
    if (code === null && codeOf(before) !== null) void records.dispatchOrHold({ type: 'code-ended' });
  });

  const isFirst = ({ deviceFlow }: Provider) =>
    deviceFlow === 'only' || (deviceFlow === 'fallback' && !hasWindow());

  /** Runs `work` for the sign-in on the board, with a signal that aborts when the session leaves it. */
  const run = (work: (session: SigningIn, signal: AbortSignal) => Promise<Obtained>) => {
    const session = codeOf(store.view);
    if (session === null) throw new ProblemError('cancelled');
    const abort = new AbortController();
    running = { attempt: session.attempt, abort };
    return work(session, abort.signal);
  };

  const withCode = async (access: TokenAccess, { additional }: AuthorizationOptions) =>
    run(async ({ attempt, startedAtMs }, signal) => {
      const grant = await access.attempt((metadata) =>
        requestDeviceGrant(access.client, metadata, additional),
      );
      if (signal.aborted) throw new ProblemError('cancelled');
      access.warm();
      const { id: providerId, issuer, clientId } = access.client.provider;
      const additionalScope = additional?.own ?? null;
      const codeSignIn = { providerId, issuer, clientId, startedAtMs, grant, additionalScope };
      // Where it can't be stored, the session couldn't be either, and the user would enter it in vain.
      await records.dispatch({ type: 'code-shown', codeSignIn });
      await store.dispatch({ type: 'device-code-changed', attempt, device: grant.shown });
      return waitForTokens(parts, access, codeSignIn, signal);
    });

  return {
    firstView: ({ client }) => (isFirst(client.provider) ? { device: null } : undefined),

    async inWindow(access, options, shown, isWanted) {
      const { provider } = access.client;
      if (isFirst(provider)) return withCode(access, options);
      const before = store.view;
      try {
        return await windowSignIn.inWindow(access, options, shown, isWanted);
      } catch (error) {
        const hasNone = error instanceof ProblemError && error.code === 'not-supported';
        if (!hasNone || provider.deviceFlow === 'off' || before.status !== 'signing-in') throw error;
        await store.dispatch({ type: 'device-code-changed', attempt: before.attempt, device: null });
        if (!isWanted()) throw new ProblemError('cancelled', null, { cause: error });
        return withCode(access, options);
      }
    },

    goOn: async (access, codeSignIn) =>
      run(async ({ attempt, device }, signal) => {
        // The worker may have died before the board showed it.
        const { shown } = codeSignIn.grant;
        if (!device) await store.dispatch({ type: 'device-code-changed', attempt, device: shown });
        return waitForTokens(parts, access, codeSignIn, signal);
      }),

    async silently(access, options) {
      if (!isFirst(access.client.provider)) return windowSignIn.silently(access, options);
      // There is no silent way, so the user has to come back.
      throw new ProblemError('expired', detail`silent sign-in: this provider is used with a code alone.`);
    },

    askWhetherSignedIn: windowSignIn.askWhetherSignedIn,
  };
}

/** The running sign-in by the device flow; null if there is none. */
function codeOf(session: View): SigningIn | null {
  return session.status === 'signing-in' && session.device !== undefined ? session : null;
}

/** The longest pause after failures in a row. */
const maxPauseMs = 60_000;
/** A pause after failures ends this long before the code expires: the user may have entered it in the meantime. */
const lastChanceMs = 10_000;
/** RFC 8628 section 3.5. */
const slowDownSeconds = 5;

/**
 * Asks for the tokens until the user has finished, at the provider's pace (RFC 8628 section 3.5). Throws {@link ProblemError}:
 * `cancelled` once `signal` aborts, `interrupted` when the code has expired, `provider-unreachable` if that was after a failure, and
 * whatever the check of the tokens throws.
 */
async function waitForTokens(
  parts: DeviceParts,
  access: TokenAccess,
  codeSignIn: CodeSignIn,
  signal: AbortSignal,
): Promise<Obtained> {
  const { records, nowMs } = parts;
  const { grant } = codeSignIn;
  const { expiresAtMs } = grant.shown;
  // The code isn't bound to a key, so each worker has one of its own.
  const newKey = once(generateDpopKey);
  let { intervalSeconds } = grant;
  let failures = 0;
  // Its own count matters too, because a clock that is set back would let the code last longer.
  let leftMs = expiresAtMs - nowMs();
  for (;;) {
    leftMs = Math.min(leftMs, expiresAtMs - nowMs());
    const intervalMs = intervalSeconds * 1000;
    const patienceMs = Math.min(intervalMs * 2 ** failures, maxPauseMs, leftMs - lastChanceMs);
    const pauseMs = Math.min(Math.max(intervalMs, patienceMs), leftMs);
    await pause(pauseMs, signal);
    leftMs -= pauseMs;
    if (signal.aborted) throw new ProblemError('cancelled');
    if (leftMs <= 0 || nowMs() >= expiresAtMs) throw ended(failures);
    const answer = await ask(parts, access, codeSignIn, newKey);
    if (answer.outcome === 'signed-in') return answer.result;
    if (answer.outcome === 'expired') throw ended(failures);
    failures = answer.outcome === 'unreachable' ? failures + 1 : 0;
    if (answer.outcome !== 'too-fast') continue;
    intervalSeconds += slowDownSeconds;
    // For the next worker. A sign-in that was left isn't stored again.
    const slowed = { ...codeSignIn, grant: { ...grant, intervalSeconds } };
    if (!signal.aborted) await records.dispatchOrHold({ type: 'code-shown', codeSignIn: slowed });
  }
}

/** Asks once. Metadata that can't be fetched isn't a reason to give up either. */
async function ask(
  { revocations, flowOf }: DeviceParts,
  access: TokenAccess,
  { grant, additionalScope }: Pick<CodeSignIn, 'grant' | 'additionalScope'>,
  newKey: () => Promise<CryptoKeyPair>,
) {
  const { client, keys } = access;
  const metadata = await access.metadata().catch((error: unknown) => {
    if (isTransient(error)) return null;
    throw error;
  });
  if (metadata === null) return { outcome: 'unreachable' } as const;
  await revocations.settled();
  const dpopKey = wantsDpop(client.provider, metadata) ? await newKey() : null;
  const { identify } = flowOf(client.provider);
  const additional = { own: additionalScope ?? undefined };
  return requestDeviceTokens(client, metadata, keys, grant, identify, dpopKey, additional);
}

/** Why a code has expired without a session. After a failure, the user may have finished, and the tokens were lost on the way. */
function ended(failures: number): ProblemError {
  if (failures === 0) return new ProblemError('interrupted', detail`user code: it was not entered in time.`);
  const reason = detail`user code: it ended before the provider could be reached.`;
  return new ProblemError('provider-unreachable', reason);
}

// The requests.

/**
 * The response to one request for the tokens:
 * - `pending`: the user hasn't finished; `too-fast`: nor have they, and the pauses are too short;
 * - `expired`: the provider says that the code has expired, or was redeemed already;
 * - `unreachable`: the provider couldn't be reached, which says nothing about the code.
 */
type DeviceAnswer =
  | { readonly outcome: 'signed-in'; readonly result: Obtained }
  | { readonly outcome: 'pending' | 'too-fast' | 'expired' | 'unreachable' };

/** The pause if the provider names none (RFC 8628 section 3.2). */
const defaultIntervalSeconds = 5;
const maxIntervalSeconds = 60;
/** A longer lifetime is shortened: no one looks at a code for that long, and the worker would stay awake all the time. */
const maxLifetimeSeconds = 30 * 60;
/** Visible ASCII characters, and spaces between them. Letters of other scripts could look like a different code. */
const userCodePattern = /^[!-~](?:[ -~]{0,30}[!-~])?$/;
const maxUriLength = 2_000;

/**
 * Requests a code (RFC 8628 section 3.1), which can't ask for a certain account. Throws {@link ProblemError}: `provider-misconfigured` if
 * the provider names no endpoint for it, doesn't let this client use it, or can't bind the tokens to a key as required;
 * `response-rejected` for a code or an address that must not be shown; and what an exchange throws.
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
      oauthClient,
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
    return toGrant(client, answer);
  } catch (error) {
    if (findOAuthError(error) !== 'device_flow_disabled')
      throw toProblemError(client, detail`device code`, error);
    // GitHub's own.
    const reason = detail`device code: device_flow_disabled: switch it on for this client at the provider`;
    throw new ProblemError('provider-misconfigured', reason);
  }
}

/**
 * Asks once for the tokens of a code (RFC 8628 sections 3.4 and 3.5), and verifies them as those of any sign-in. The request names what
 * the access token is for. Throws {@link ProblemError}: `denied` if the user or the provider refuses, and what `identify` throws.
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
  const additionalParameters = toOwnParameters(client.provider, additional);
  let isRedeemed = false;
  try {
    const answer = await requestTokens(client, dpopKey, (proof) =>
      oauth.deviceCodeGrantRequest(metadata, client.oauthClient, client.authentication, deviceCode, {
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
    const problem = toProblemError(client, detail`device code`, error);
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
 * own hosts or in `origins`, so that no one enters another client's code at another provider.
 */
function toGrant(
  { world, provider }: ProviderClient,
  answer: Members & Readonly<Record<'device_code' | 'user_code', string>>,
): DeviceGrant {
  const { device_code: deviceCode, user_code: userCode } = answer;
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
  const expiresAtMs = world.nowMs() + lifetimeSeconds * 1000;
  return {
    shown: { userCode, verificationUri: page.href, expiresAtMs },
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

export const part: Part = { createDeviceSignIn, findMistakes: findDeviceMistakes };
