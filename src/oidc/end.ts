// What the provider is told when a session ends.

import * as oauth from 'oauth4webapi';
import type { Connection } from './connection.ts';
import type { Metadata } from './discover.ts';
import { rejecting } from './rejection.ts';

/**
 * Revokes a refresh token (RFC 7009). A provider without a revocation endpoint has nothing to be told, and a
 * token that it no longer knows counts as revoked (section 2.2). Throws {@link ProblemError}.
 */
export async function revokeToken(connection: Connection, metadata: Metadata, token: string): Promise<void> {
  if (metadata.revocation_endpoint === undefined) return;
  await rejecting('revocation', async () => {
    const response = await oauth.revocationRequest(metadata, connection.client(), oauth.None(), token, {
      ...connection.options,
      additionalParameters: { token_type_hint: 'refresh_token' },
    });
    await oauth.processRevocationResponse(response);
  });
}
