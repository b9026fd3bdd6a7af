// The tokens of plain OAuth 2 after the sign-in. Without a refresh token, they're checked at the user API, because there is no
// silent sign-in that could bring others. The user API also says whether the user may stay.

import { uncheckedLifetimeSeconds, isTokenRefusal, requestUser } from './oauth-user';
import { unknownLifetimeSeconds } from '../oidc/tokens.ts';
import { ProblemError } from '../session/problem.ts';
import type { FormerToken } from '../background/record/record.ts';
import type { UsableSession } from '../background/session/usable.ts';
import type { PlainTokens, Ended, Renewed, Part } from '../background/part.ts';
import { oauthFlow } from './oauth-user.ts';
import { findUserApiMistakes } from '../config/rules.ts';

const oauthTokens: PlainTokens = {
  async judge(usable) {
    const isFree = Object.keys(usable.access.client.provider.allowed).length === 0;
    return isFree ? null : findEnd(usable).catch(() => null);
  },

  async check(usable) {
    try {
      const problem = await findEnd(usable);
      return problem === null ? toLonger(usable, uncheckedLifetimeSeconds) : end(problem, 'works');
    } catch (error) {
      if (isTokenRefusal(error)) return end(new ProblemError('expired', null, { cause: error }), 'used');
      return toLonger(usable, unknownLifetimeSeconds);
    }
  },
};

/** Why the user API ends the session; null if the user is the same and may stay. Throws {@link ProblemError}. */
async function findEnd({ session, access }: UsableSession): Promise<ProblemError | null> {
  try {
    const { profile } = await requestUser(access.client, session.tokens, session.dpopKey);
    return profile.subject === session.profile.subject ? null : new ProblemError('expired');
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not-permitted') return error;
    throw error;
  }
}

function end(problem: ProblemError, former: FormerToken): Ended {
  return { outcome: 'ended', problem, former };
}

/** The same tokens, to be used for so long from now on. */
function toLonger({ session, access }: UsableSession, seconds: number): Renewed {
  const { tokens, dpopKey, authenticatedAtMs, originalClaims } = session;
  const expiresAtMs = access.client.world.nowMs() + seconds * 1000;
  const renewed = { tokens: { ...tokens, expiresAtMs }, dpopKey, authenticatedAtMs, originalClaims };
  return { outcome: 'renewed', renewed, former: 'works' };
}

export const part: Part = {
  flowOf: ({ userApi }) => (userApi === null ? null : oauthFlow),
  plainTokens: oauthTokens,
  findMistakes: findUserApiMistakes,
};
