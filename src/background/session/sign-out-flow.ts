// A sign-out: this device first, then the revocations, then, if the person asked for it, the session at the provider.

import { settledSession, type ProviderId } from '../../session/session.ts';
import type { Journal } from '../journal.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignOutWindow } from '../provider/sign-out-window.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Vault } from '../vault/vault.ts';
import type { Revocations } from './revocations.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface SignOutFlowParts {
  readonly store: SessionStore;
  readonly tasks: Tasks;
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly authWindow: AuthWindow;
  readonly signOutWindow: SignOutWindow;
  readonly revocations: Revocations;
  readonly reopenPopup: ReopenPopup;
  readonly journal: Journal;
  readonly nowMs: () => number;
}

export interface SignOutFlow {
  /**
   * Signs the person out and resolves when this device has forgotten them; the provider is told afterwards. Also
   * ends a sign-in that is running. With `everywhere` it then opens the provider's page for ending the session
   * there. Throws {@link ProblemError} `storage-failed`.
   */
  signOut(everywhere: boolean): Promise<void>;
}

export function createSignOutFlow(parts: SignOutFlowParts): SignOutFlow {
  const { store, vault, providers, journal, nowMs } = parts;

  const emptyVault = async () => {
    try {
      await vault.end(nowMs());
      journal.note({ what: 'device-signed-out', result: 'done' });
    } catch (error) {
      journal.note({ what: 'device-signed-out', result: 'failed' });
      throw error;
    }
  };

  const endProviderSession = async (access: ProviderAccess, idToken: string | null) => {
    const status = await parts.signOutWindow.open(access, idToken);
    journal.note({ what: 'provider-session', result: status });
    const { id: providerId } = access.client.provider;
    await store.dispatch({ type: 'provider-session-reported', providerSession: { providerId, status } });
    parts.reopenPopup.show();
  };

  return {
    async signOut(everywhere) {
      const settled = settledSession(store.current());
      const providerId = everywhere && settled.status === 'signed-in' ? settled.profile.providerId : null;
      const access = providers.get(providerId ?? '');
      const providerSession = providerId === null ? null : { providerId, status: 'ending' as const };
      // In memory first, so that everything in flight finds itself overtaken before it can write.
      const shown = store.dispatch({ type: 'signed-out', providerSession });
      // For the ID token hint, before the vault is emptied. An unreadable vault must not prevent the sign-out.
      const stored = vault.read().catch(() => null);
      await Promise.all([shown, stored, emptyVault(), parts.authWindow.cancel()]);
      parts.revocations.run();
      if (access !== undefined) {
        parts.tasks.runInBackground(endProviderSession(access, (await stored)?.tokens.idToken ?? null));
      }
    },
  };
}
