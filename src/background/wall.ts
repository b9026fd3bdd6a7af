// The wall between the worker and the pages: what goes out is compared with what must stay in. Whatever a provider
// repeats in its answers, no token, code, verifier or claim gets into a detail.

import { FetchRefused } from '../bridge/fetch/errors.ts';
import type { AuthorizedFetch } from '../bridge/fetch/serve-fetch.ts';
import { observeClaims, observeTokens } from '../oidc/observe.ts';
import { createSecrets } from '../oidc/secrets.ts';
import { toApiToken } from '../oidc/tokens.ts';
import type { Command, Reply } from '../session/commands.ts';
import { toProblem, type Problem } from '../session/problem.ts';
import {
  settledSession,
  type ProviderId,
  type Session,
  type SignedIn,
  type SignedOut,
} from '../session/session.ts';
import type { ProviderAccess } from './provider/provider-access.ts';
import type { SignedIn as HeldSession } from './record/record.ts';
import type { Records } from './vault/records.ts';

type Handle = (command: Command) => Promise<Reply>;
type Person = { readonly name: string | null; readonly email: string | null };

export interface Wall {
  /** The same records. The wall learns from them the tokens that this worker has not seen in any exchange. */
  watchRecords(records: Records): Records;
  /** The session as pages may see it. */
  guardSession(session: Session): Session;
  /** The same handler, whose replies and errors are as pages may see them. Never rejects. */
  guardReplies(handle: Handle): Handle;
  /** The same fetch, whose refusals are as pages and the feature may see them. */
  guardFetch(fetch: AuthorizedFetch): AuthorizedFetch;
}

/** `ids` are the providers of the build; `accesses` returns each provider that the worker has known. */
export function createWall(
  ids: readonly ProviderId[],
  accesses: () => readonly Pick<ProviderAccess, 'client'>[],
): Wall {
  /** The tokens in the record and the person on the board: this worker has perhaps not seen them in any exchange. */
  const held = createSecrets(ids);
  const heldSessions = new WeakSet<HeldSession>();
  const known = () => [held, ...accesses().map(({ client }) => client.secrets)];
  /** A problem stays on the board for longer than its secrets are remembered. */
  const guarded = new WeakMap<Problem, Problem>();

  const redact = (text: string) => known().reduce((line, secrets) => secrets.redact(line), text);

  const guardProblem = (problem: Problem): Problem => {
    const before = guarded.get(problem);
    if (before !== undefined) return before;
    const { detail } = problem;
    const safe = detail === null ? problem : { ...problem, detail: redact(detail) };
    guarded.set(problem, safe);
    guarded.set(safe, safe);
    return safe;
  };

  /** A provider may send a token as a name. */
  const withoutSecret = (text: string | null) =>
    text !== null && known().some((secrets) => secrets.containsSecret(text)) ? null : text;

  const guardPerson = <T extends Person>(person: T): T => ({
    ...person,
    name: withoutSecret(person.name),
    email: withoutSecret(person.email),
  });

  const guardSettled = (settled: SignedIn | SignedOut): SignedIn | SignedOut => {
    const person = settled.status === 'signed-in' ? settled.profile : settled.lastAccount;
    if (person !== null) observeClaims(held, { ...person });
    const problem = settled.problem && guardProblem(settled.problem);
    if (settled.status === 'signed-out') {
      return { ...settled, problem, lastAccount: settled.lastAccount && guardPerson(settled.lastAccount) };
    }
    const profile = guardPerson(settled.profile);
    const emailVerified = profile.emailVerified && profile.email !== null;
    const picture = withoutSecret(profile.picture);
    return { ...settled, problem, profile: { ...profile, emailVerified, picture } };
  };

  return {
    watchRecords: (records) => ({
      ...records,
      async read() {
        const { record, dpopKey } = await records.read();
        if (record.session !== null && !heldSessions.has(record.session)) {
          heldSessions.add(record.session);
          const { tokens } = record.session;
          observeTokens(held, [toApiToken(tokens), tokens.refreshToken, tokens.idToken]);
        }
        return { record, dpopKey };
      },
    }),

    guardSession(session) {
      const settled = guardSettled(settledSession(session));
      return session.status === 'signing-in' ? { ...session, before: settled } : settled;
    },

    guardReplies: (handle) => async (command) => {
      try {
        const reply = await handle(command);
        return reply.ok ? reply : { ok: false, problem: guardProblem(reply.problem) };
      } catch (error) {
        return { ok: false, problem: guardProblem(toProblem(error)) };
      }
    },

    guardFetch: (fetch) => async (request) => {
      try {
        return await fetch(request);
      } catch (error) {
        if (error instanceof FetchRefused) throw new FetchRefused(error.reason, redact(error.message));
        throw error;
      }
    },
  };
}
