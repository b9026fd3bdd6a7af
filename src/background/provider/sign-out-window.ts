// Ends the user's session at the provider, on the provider's own page: RP-Initiated Logout 1.0.

import { createEndSessionRequest, readEndSessionResponse } from '../../oidc/end.ts';
import type { ProviderId, ProviderSession } from '../../session/session.ts';
import type { AuthWindow } from './auth-window.ts';
import type { ProviderAccess } from './provider-access.ts';

export interface SignOutWindow {
  /**
   * Opens the provider's page for ending the session if `isWanted` says so when the request is ready: someone may be
   * signing in by then. Resolves with `ended` if the provider confirmed it, and with `open` in every other case. Never
   * rejects, because this device is signed out already.
   */
  open(
    access: ProviderAccess,
    idToken: string | null,
    isWanted: () => boolean,
  ): Promise<Exclude<ProviderSession['status'], 'ending'>>;
}

export function createSignOutWindow(
  authWindow: AuthWindow,
  redirectUri: (providerId: ProviderId) => string,
): SignOutWindow {
  return {
    async open({ client, metadata }, idToken, isWanted) {
      try {
        const uri = redirectUri(client.provider.id);
        const request = createEndSessionRequest(client, await metadata(), { idToken, redirectUri: uri });
        if (request === null) return 'open';
        const { state, url } = request;
        const { origin } = new URL(url);
        const responseUrl = await authWindow.open(url, { state, requestUri: null, origin }, isWanted);
        return readEndSessionResponse(request, uri, responseUrl) === 'confirmed' ? 'ended' : 'open';
      } catch {
        // A closed window, a failed page and a missing network have in common that the provider confirmed nothing.
        return 'open';
      }
    },
  };
}
