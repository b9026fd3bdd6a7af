// Revokes the refresh tokens that no session uses any more. The person does not wait for it.

import { singleFlight } from '../../concurrency/single-flight.ts';
import type { DroppedToken } from '../../oidc/dropped-token.ts';
import { isIssuerOf } from '../../oidc/issuer.ts';
import type { Journal } from '../journal.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import {
  sharesGrant,
  toLooseToken,
  type LooseToken,
  type PendingRevocation,
  type RevocationKey,
  type VaultSession,
} from '../vault/vault-records.ts';
import type { Vault } from '../vault/vault.ts';
import { findAccess, isFinal, sendRevocation } from './send-revocation.ts';
import type { Tasks } from './tasks.ts';

export interface Revocations {
  /** Tries each due revocation once, in the background. The next call tries the failed ones again. */
  run(): void;
  /** Queues the refresh token of a session that is not stored, and runs the queue. Never rejects. */
  discard(session: VaultSession): Promise<void>;
  /**
   * Queues a refresh token that was received and not used, and runs the queue. A token without a subject is revoked at
   * once; any other waits if the stored session shares its grant, as one of a provider with a user API may. Never rejects.
   */
  drop(access: ProviderAccess, dropped: DroppedToken): Promise<void>;
  /**
   * Tries once to revoke the refresh token of a renewal that could not be stored. If that fails, it is queued when the
   * storage works again, as long as this worker lives. Never rejects.
   */
  revokeAtOnce(session: VaultSession): Promise<void>;
}

const maxAttempts = 5;

export interface RevocationsParts {
  readonly vault: Vault;
  /** Every provider that is known: a token is revoked although its provider is not offered any more. */
  readonly knownProviders: () => readonly ProviderAccess[];
  readonly journal: Journal;
  readonly tasks: Tasks;
  readonly nowMs: () => number;
}

export function createRevocations(parts: RevocationsParts): Revocations {
  const { vault, knownProviders, tasks, nowMs } = parts;
  let isWanted = false;
  /** Tokens that the vault could not store and the provider has not revoked. */
  let unstored: readonly LooseToken[] = [];

  const queueUnstored = async () => {
    const waiting = unstored;
    unstored = [];
    for (const token of waiting) await queue(token);
  };

  const queue = async (token: LooseToken) => {
    try {
      await vault.drop(token, nowMs());
    } catch {
      // The next run tries again to store it.
      unstored = [...unstored, token];
    }
  };

  const runAll = singleFlight(async () => {
    const tried = new Set<RevocationKey>();
    do {
      isWanted = false;
      await queueUnstored();
      for (const [key, revocation] of await vault.dueRevocations(nowMs())) {
        if (tried.has(key)) continue;
        tried.add(key);
        await revoke(parts, key, revocation);
      }
    } while (isWanted);
  });

  const run = () => {
    isWanted = true;
    // The next run retries the revocations that the vault still holds.
    tasks.runInBackground(runAll());
  };

  /** Queues a token; if it cannot be stored, tries at once to revoke it, unless the stored session shares its grant. */
  const queueOrRevoke = async (token: LooseToken) => {
    try {
      await vault.drop(token, nowMs());
      run();
    } catch {
      // A vault that cannot be read holds no session of use.
      const isShared = sharesGrant(token, await vault.read().catch(() => null));
      if (isShared) unstored = [...unstored, token];
      // Not awaited, because a person may wait for the caller.
      else tasks.runInBackground(revokeUnstored(token));
    }
  };

  const revokeUnstored = async (token: LooseToken) => {
    const access = findAccess(knownProviders(), token);
    if (access === null) return;
    const result = await sendRevocation(access, token);
    if (!isFinal(result)) unstored = [...unstored, token];
  };

  return {
    run,

    async discard(session) {
      const token = toLooseToken(session);
      if (token !== null) await queueOrRevoke(token);
    },

    async drop({ client: { provider } }, { issuer: named, ...dropped }) {
      const { id: providerId, clientId } = provider;
      const issuer = named !== null && isIssuerOf(provider, named) ? named : provider.issuer;
      const token = { ...dropped, providerId, issuer, clientId };
      // Without an ID token nothing says whose grant it is, so it may be that of the stored session.
      const stored = provider.userApi === null ? null : await vault.read().catch(() => null);
      await queueOrRevoke(stored === null ? token : { ...token, subject: stored.profile.subject });
    },

    async revokeAtOnce(session) {
      const token = toLooseToken(session);
      if (token !== null) await revokeUnstored(token);
    },
  };
}

/** Tries a queued revocation once, and removes it from the queue if another try would change nothing. */
async function revoke(
  { vault, knownProviders, journal }: RevocationsParts,
  key: RevocationKey,
  revocation: PendingRevocation,
): Promise<void> {
  const access = findAccess(knownProviders(), revocation);
  if (access === null || revocation.tries >= maxAttempts) {
    return vault.removePendingRevocation(key);
  }
  const counted = { ...revocation, tries: revocation.tries + 1 };
  // Counted before it is sent, so that a request that kills the worker is not repeated for ever. An offline request
  // kills nothing.
  const isOnline = access.client.world.isOnline();
  if (isOnline) await vault.keepPendingRevocation(key, counted);
  const result = await sendRevocation(access, revocation);
  journal.note({ what: 'revocation', result: result === 'unsent' ? 'failed' : result });
  if (isFinal(result)) return vault.removePendingRevocation(key);
  const isCounted = result === 'failed';
  if (isCounted !== isOnline) await vault.keepPendingRevocation(key, isCounted ? counted : revocation);
}
