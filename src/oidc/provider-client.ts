// One provider as this room speaks to it: its configuration, the exchange with its hosts, and both in the
// shapes that oauth4webapi takes.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { toProviderOrigins } from '../config/origins.ts';
import { createExchange, type Exchange, type World } from './exchange.ts';

export interface ProviderClient {
  readonly provider: Provider;
  readonly world: World;
  /** The client as oauth4webapi takes it, with the clock as it is known now. */
  readonly oauthClient: () => oauth.Client;
  readonly options: {
    readonly [oauth.customFetch]: Exchange['fetch'];
    readonly [oauth.allowInsecureRequests]: boolean;
  };
  /** Looks at a page of the provider's. */
  readonly fetchPage: Exchange['fetchPage'];
  /** Now by the provider's clock, in whole seconds. */
  readonly nowSeconds: () => number;
  /** How far the provider's clock is ahead of ours; null while it has not told. */
  readonly skewSeconds: () => number | null;
  /** What is known of DPoP proofs with each key, by its thumbprint: the newest nonces of the servers. */
  readonly dpopHandles: Map<string, oauth.DPoPHandle>;
}

/** How far a token's times may be off, beyond the skew that is known. */
export const clockToleranceSeconds = 30;

export function createProviderClient(world: World, provider: Provider): ProviderClient {
  const exchange = createExchange(world, toProviderOrigins(provider));
  const nowSeconds = () => Math.floor(world.nowMs() / 1000) + (exchange.clockSkewSeconds() ?? 0);
  return {
    provider,
    world,
    nowSeconds,
    skewSeconds: exchange.clockSkewSeconds,
    fetchPage: exchange.fetchPage,
    dpopHandles: new Map(),
    oauthClient: () => ({
      client_id: provider.clientId,
      // oauth4webapi reads the machine's clock itself; this moves it to the one that we were given.
      [oauth.clockSkew]: nowSeconds() - Math.floor(Date.now() / 1000),
      [oauth.clockTolerance]: clockToleranceSeconds,
    }),
    options: {
      [oauth.customFetch]: exchange.fetch,
      // The configuration has already refused http beyond loopback, and the metadata's endpoints are checked alike.
      [oauth.allowInsecureRequests]: true,
    },
  };
}
