// The device flow (RFC 8628): the user enters a user code on a page of the provider. A provider can be configured to use it
// always, or only where the browser has no sign-in window. The board shows the user code. The device code,
// which is the worker's secret, is a part of the record, so that the next worker goes on asking.

import type { Provider } from '../../config/provider.ts';
import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import { requestDeviceGrant } from '../../oidc/device.ts';
import type { Identify } from '../../oidc/redeem.ts';
import { detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import type { View, SigningIn } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn, SignInResult } from '../provider/sign-in.ts';
import type { CodeSignIn } from '../record/record.ts';
import { waitForTokens } from './device-tokens.ts';
import type { SessionParts } from './parts.ts';

/**
 * The sign-in of a build with the device flow. `inWindow` uses that flow if the provider or the browser has no other way:
 * it shows the user code on the board, for the sign-in that the board shows as running. It throws {@link ProblemError}:
 * `cancelled` once the session has left that sign-in, `interrupted` when the code has ended, and
 * whatever a sign-in in the window throws.
 */
export interface DeviceSignIn extends SignIn {
  /** The board's view of a sign-in at this provider before its code is there; undefined if it begins with a window. */
  firstView(access: ProviderAccess): { readonly device: null } | undefined;
  /** Goes on, as `inWindow` does, with the code that another worker has shown. */
  goOn(access: ProviderAccess, codeSignIn: CodeSignIn): Promise<SignInResult>;
}

export type CreateDeviceSignIn = (
  parts: Pick<SessionParts, 'store' | 'windowSignIn' | 'revocations' | 'records' | 'nowMs'>,
) => DeviceSignIn;

/**
 * A function that creates the sign-in of a build with the device flow. `hasWindow` says whether the browser has a sign-in
 * window; `byUserApi` finds out who the user is at a provider with a user API, and is null if there is none.
 */
export function createDeviceSignIn(hasWindow: () => boolean, byUserApi: Identify | null): CreateDeviceSignIn {
  return (parts) => {
    const { store, windowSignIn, records } = parts;
    const asking = { ...parts, byUserApi };
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
    const run = (work: (session: SigningIn, signal: AbortSignal) => Promise<SignInResult>) => {
      const session = codeOf(store.current());
      if (session === null) throw new ProblemError('cancelled');
      const abort = new AbortController();
      running = { attempt: session.attempt, abort };
      return work(session, abort.signal);
    };

    const withCode = async (access: ProviderAccess, { additional }: AuthorizationOptions) =>
      run(async ({ attempt, startedAtMs }, signal) => {
        const grant = await requestDeviceGrant(access.client, await access.metadata(), additional);
        if (signal.aborted) throw new ProblemError('cancelled');
        access.warm();
        const { id: providerId, issuer, clientId } = access.client.provider;
        const additionalScope = additional?.own ?? null;
        const codeSignIn = { providerId, issuer, clientId, startedAtMs, grant, additionalScope };
        // Where it cannot be stored, the session could not be either, and the user would enter it in vain.
        await records.dispatch({ type: 'code-shown', codeSignIn });
        await store.dispatch({ type: 'device-code-changed', attempt, device: grant.shown });
        return waitForTokens(asking, access, codeSignIn, signal);
      });

    return {
      firstView: ({ client }) => (isFirst(client.provider) ? { device: null } : undefined),

      async inWindow(access, options, shown, isWanted) {
        const { provider } = access.client;
        if (isFirst(provider)) return withCode(access, options);
        const before = store.current();
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
          return waitForTokens(asking, access, codeSignIn, signal);
        }),

      silently: (access, options) =>
        isFirst(access.client.provider)
          ? // There is no silent way, so the user has to come back.
            Promise.reject(
              new ProblemError('expired', detail`silent sign-in: this provider is used with a code alone.`),
            )
          : windowSignIn.silently(access, options),

      isLoginRequired: windowSignIn.isLoginRequired,
    };
  };
}

/** The running sign-in by the device flow; null if there is none. */
function codeOf(session: View): SigningIn | null {
  return session.status === 'signing-in' && session.device !== undefined ? session : null;
}
