// Completes the profile of the signed-in user with UserInfo: right after the sign-in, and if that fails, when a page opens
// later. An ID token often has neither name nor picture.

import { readClaims } from '../../oidc/encoding.ts';
import { requestUserInfo } from '../../oidc/redeem.ts';
import { isDue } from '../record/pause.ts';
import type { SessionParts } from './parts.ts';

/** The pause after a request, so that not every popup sends one to a provider that fails. */
const pauseMs = 10 * 60_000;

/** A function that asks UserInfo if that is due. Rejects if the provider cannot be asked, and asks again later. */
export function createCompleteProfile({ readSession, records, nowMs }: SessionParts): () => Promise<void> {
  return async () => {
    const usable = await readSession();
    if (usable === null) return;
    const { session, access } = usable;
    const { tokens, userInfoDueMs, profile, dpopKey } = session;
    const isWanted = userInfoDueMs !== null && isDue(userInfoDueMs, pauseMs, nowMs());
    const claims = tokens.idToken === null ? null : readClaims(tokens.idToken);
    // UserInfo only accepts an access token.
    if (!isWanted || tokens.type === 'id_token' || claims === null) return;
    const metadata = await access.metadata();
    if (metadata.userinfo_endpoint === undefined) return;
    await records.dispatch({ type: 'user-info-asked', cause: session, nextAtMs: nowMs() + pauseMs });
    // The user may have signed out in the meantime.
    if ((await readSession())?.session.id !== session.id) return;
    const known = { ...claims, sub: profile.subject };
    const completed = await requestUserInfo(access.client, metadata, tokens, known, dpopKey);
    await records.dispatch({ type: 'profile-completed', cause: session, profile: completed });
  };
}
