// The providers that are offered now, and those that a policy has removed, whose tokens must still be revoked.

import type { Provider } from '../../config/provider.ts';
import type { ProviderId } from '../../session/session.ts';
import type { ProviderAccess } from './provider-access.ts';

export interface Providers {
  /** The providers that are offered, in their order. Always the same map, with the present content. */
  readonly offered: ReadonlyMap<ProviderId, ProviderAccess>;
  /** Every provider that this worker has known, the offered ones first. */
  known(): readonly ProviderAccess[];
  /** Offers these providers and no other. One whose settings are the same keeps its access, and all that it knows. */
  offer(providers: readonly Provider[]): void;
  /** Notes providers that were offered before. */
  remember(providers: readonly Provider[]): void;
}

/** The providers of the build, before any of them is offered. */
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
