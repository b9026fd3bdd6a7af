// Completes the profile of the signed-in person with UserInfo: right after the sign-in, and if that fails, when a page opens
// later. An ID token often has neither name nor picture.

import type { ProviderId } from '../../session/session.ts';
import { readClaims } from '../../oidc/unverified-claims.ts';
import { requestUserInfo } from '../../oidc/redeem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { hasCome } from '../record/pause.ts';
import type { Records } from '../vault/records.ts';
import type { Vault } from '../vault/vault.ts';

export interface CompleteProfileParts {
  readonly vault: Pick<Vault, 'read'>;
  readonly records: Pick<Records, 'dispatch'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly nowMs: () => number;
}

/** The pause after a request, so that not every popup sends one to a provider that fails. */
const pauseMs = 10 * 60_000;

/** A function that asks UserInfo if that is due. Rejects if the provider cannot be asked, and asks again later. */
export function createCompleteProfile({
  vault,
  records,
  providers,
  nowMs,
}: CompleteProfileParts): () => Promise<void> {
  return async () => {
    const session = await vault.read();
    const access = providers.get(session?.profile.providerId ?? '');
    if (session === null || access === undefined) return;
    const { tokens, userInfoDueMs, profile, dpopKey } = session;
    const isDue = userInfoDueMs !== null && hasCome(userInfoDueMs, pauseMs, nowMs());
    const claims = tokens.idToken === null ? null : readClaims(tokens.idToken);
    // UserInfo takes an access token alone.
    if (!isDue || tokens.type === 'id_token' || claims === null) return;
    const metadata = await access.metadata();
    if (metadata.userinfo_endpoint === undefined) return;
    await records.dispatch({ type: 'user-info-asked', cause: session, nextAtMs: nowMs() + pauseMs });
    const known = { ...claims, sub: profile.subject };
    const completed = await requestUserInfo(access.client, metadata, tokens, known, dpopKey);
    await records.dispatch({ type: 'person-completed', cause: session, profile: completed });
  };
}
