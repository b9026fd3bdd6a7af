// The client of one provider: its configuration, an exchange with its hosts, and the values for oauth4webapi.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { toProviderOrigins } from '../config/origins.ts';
import { createExchange, type Exchange, type Environment } from './exchange.ts';
import { createProviderClock } from './provider-clock.ts';
import { toStandardAnswer } from './standard-answer.ts';

interface RequestOptions {
  readonly [oauth.customFetch]: Exchange['fetch'];
  readonly [oauth.allowInsecureRequests]: boolean;
}

/** Access to one provider, shared by all steps of the protocol. */
export interface ProviderClient {
  readonly provider: Provider;
  readonly world: Environment;
  /** The client for oauth4webapi, with the clock skew known at the time of the call. */
  readonly oauthClient: () => oauth.Client;
  /** How it authenticates: as a public client, without a secret, because every copy of the build would contain it. */
  readonly authentication: oauth.ClientAuth;
  /** For requests to OAuth endpoints, whose answers become standard. */
  readonly options: RequestOptions;
  /** The same for a request that cannot be repeated later: sent also while the endpoint asks to be left alone. */
  readonly atOnceOptions: RequestOptions;
  /** For all other requests. */
  readonly exchange: Exchange;
  /** The current time by the provider's clock, in whole seconds. */
  readonly nowSeconds: () => number;
  /** How far the provider's clock is ahead of ours; null while unknown. */
  readonly skewSeconds: () => number | null;
  /** DPoP state by key thumbprint: the newest nonce of each server. The keys that were used last are in it. */
  readonly dpopHandles: Map<string, oauth.DPoPHandle>;
}

/** Tolerance for the end of a token or of an authentication, in addition to the known skew. */
export const expiryToleranceSeconds = 30;
/**
 * Tolerance for times in the future (`iat`, `nbf`), in addition to the known skew. They only guard against a
 * wrong clock, and the usual tolerance for that is five minutes.
 */
export const futureToleranceSeconds = 5 * 60;

/**
 * Creates the client of a provider. It remembers the clock skew, unless `clock` is given, and DPoP nonces, so
 * create it once.
 */
export function createProviderClient(
  world: Environment,
  provider: Provider,
  clock = createProviderClock(),
): ProviderClient {
  const exchange = createExchange(world, toProviderOrigins(provider), clock);
  const nowSeconds = () => Math.floor(world.nowMs() / 1000) + (clock.skewSeconds() ?? 0);
  const toOptions = (fetch: Exchange['fetch']): RequestOptions => ({
    [oauth.customFetch]: async (url, request) => toStandardAnswer(provider, await fetch(url, request)),
    // The configuration and the metadata schema have rejected `http:` beyond loopback already.
    [oauth.allowInsecureRequests]: true,
  });
  return {
    provider,
    world,
    nowSeconds,
    skewSeconds: clock.skewSeconds,
    exchange,
    dpopHandles: new Map(),
    oauthClient: () => ({
      client_id: provider.clientId,
      // oauth4webapi reads `Date.now()`; this shifts it to the injected clock. It also has one tolerance for
      // past and future, so its clock is shifted to the middle of the two.
      [oauth.clockSkew]:
        nowSeconds() - Math.floor(Date.now() / 1000) + (futureToleranceSeconds - expiryToleranceSeconds) / 2,
      [oauth.clockTolerance]: (futureToleranceSeconds + expiryToleranceSeconds) / 2,
    }),
    authentication: oauth.None(),
    options: toOptions(exchange.fetch),
    atOnceOptions: toOptions(exchange.fetchAtOnce),
  };
}
