// The metadata of a provider, as the worker finds it.

import { readMetadata, requestDocument, type Metadata } from '../../src/oidc/discover.ts';
import type { ProviderClient } from '../../src/oidc/http.ts';

export async function discover(client: ProviderClient): Promise<Metadata> {
  return readMetadata(await requestDocument(client), client.provider);
}
