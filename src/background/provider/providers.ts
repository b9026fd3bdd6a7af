// The providers that are offered now, and those that a policy has taken away: their tokens are still to be revoked.

import type { Provider } from '../../config/provider.ts';
import type { ProviderId } from '../../session/session.ts';
import type { ProviderAccess } from './provider-access.ts';

export interface Providers {
  /** The providers that are offered, in their order. The same map always, with the content of now. */
  readonly offered: ReadonlyMap<ProviderId, ProviderAccess>;
  /** Every provider that this worker has known, the offered ones first. */
  known(): readonly ProviderAccess[];
  /** Offers these providers and no other. One whose settings are the same keeps its access, and all that it knows. */
  offer(providers: readonly Provider[]): void;
  /** Takes note of providers that were offered once. */
  remember(providers: readonly Provider[]): void;
}

/** The providers of the build, of which none is offered yet. */
export function createProviders(
  built: readonly Provider[],
  toAccess: (provider: Provider) => ProviderAccess,
): Providers {
  const offered = new Map<ProviderId, ProviderAccess>();
  let known = built.map(toAccess);

  const expect = (provider: Provider) => {
    const settings = JSON.stringify(provider);
    return known.find(({ client }) => JSON.stringify(client.provider) === settings) ?? toAccess(provider);
  };

  return {
    offered,
    known: () => known,
    remember(providers) {
      known = [...new Set([...known, ...providers.map(expect)])];
    },
    offer(providers) {
      const next = providers.map(expect);
      offered.clear();
      for (const access of next) offered.set(access.client.provider.id, access);
      known = [...next, ...known.filter((access) => !next.includes(access))];
    },
  };
}
