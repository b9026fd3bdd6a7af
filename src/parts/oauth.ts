// The tokens of plain OAuth 2 after the sign-in. Without a refresh token, they're checked at the user API, because there is no
// silent sign-in that could bring others. The user API also says whether the user may stay.

import { uncheckedLifetimeSeconds, isTokenRefusal, requestUser } from './oauth-user';
import { unknownLifetimeSeconds } from '../oidc/tokens.ts';
import type { ProviderClient } from '../oidc/http.ts';
import { ProblemError } from '../session/problem.ts';
import type { StoredSession, FormerToken } from '../background/record/record.ts';
import type { PlainTokens, Ended, Renewed, Part } from '../background/part.ts';
import { oauthFlow } from './oauth-user.ts';
import { findUserApiMistakes } from '../config/rules.ts';

const oauthTokens: PlainTokens = {
  async judge(session, { client }) {
    const isFree = Object.keys(client.provider.allowed).length === 0;
    return isFree ? null : findEnd(client, session).catch(() => null);
  },

  async check(session, { client }) {
    try {
      const problem = await findEnd(client, session);
      if (problem !== null) return end(problem, 'works');
      return toLonger(session, client.world.nowMs() + uncheckedLifetimeSeconds * 1000);
    } catch (error) {
      if (isTokenRefusal(error)) return end(new ProblemError('expired', null, { cause: error }), 'used');
      return toLonger(session, client.world.nowMs() + unknownLifetimeSeconds * 1000);
    }
  },
};

/** Why the user API ends the session; null if the user is the same and may stay. Throws {@link ProblemError}. */
async function findEnd(
  client: ProviderClient,
  { tokens, dpopKey, profile: { subject } }: StoredSession,
): Promise<ProblemError | null> {
  try {
    const { profile } = await requestUser(client, tokens, dpopKey);
    return profile.subject === subject ? null : new ProblemError('expired');
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not-permitted') return error;
    throw error;
  }
}

function end(problem: ProblemError, former: FormerToken): Ended {
  return { outcome: 'ended', problem, former };
}

/** The same tokens, to be used until `expiresAtMs`. */
function toLonger(session: StoredSession, expiresAtMs: number): Renewed {
  const { tokens, dpopKey, authenticatedAtMs, originalClaims } = session;
  const renewed = { tokens: { ...tokens, expiresAtMs }, dpopKey, authenticatedAtMs, originalClaims };
  return { outcome: 'renewed', renewed, former: 'works' };
}

export const part: Part = {
  flowOf: ({ userApi }) => (userApi === null ? null : oauthFlow),
  plainTokens: oauthTokens,
  findMistakes: findUserApiMistakes,
};
