// The steps between an authorization request and its response: the user chooses an account and consents.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Context, Grant, Interaction, Provider } from 'oidc-provider';
import { billsResource, confirmedAcr } from './bills.ts';
import { pageHeaders, accountPage, consentPage, errorPage } from './pages.ts';
import { findUser, people } from './people.ts';

export interface InteractionState {
  /** The scopes that each user has consented to, by the user's id. */
  readonly consents: Map<string, ReadonlySet<string>>;
  /** The PKCE challenges of the requests that asked for `offline_access`. */
  readonly offlineChallenges: Set<unknown>;
}

/**
 * The grant of a sign-in, from the consent just given or from an earlier one. Each sign-in gets its own grant, so revoking its
 * tokens leaves those of other sign-ins valid, and the user need not consent again.
 */
export async function loadGrant(
  provider: Provider,
  { consents }: InteractionState,
  { oidc }: Context,
): Promise<Grant | undefined> {
  const justGiven = oidc?.result?.consent?.grantId;
  if (justGiven !== undefined) return provider.Grant.find(justGiven);
  const accountId = oidc?.session?.accountId ?? '';
  const scopes = consents.get(accountId);
  if (!scopes || !oidc?.client) return undefined;
  return createGrant(provider, accountId, oidc.client.clientId, scopes);
}

async function createGrant(
  provider: Provider,
  accountId: string,
  clientId: string,
  scopes: ReadonlySet<string>,
): Promise<Grant> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope([...scopes].join(' '));
  grant.addResourceScope(billsResource, [...scopes].join(' '));
  await grant.save();
  return grant;
}

/** Shows the page of the interaction at this URL, or processes its form and continues. */
export async function answerInteraction(
  provider: Provider,
  state: InteractionState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.writeHead(200, pageHeaders).end(pageOf(interaction, state));
    return;
  }
  const form = new URLSearchParams(await text(request));
  const result = await resultOf(provider, state, interaction, form);
  if (result) return provider.interactionFinished(request, response, result);
  response
    .writeHead(400, pageHeaders)
    .end(errorPage('Unknown choice', 'The page has no such button. Go back and choose one.'));
}

function pageOf({ prompt, params, session }: Interaction, state: InteractionState): string {
  const currentId = session?.accountId ?? null;
  const user = findUser(currentId ?? '');
  if (prompt.name === 'consent' && user) return consentPage(user, scopesIn(params, state));
  const hint = params['login_hint'];
  return accountPage(people, { hint: typeof hint === 'string' ? hint : null, currentId });
}

/** The interaction result of the pressed button, as oidc-provider expects it. Null for an unknown button. */
async function resultOf(
  provider: Provider,
  state: InteractionState,
  { prompt, params, session }: Interaction,
  form: URLSearchParams,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (form.has('cancel') || form.has('deny')) {
    return { error: 'access_denied', error_description: 'The user declined.' };
  }
  if (prompt.name !== 'consent') {
    const user = findUser(form.get('account') ?? '');
    const wanted = String(params['acr_values'] ?? '').split(' ');
    const acr = wanted.includes(confirmedAcr) ? { acr: confirmedAcr } : {};
    return user && { login: { accountId: user.id, ...acr }, select_account: {} };
  }
  const [accountId, clientId] = [session?.accountId, params['client_id']];
  if (!form.has('allow') || accountId === undefined || typeof clientId !== 'string') return null;
  const scopes = new Set([...(state.consents.get(accountId) ?? []), ...scopesIn(params, state)]);
  state.consents.set(accountId, scopes);
  const grant = await createGrant(provider, accountId, clientId, scopes);
  return { consent: { grantId: grant.jti } };
}

/** The requested scopes, including the offline_access that oidc-provider removes from most requests. */
function scopesIn(params: Interaction['params'], { offlineChallenges }: InteractionState): readonly string[] {
  const scopes = new Set(String(params['scope']).split(' '));
  if (offlineChallenges.has(params['code_challenge'])) scopes.add('offline_access');
  return [...scopes];
}
