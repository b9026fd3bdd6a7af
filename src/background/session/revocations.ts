// Revokes the tokens that no session uses any more. The person does not wait for it.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { withTimeout } from '../../concurrency/timeout.ts';
import type { Unhurried } from '../../concurrency/unhurried.ts';
import type { DroppedToken } from '../../oidc/dropped-token.ts';
import { isIssuerOf } from '../../oidc/issuer.ts';
import type { Journal } from '../journal.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { toLastingToken, type Debt, type LastingToken } from '../record/record.ts';
import type { Records } from '../vault/records.ts';
import type { Vault, VaultSession } from '../vault/vault.ts';
import { findAccess, sendRevocation } from './send-revocation.ts';
import type { Tasks } from './tasks.ts';

export interface Revocations {
  /** Tries each token that is due once, in the background. The next call tries the failed ones again. */
  run(): void;
  /** Takes the token of a session that is not stored. Never rejects. */
  discard(session: VaultSession): Promise<void>;
  /** Takes a token that was received and not used. Never rejects. */
  drop(access: ProviderAccess, dropped: DroppedToken): Promise<void>;
  /**
   * Resolves when no request is under way, and after 10 s in any case. A provider may revoke the whole grant with one of its
   * tokens, so nothing may be granted before. Never rejects.
   */
  settled(): Promise<void>;
}

export interface RevocationsParts {
  readonly vault: Vault;
  readonly records: Pick<Records, 'subscribe'>;
  /** Every provider that is known: a token is revoked although its provider is not offered any more. */
  readonly knownProviders: () => readonly ProviderAccess[];
  /** Whether a sign-in is running at this client. */
  readonly isSigningIn: (client: Pick<LastingToken, 'issuer' | 'clientId'>) => boolean;
  readonly journal: Journal;
  readonly tasks: Tasks;
  /** Puts off what nobody waits for. */
  readonly mayBegin: Unhurried;
}

/** How long a sign-in waits for a revocation. */
const maxWaitMs = 10_000;

export function createRevocations(parts: RevocationsParts): Revocations {
  const { vault, records, tasks } = parts;
  let isWanted = false;
  let underWay: Promise<unknown> = Promise.resolve();

  /** Looks again before each token: a sign-in may have begun meanwhile, or the person may be signed in again. */
  const findNext = async (tried: ReadonlySet<string>) =>
    (await vault.due()).find((debt) => !tried.has(debt.token) && !parts.isSigningIn(debt));

  const runAll = singleFlight(async () => {
    const tried = new Set<string>();
    await parts.mayBegin();
    do {
      isWanted = false;
      for (;;) {
        const debt = await findNext(tried);
        if (debt === undefined) break;
        tried.add(debt.token);
        underWay = revoke(parts, debt);
        await underWay;
      }
    } while (isWanted);
  });

  const run = () => {
    isWanted = true;
    // The next run tries again what is still due.
    tasks.runInBackground(runAll());
  };

  records.subscribe(({ debts }, before) => {
    const isNew = ({ token, payableSinceMs }: Debt) =>
      payableSinceMs !== null &&
      !before.debts.some((old) => old.token === token && old.payableSinceMs !== null);
    if (debts.some(isNew)) run();
  });

  return {
    run,

    async discard(session) {
      const token = toLastingToken(session);
      if (token !== null) await vault.drop(token);
    },

    drop({ client: { provider } }, { issuer: named, subject, refreshToken: token }) {
      const { id: providerId, clientId } = provider;
      const issuer = named !== null && isIssuerOf(provider, named) ? named : provider.issuer;
      return vault.drop({ providerId, issuer, clientId, subject, token });
    },

    settled: () =>
      withTimeout(
        underWay.then(
          () => undefined,
          () => undefined,
        ),
        maxWaitMs,
        () => undefined,
      ),
  };
}

/** Tries a revocation once. */
async function revoke({ vault, knownProviders, journal }: RevocationsParts, debt: Debt): Promise<void> {
  const { token } = debt;
  const access = findAccess(knownProviders(), debt);
  if (access === null) return vault.noteAnswered(token, 'nobody-to-ask');
  const isOnline = access.client.world.isOnline();
  // Counted before it is sent, so that a request that kills the worker is not repeated for ever. An offline request kills
  // nothing.
  if (isOnline && (await vault.noteSent(token)) === 'gone') return;
  const result = isOnline ? await sendRevocation(access, debt) : 'unsent';
  journal.note({ what: 'revocation', result: result === 'unsent' ? 'failed' : result });
  if (isOnline) await vault.noteAnswered(token, result);
}
