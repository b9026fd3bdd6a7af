// One run of the protocol with a provider: in the sign-in window, or silently where the person is still signed in
// at the provider. Verifier, state and nonce live in its closure and are never stored.

import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationOptions,
} from '../../oidc/authorize.ts';
import { diagnose } from '../../oidc/diagnose.ts';
import type { Metadata } from '../../oidc/discover.ts';
import { generateDpopKey, wantsDpop } from '../../oidc/dpop.ts';
import { withDiagnosis } from '../../oidc/diagnosis.ts';
import { redeemCode, type SignedInTokens } from '../../oidc/redeem.ts';
import { ProblemError, type ProblemCode } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import type { AuthWindow } from './auth-window.ts';
import type { ProviderAccess } from './provider-access.ts';

/** What a sign-in brings: verified tokens, and the key that they are bound to, if they are. */
export interface SignInResult extends SignedInTokens {
  readonly dpopKey: CryptoKeyPair | null;
}

export interface SignIn {
  /**
   * Opens the sign-in window and signs the person in. `isWanted` is asked before the window opens, because the
   * person may have changed their mind by then. Throws {@link ProblemError}.
   */
  inWindow(
    access: ProviderAccess,
    wishes: AuthorizationOptions,
    isWanted: () => boolean,
  ): Promise<SignInResult>;
  /** Signs in without a window, or throws {@link ProblemError} when that is not possible. */
  silently(access: ProviderAccess, wishes: Omit<AuthorizationOptions, 'prompt'>): Promise<SignInResult>;
}

export function createSignIn(
  authWindow: AuthWindow,
  redirectUri: (providerId: ProviderId) => string,
): SignIn {
  const run = async (
    access: ProviderAccess,
    wishes: AuthorizationOptions,
    open: (url: string, metadata: Metadata, redirectUri: string) => Promise<string>,
  ) => {
    const { client, keys } = access;
    const metadata = await access.metadata();
    const uri = redirectUri(client.provider.id);
    const dpopKey = wantsDpop(client.provider, metadata) ? await generateDpopKey() : null;
    return withDiagnosis({ redirectUri: uri, clientId: client.provider.clientId }, async () => {
      const request = await createAuthorizationRequest(client, metadata, uri, wishes, dpopKey);
      // Fetched while the person types, if they are old.
      access.warm();
      const responseUrl = await open(request.url, metadata, uri);
      const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
      return { ...(await redeemCode(client, metadata, keys, request, parameters, dpopKey)), dpopKey };
    });
  };

  return {
    inWindow: (access, wishes, isWanted) =>
      run(access, wishes, (url, metadata, uri) => {
        if (!isWanted()) throw new ProblemError('cancelled');
        return authWindow
          .open(url)
          .catch((error: unknown) => diagnoseWindowFailure(access, metadata, uri, error));
      }),

    silently: (access, wishes) => run(access, { ...wishes, prompt: 'none' }, authWindow.openSilently),
  };
}

/** What a browser says of a window whose page failed. */
const unexplained: readonly ProblemCode[] = ['sign-in-page-failed', 'timed-out', 'unexpected'];

/** Throws what is behind a window that failed, as far as that can be found out. */
async function diagnoseWindowFailure(
  { client, keys, metadata }: ProviderAccess,
  used: Metadata,
  redirectUri: string,
  error: unknown,
): Promise<never> {
  if (!(error instanceof ProblemError) || !unexplained.includes(error.code)) throw error;
  const refresh = () => keys.refetch().then(metadata);
  throw (await diagnose(client, used, redirectUri, refresh)) ?? error;
}
