// A sign-out: this device first, then the revocations, then, if the person asked for it, the session at the provider.

import { ProblemError, toProblem } from '../../session/problem.ts';
import { settledSession, type ProviderId, type Session, type SignedOut } from '../../session/session.ts';
import type { Journal } from '../journal.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignOutWindow } from '../provider/sign-out-window.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Records } from '../vault/records.ts';
import type { Vault } from '../vault/vault.ts';
import type { Attempts } from './attempts.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface SignOutFlowParts {
  readonly store: SessionStore;
  readonly tasks: Tasks;
  readonly vault: Pick<Vault, 'read'>;
  readonly records: Pick<Records, 'dispatch'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly attempts: Attempts;
  readonly authWindow: AuthWindow;
  readonly signOutWindow: SignOutWindow;
  readonly reopenPopup: ReopenPopup;
  readonly journal: Journal;
}

export interface SignOutFlow {
  /**
   * Signs the person out and resolves when this device has forgotten them; the provider is told afterwards. Also
   * ends a sign-in that is running. With `everywhere` it then opens the provider's page for ending the session
   * there.
   *
   * If the session cannot be removed from the disk, the board says so. The worker's memory has it no longer, and removes it
   * with the next event that it stores. Throws {@link ProblemError} `storage-failed` only if neither the vault nor the board could be written.
   */
  signOut(everywhere: boolean): Promise<void>;
}

export function createSignOutFlow(parts: SignOutFlowParts): SignOutFlow {
  const { store, vault, records, providers, journal } = parts;

  const tryToEmptyVault = async (): Promise<ProblemError | null> => {
    try {
      await records.dispatch({ type: 'signed-out', by: 'person' });
      journal.note({ what: 'device-signed-out', result: 'done' });
      return null;
    } catch (cause) {
      journal.note({ what: 'device-signed-out', result: 'failed' });
      return new ProblemError('storage-failed', null, { cause });
    }
  };

  const endProviderSession = async (access: ProviderAccess, idToken: string | null) => {
    // Somebody may be signing in again before the provider's metadata has come.
    const isWanted = () => isEnding(store.current());
    const status = await parts.signOutWindow.open(access, idToken, isWanted);
    journal.note({ what: 'provider-session', result: status });
    const { id: providerId } = access.client.provider;
    await store.dispatch({ type: 'provider-session-reported', providerSession: { providerId, status } });
    parts.reopenPopup.show();
  };

  return {
    async signOut(everywhere) {
      const running = store.current().status === 'signing-in';
      const settled = settledSession(store.current());
      const providerId = everywhere && settled.status === 'signed-in' ? settled.profile.providerId : null;
      const access = providers.get(providerId ?? '');
      // A second sign-out leaves the page open on which the first one ends the session at the provider.
      const ending = !running && isEnding(settled) ? settled.providerSession : null;
      // A provider that a policy has just taken away cannot be asked any more.
      const status = access === undefined ? 'open' : 'ending';
      const providerSession = providerId === null ? ending : ({ providerId, status } as const);
      // In memory first, so that everything in flight finds itself overtaken before it can write.
      const shown = store.dispatch({ type: 'signed-out', providerSession });
      // For the ID token hint, before the vault is emptied. An unreadable vault must not prevent the sign-out.
      const stored = vault.read().catch(() => null);
      // A running sign-in is forgotten first: if the worker dies after that, the next one must not resume it.
      const [board, failure] = await Promise.all([
        shown.then(
          () => null,
          (error: unknown) => error,
        ),
        (running ? parts.attempts.forget() : Promise.resolve()).then(tryToEmptyVault),
        ending === null ? parts.authWindow.cancel() : Promise.resolve(),
      ]);
      if (failure !== null) {
        if (board !== null) throw failure;
        await store.dispatch({ type: 'sign-out-incomplete', problem: toProblem(failure) });
      }
      if (access !== undefined) {
        parts.tasks.runInBackground(endProviderSession(access, (await stored)?.tokens.idToken ?? null));
      }
    },
  };
}

/** Whether the page for ending the session at the provider is open, or about to open. */
function isEnding(session: Session): session is SignedOut {
  return session.status === 'signed-out' && session.providerSession?.status === 'ending';
}
