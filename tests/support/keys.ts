// The source of the provider's keys for the checks of an ID token.

import { requestKeys, type Metadata } from '../../src/oidc/discover.ts';
import type { KeySource } from '../../src/oidc/id-token.ts';
import type { ProviderClient } from '../../src/oidc/http.ts';

/** The keys that the provider publishes at each moment. */
export function publishedKeys(client: ProviderClient, metadata: Metadata): KeySource {
  return () => requestKeys(client, metadata);
}

/** For a provider without ID tokens: nothing may ask for its keys. */
export const noKeys: KeySource = () => Promise.reject(new Error('Keys were asked for.'));
