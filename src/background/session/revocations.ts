// Revokes the refresh tokens of sessions that have ended here. The person does not wait for it.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { revokeToken } from '../../oidc/end.ts';
import { findOAuthError } from '../../oidc/rejection.ts';
import type { ProviderId } from '../../session/session.ts';
import type { Journal } from '../journal.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { PendingRevocation, RevocationKey, VaultSession } from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';
import type { Tasks } from './tasks.ts';

export interface Revocations {
  /** Tries each pending revocation once, in the background. The next call tries the failed ones again. */
  run(): void;
  /** Tries once to revoke the refresh token of a session that could not be stored. Never rejects. */
  revokeAtOnce(access: ProviderAccess, session: VaultSession): Promise<void>;
}

const maxAttempts = 5;
const maxAgeMs = 24 * 60 * 60 * 1000;

export interface RevocationsParts {
  readonly vault: Vault;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly journal: Journal;
  readonly tasks: Tasks;
  readonly nowMs: () => number;
}

export function createRevocations({
  vault,
  providers,
  journal,
  tasks,
  nowMs,
}: RevocationsParts): Revocations {
  let isWanted = false;

  const revoke = async (key: RevocationKey, revocation: PendingRevocation) => {
    const access = providers.get(revocation.providerId);
    const isUseful =
      access?.client.provider.issuer === revocation.issuer && nowMs() - revocation.endedAtMs < maxAgeMs;
    if (access === undefined || !isUseful || revocation.tries >= maxAttempts)
      return vault.removePendingRevocation(key);
    // Counted before it is sent, so that a request that kills the worker is not repeated for ever.
    await vault.keepPendingRevocation(key, { ...revocation, tries: revocation.tries + 1 });
    try {
      await revokeToken(access.client, await access.metadata(), revocation.refreshToken);
      journal.note({ what: 'revocation', result: 'done' });
    } catch (error) {
      // An OAuth error is the provider's final answer; other failures may pass.
      const isRefused = findOAuthError(error) !== null;
      journal.note({ what: 'revocation', result: isRefused ? 'refused' : 'failed' });
      if (!isRefused) return;
    }
    await vault.removePendingRevocation(key);
  };

  const runAll = singleFlight(async () => {
    const tried = new Set<RevocationKey>();
    do {
      isWanted = false;
      for (const [key, revocation] of await vault.pendingRevocations()) {
        if (tried.has(key)) continue;
        tried.add(key);
        await revoke(key, revocation);
      }
    } while (isWanted);
  });

  return {
    async revokeAtOnce({ client, metadata }, { tokens }) {
      if (tokens.refreshToken === null) return;
      // An unused token expires by itself.
      await revokeToken(client, await metadata(), tokens.refreshToken).catch(() => undefined);
    },

    run() {
      isWanted = true;
      // The next run retries the revocations that the vault still holds.
      tasks.runInBackground(runAll());
    },
  };
}
