// Asks the signed-in person for more because an API wants it: a scope, or another authentication.

import type { Api, Provider } from '../../config/provider.ts';
import { joinScopes, toApiKey } from '../../oidc/access.ts';
import { readDemand, type StepUp } from '../../oidc/challenge.ts';
import type { SignInRequest } from '../../session/commands.ts';
import { words, type Detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { settledSession } from '../../session/session.ts';
import { findApi, type SignedIn } from '../record/record.ts';
import type { Asked } from './begin-session.ts';
import type { SessionParts } from './parts.ts';
import type { SignInFlow } from './sign-in-flow.ts';

/** Starts the sign-in that a command asks for. Throws {@link ProblemError}: `unexpected` if it cannot be meant. */
export type RequestAccess = (
  command:
    | Extract<SignInRequest, { readonly type: 'request-scope' | 'step-up' }>
    | { readonly type: 'answer-challenge'; readonly challenge: string; readonly api: string },
) => Promise<void>;

export function createRequestAccess(
  parts: SessionParts & { readonly signInFlow: SignInFlow },
): RequestAccess {
  const { store, providers, readSession, signInFlow } = parts;

  /** The person's session and provider. Nothing is awaited between this and the start. */
  const findPerson = (stored: SignedIn | null) => {
    // A page waits for the result of its own request, so this one must not raise another's window.
    if (store.current().status === 'signing-in') throw unexpected(words`Another sign-in is running.`);
    const settled = settledSession(store.current());
    const provider =
      settled.status === 'signed-in' && providers.get(settled.profile.providerId)?.client.provider;
    if (settled.status !== 'signed-in' || !provider)
      throw unexpected(words`No one is signed in, so there is no one to ask for more access.`);
    const { additionalScope = '', apis = [] } = stored ?? {};
    const asked: Asked = {
      additionalScope,
      apis: apis.map((api) => ({ ...api, token: null, pause: null })),
      api: null,
    };
    return { profile: settled.profile, provider, asked };
  };

  const requestScope = async (scope: string, origin: string | undefined) => {
    const { profile, provider, asked } = findPerson(await readSession());
    const api = origin === undefined ? null : findApiAt(provider, origin);
    await signInFlow.start(
      profile.providerId,
      { type: 'request-scope', scope, ...(origin !== undefined && { api: origin }) },
      { loginHint: profile.email ?? undefined },
      withScope(asked, api, scope),
    );
  };

  const stepUp = async (wanted: StepUp, origin: string) => {
    const { profile, provider, asked } = findPerson(await readSession());
    const apiName = findApiAt(provider, origin)?.name ?? provider.name;
    if (provider.userApi !== null)
      throw new ProblemError('not-supported', words`step-up: without an ID token nothing would prove it`);
    await signInFlow.start(
      profile.providerId,
      { type: 'step-up', ...wanted, api: origin },
      { loginHint: profile.email ?? undefined, stepUp: wanted },
      asked,
      apiName,
    );
  };

  return async (command) => {
    if (command.type === 'request-scope') return requestScope(command.scope, command.api);
    if (command.type === 'step-up') return stepUp(command, command.api);
    const demand = await readDemand(command.challenge);
    if (demand === null) throw unexpected(words`The response asks the person for nothing.`);
    return demand.type === 'scope'
      ? requestScope(demand.scope, command.api)
      : stepUp(demand.stepUp, command.api);
  };
}

/** The API with this origin; null if it uses the token of the sign-in. Throws {@link ProblemError} if no API has it. */
function findApiAt({ apiOrigins, apis }: Provider, origin: string): Api | null {
  const api = apis.find(({ origins }) => origins.includes(origin));
  if (api === undefined && !apiOrigins.includes(origin))
    throw unexpected(words`No API of the configuration has the origin of the response.`);
  return api ?? null;
}

function withScope(asked: Asked, api: Api | null, scope: string): Asked {
  if (api === null) return { ...asked, additionalScope: joinScopes(asked.additionalScope, scope) };
  const grant = findApi(asked, toApiKey(api));
  const others = asked.apis.filter(({ key }) => key !== grant.key);
  const additionalScope = joinScopes(grant.additionalScope, scope);
  return { ...asked, api, apis: [...others, { ...grant, additionalScope }] };
}

function unexpected(detail: Detail): ProblemError {
  return new ProblemError('unexpected', detail);
}
