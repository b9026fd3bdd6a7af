// The person's session at the provider, which has a page of its own for its end: RP-Initiated Logout 1.0.

import { createEndSessionRequest, readEndSessionResponse } from '../../oidc/end.ts';
import type { ProviderId, ProviderSession } from '../../session/session.ts';
import type { AuthWindow } from './auth-window.ts';
import type { ProviderAccess } from './provider-access.ts';

export interface SignOutWindow {
  /**
   * Lets the person end their session at the provider, and tells whether it did: `open` where it did not say so,
   * for whatever reason. Never throws, because this device has been signed out before.
   */
  open(access: ProviderAccess, idToken: string | null): Promise<Exclude<ProviderSession['status'], 'ending'>>;
}

export function createSignOutWindow(
  authWindow: AuthWindow,
  redirectUri: (providerId: ProviderId) => string,
): SignOutWindow {
  return {
    async open({ client, metadata }, idToken) {
      try {
        const uri = redirectUri(client.provider.id);
        const request = createEndSessionRequest(client, await metadata(), { idToken, redirectUri: uri });
        if (request === null) return 'open';
        const responseUrl = await authWindow.open(request.url);
        return readEndSessionResponse(request, uri, responseUrl) === 'confirmed' ? 'ended' : 'open';
      } catch {
        // Closed, offline, or a page that failed: in each case nobody has said that the session ended.
        return 'open';
      }
    },
  };
}
