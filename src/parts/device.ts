// The device flow (RFC 8628): the user enters a user code on a page of the provider. A provider can be configured to use it
// always, or only where the browser has no sign-in window. The board shows the user code. The device code,
// which is the worker's secret, is a part of the record, so that the next worker goes on asking.

import type { Provider } from '../config/provider.ts';
import type { AuthorizationOptions } from '../oidc/authorize.ts';
import { requestDeviceGrant, requestDeviceTokens } from './device-request';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { View, SigningIn } from '../session/view.ts';
import type { TokenAccess } from '../background/provider/provider.ts';
import type { CodeSignIn } from '../background/record/record.ts';
import { once, pause } from '../concurrency.ts';
import { generateDpopKey, wantsDpop } from '../oidc/resource.ts';
import { isTransient } from '../oidc/problems.ts';
import type { DeviceParts, DeviceSignIn, Part } from '../background/part.ts';
import type { Obtained } from '../oidc/code-flow.ts';
import { findDeviceMistakes } from '../config/config.ts';

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

    silently: (access, options) =>
      isFirst(access.client.provider)
        ? // There is no silent way, so the user has to come back.
          Promise.reject(
            new ProblemError('expired', detail`silent sign-in: this provider is used with a code alone.`),
          )
        : windowSignIn.silently(access, options),

    askWhetherSignedIn: windowSignIn.askWhetherSignedIn,
  };
}

/** The running sign-in by the device flow; null if there is none. */
function codeOf(session: View): SigningIn | null {
  return session.status === 'signing-in' && session.device !== undefined ? session : null;
}

// Asks for the tokens of a device grant until the user has finished, at the provider's pace (RFC 8628 section 3.5).

type DeviceTokensParts = Pick<DeviceParts, 'revocations' | 'records' | 'flowOf' | 'nowMs'>;

/** The longest pause after failures in a row. */
const maxPauseMs = 60_000;
/** A pause after failures ends this long before the code expires: the user may have entered it in the meantime. */
const lastChanceMs = 10_000;
/** RFC 8628 section 3.5. */
const slowDownSeconds = 5;

/**
 * Asks until the user has finished. A provider that can't be reached is asked again. Throws {@link ProblemError}:
 * `cancelled` once `signal` aborts, `interrupted` when the code has expired, `provider-unreachable` if that was after a failure, and
 * whatever the check of the tokens throws.
 */
async function waitForTokens(
  parts: DeviceTokensParts,
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
  { revocations, flowOf }: DeviceTokensParts,
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
  return failures > 0
    ? new ProblemError(
        'provider-unreachable',
        detail`user code: it ended before the provider could be reached.`,
      )
    : new ProblemError('interrupted', detail`user code: it was not entered in time.`);
}

export const part: Part = { createDeviceSignIn, findMistakes: findDeviceMistakes };
