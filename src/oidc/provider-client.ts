// The client of one provider: its configuration, an exchange with its hosts, and the values for oauth4webapi.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { toProviderOrigins } from '../config/origins.ts';
import { createExchange, type Exchange, type World } from './exchange.ts';

/** Access to one provider, shared by all steps of the protocol. */
export interface ProviderClient {
  readonly provider: Provider;
  readonly world: World;
  /** The client for oauth4webapi, with the clock skew known at the time of the call. */
  readonly oauthClient: () => oauth.Client;
  readonly options: {
    readonly [oauth.customFetch]: Exchange['fetch'];
    readonly [oauth.allowInsecureRequests]: boolean;
  };
  /** Fetches a page of the provider. */
  readonly fetchPage: Exchange['fetchPage'];
  /** The current time by the provider's clock, in whole seconds. */
  readonly nowSeconds: () => number;
  /** How far the provider's clock is ahead of ours; null while unknown. */
  readonly skewSeconds: () => number | null;
  /** DPoP state by key thumbprint: the newest nonce of each server. */
  readonly dpopHandles: Map<string, oauth.DPoPHandle>;
}

/** Tolerance for the times in a token, in addition to the known skew. */
export const clockToleranceSeconds = 30;

/** Creates the client of a provider. It remembers the clock skew and DPoP nonces, so create it once. */
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
      // oauth4webapi reads `Date.now()`; this shifts it to the injected clock.
      [oauth.clockSkew]: nowSeconds() - Math.floor(Date.now() / 1000),
      [oauth.clockTolerance]: clockToleranceSeconds,
    }),
    options: {
      [oauth.customFetch]: exchange.fetch,
      // The configuration and the metadata schema have rejected `http:` beyond loopback already.
      [oauth.allowInsecureRequests]: true,
    },
  };
}
