// Asks the signed-in user for more because an API wants it: a scope, or another authentication.

import type { Api, Provider } from '../../config/provider.ts';
import { joinScopes, toApiKey } from '../../oidc/access.ts';
import { readDemand, type AccessOrder } from '../../oidc/challenge.ts';
import type { Command } from '../../session/commands.ts';
import { detail, type Detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { settledView } from '../../session/session.ts';
import { findApi, withoutTokens } from '../record/record.ts';
import type { AccessRequest } from './begin-session.ts';
import type { UsableSession } from './permission.ts';
import type { SessionParts } from './parts.ts';
import type { SignInFlow } from './sign-in-flow.ts';

/** Starts the sign-in that a command asks for. Throws {@link ProblemError}: `unexpected` if it cannot be meant, `not-permitted` if the settings don't allow it now. */
export type RequestAccess = (
  command: AccessOrder | Extract<Command, { readonly type: 'answer-challenge' }>,
) => Promise<void>;

export function createRequestAccess(
  parts: SessionParts & { readonly signInFlow: SignInFlow },
): RequestAccess {
  const { store, readSession, signInFlow } = parts;

  /** The user's session and provider. Nothing is awaited between this and the start. */
  const findUser = (usable: UsableSession | null) => {
    // A page waits for the result of its own request, so this one must not raise another's window.
    if (store.current().status === 'signing-in') throw unexpected(detail`Another sign-in is running.`);
    if (settledView(store.current()).status !== 'signed-in')
      throw unexpected(detail`No one is signed in, so there is no one to ask for more access.`);
    // A policy is awaited, or has just taken the provider away.
    if (usable === null) throw new ProblemError('not-permitted', detail`the provider is not offered`);
    const { profile, additionalScope, apis } = usable.session;
    const asked: AccessRequest = { user: profile, additionalScope, apis: withoutTokens(apis), api: null };
    return { profile, provider: usable.access.client.provider, asked };
  };

  return async (command) => {
    const demand =
      command.type === 'answer-challenge'
        ? await readDemand(command.challenge, command.error, command.api)
        : command;
    if (demand === null)
      throw unexpected(detail`The response asks for nothing that the user could be asked for.`);
    const { profile, provider, asked } = findUser(await readSession());
    const api = demand.api === undefined ? null : findApiAt(provider, demand.api);
    const { providerId, email } = profile;
    const next = { providerId, order: demand, options: { loginHint: email ?? undefined } };
    if (demand.type === 'request-scope')
      return signInFlow.start({ ...next, asked: withScope(asked, api, demand.scope) });
    if (provider.userApi !== null)
      throw new ProblemError('not-supported', detail`step-up: without an ID token nothing would prove it`);
    const options = { ...next.options, stepUp: demand };
    return signInFlow.start({ ...next, options, asked, apiName: api?.name ?? provider.name });
  };
}

/** The API with this origin; null if it uses the token of the sign-in. Throws {@link ProblemError} if no API has it. */
function findApiAt({ apiOrigins, apis }: Provider, origin: string): Api | null {
  const api = apis.find(({ origins }) => origins.includes(origin));
  if (api === undefined && !apiOrigins.includes(origin))
    throw unexpected(detail`No API of the configuration has the origin of the response.`);
  return api ?? null;
}

function withScope(asked: AccessRequest, api: Api | null, scope: string): AccessRequest {
  if (api === null) return { ...asked, additionalScope: joinScopes(asked.additionalScope, scope) };
  const grant = findApi(asked, toApiKey(api));
  const others = asked.apis.filter(({ key }) => key !== grant.key);
  const additionalScope = joinScopes(grant.additionalScope, scope);
  return { ...asked, api, apis: [...others, { ...grant, additionalScope }] };
}

function unexpected(reason: Detail): ProblemError {
  return new ProblemError('unexpected', reason);
}
