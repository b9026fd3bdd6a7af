// Executes the commands of the extension's pages, such as `open`, which renews and warms up, and an API's request for more.

import { type Command, type Reply, parseCommand } from '../../session/commands.ts';
import { safe, detail, type Detail } from '../../session/detail.ts';
import { problem, ProblemError, toProblem } from '../../session/problem.ts';
import {
  accountOf,
  settledView,
  toLoginHint,
  type AccountHint,
  type ProviderId,
} from '../../session/view.ts';
import type { AutoSignIn } from './auto-sign-in.ts';
import type { SignInFlow, AccessRequest } from './sign-in.ts';
import { singleFlight, withTimeout } from '../../concurrency.ts';
import { isDue } from '../record/pause.ts';
import { type Renewal } from './renewal.ts';
import type { Api, Provider } from '../../config/provider.ts';
import { joinScopes, toApiKey } from '../../oidc/authorize.ts';
import { expectRequestable, readDemand, type AccessOrder } from '../../oidc/challenge.ts';
import { findApi, withoutTokens } from '../record/record.ts';
import { markAttempt } from './new-tokens.ts';
import { refuseNotOffered, type ReadSession } from './usable.ts';
import type { ViewStore } from './store.ts';
import type { AuthWindow } from '../provider/window.ts';
import type { Journal } from '../journal.ts';
import type { Records } from '../record/records.ts';
import type { SignIn } from '../provider/run-flow.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import type { Revocations } from './revocations.ts';
import type { Toolbar } from '../toolbar.ts';
import type { Work } from '../work.ts';
import type { Part, Settings } from '../part.ts';
import type { Serve } from '../../bridge/line/serve-lines.ts';

/** How long a command may take. A page waits a little longer for the reply; nothing but a storage that hangs takes so long. */
const longestMs = 9_000;

/** Serves commands from pages: accepts one when `handle` has, rejects it with the problem that `handle` throws, or if it's unknown. */
export function serveCommands(handle: HandleCommand, journal: Journal, work: Pick<Work, 'track'>): Serve {
  const answer = async (content: unknown): Promise<Reply> => {
    try {
      const command = parseCommand(content);
      if (command === null)
        throw new ProblemError('unexpected', detail`The worker does not know this command.`);
      // A page sends it whenever the pointer comes near.
      if (command.type !== 'prepare') journal.note(detail`command: ${safe(command.type)}`);
      await withTimeout(handle(command), longestMs, () => {
        throw new ProblemError('storage-failed', detail`no answer in time`);
      });
      return { ok: true };
    } catch (error) {
      return { ok: false, problem: toProblem(error) };
    }
  };
  return (content, post) => {
    void work.track(answer(content)).then(post);
    return () => undefined;
  };
}

/** Accepts or rejects a command; the outcome appears on the board. Throws {@link ProblemError} to reject it. */
export type HandleCommand = (command: Command) => Promise<void>;

interface CommandParts extends PopupParts, AccessParts {
  readonly authWindow: Pick<AuthWindow, 'show' | 'mayStayOpen'>;
  readonly start: () => Promise<void>;
  readonly signInFlow: SignInFlow;
  readonly signOut: (everywhere: boolean) => Promise<void>;
}

export function createCommandHandler(parts: CommandParts): HandleCommand {
  const { store, authWindow, signInFlow } = parts;

  const showWindow = async () => {
    if (await authWindow.show()) return;
    // The page shows a different text until the window opens.
    const window = (await authWindow.mayStayOpen()) ? 'left-open' : null;
    const reason = detail`No window proves to be the one of this sign-in.`;
    throw new ProblemError('sign-in-page-failed', reason, { window });
  };

  const useAnotherAccount = (order: Extract<Command, { readonly type: 'use-another-account' }>) => {
    const providerId = order.providerId ?? accountOf(settledView(store.view))?.providerId;
    if (providerId === undefined)
      throw new ProblemError('unexpected', detail`There is no account to change.`);
    return signInFlow.start({ providerId, order, options: { prompt: 'select_account' }, asked: null });
  };

  const forgetAccount = async (account: AccountHint) => {
    await store.dispatch({ type: 'account-forgotten', account });
    // From then on a user has signed out on purpose, and no other one is signed in without a click.
    if (store.view.status === 'signed-out') await execute({ type: 'sign-out', everywhere: false });
  };

  const execute = async (command: Exclude<Command, { readonly type: 'show-window' }>): Promise<void> => {
    switch (command.type) {
      case 'open':
        return onPopupOpened(parts);
      case 'prepare':
        return;
      case 'sign-in':
        return signInFlow.start({
          providerId: command.providerId,
          order: command,
          options: { loginHint: command.hint },
          asked: null,
        });
      case 'cancel':
        return signInFlow.cancel();
      case 'try-again':
        return signInFlow.tryAgain(command.attempt);
      case 'sign-out':
        return parts.signOut(command.everywhere);
      case 'forget-account':
        return forgetAccount(command.account);
      case 'remember-account':
        return store.dispatch({ ...command, type: 'account-remembered' });
      case 'use-another-account':
        return useAnotherAccount(command);
      case 'request-scope':
      case 'step-up':
      case 'answer-challenge':
        return requestAccess(parts, command);
    }
  };

  return async (command) => {
    // A sign-out works even after a start that failed.
    await parts.start().catch((error: unknown) => {
      if (command.type !== 'sign-out') throw error;
    });
    if (command.type === 'show-window') return showWindow();
    // A click comes before an automatic sign-in.
    if (command.type !== 'open' && command.type !== 'prepare') parts.autoSignIn.refuse();
    // It takes effect before anything is waited for.
    await execute(command);
    await (command.type === 'open' ? store.rewriteIfCleared() : store.flushBoard());
  };
}

// Runs when a page of the extension opens: renews and warms up, so that the next click is quick.

/** With more providers than this, only the one of the last account is warmed up. */
const maxWarmedProviders = 5;
/** The pause after a silent try of any kind, so that not every popup loads a hidden page. */
const pauseMs = 10 * 60_000;

interface PopupParts {
  readonly store: ViewStore;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly revocations: Pick<Revocations, 'run'>;
  readonly toolbar: Pick<Toolbar, 'clearAttention'>;
  readonly work: Pick<Work, 'runInBackground'>;
  readonly renewal: Renewal;
  readonly completeProfile: () => Promise<void>;
  readonly autoSignIn: AutoSignIn;
  readonly endWithProvider: () => Promise<void>;
}

/** Call it when a page opens. Rejects with `storage-failed` if the board can't be written. */
export async function onPopupOpened(parts: PopupParts): Promise<void> {
  const { store, providers, work } = parts;
  parts.toolbar.clearAttention();
  parts.autoSignIn.tryAt('popup');
  parts.revocations.run();
  const settled = settledView(store.view);
  const isRepeated = store.markNotice();
  if (settled.status === 'signed-in') return work.runInBackground(keepFresh(parts, isRepeated));
  for (const [id, access] of providers) {
    if (providers.size <= maxWarmedProviders || id === settled.accounts[0]?.providerId) access.warm();
  }
  if (isRepeated) await store.dispatch({ type: 'notice-dismissed' });
}

/** Renews stale tokens. A repeated notice is dismissed only after that, because the renewal may replace it. */
async function keepFresh(parts: PopupParts, isRepeated: boolean): Promise<void> {
  // Asked even if renewals fail: that may be because the user is gone.
  const askProvider = () => parts.work.runInBackground(parts.endWithProvider());
  await parts.renewal.getFresh(null).finally(askProvider);
  if (isRepeated) await parts.store.dispatch({ type: 'notice-dismissed' });
  await parts.completeProfile();
}

interface EndWithProviderParts {
  readonly readSession: ReadSession;
  readonly records: Pick<Records, 'dispatch' | 'dispatchOrHold'>;
  readonly signIn: Pick<SignIn, 'askWhetherSignedIn'>;
  readonly nowMs: () => number;
}

/**
 * A function that ends the session when the provider says that the user is no longer signed in there, if `endWithProvider` is
 * set: a refresh token may outlive that sign-in by months. It asks if that is due, once for all callers, and rejects if the storage
 * fails.
 */
export function createEndWithProvider({
  readSession,
  records,
  signIn,
  nowMs,
}: EndWithProviderParts): () => Promise<void> {
  return singleFlight(async () => {
    const usable = await readSession();
    if (!usable?.access.client.provider.endWithProvider) return;
    const { session } = usable;
    const { id, authenticatedAtMs, silentTriedAtMs } = session;
    // Compared one by one: after the clock was set back, a time ahead of it must not hide the other.
    const times = [authenticatedAtMs, silentTriedAtMs ?? -Infinity];
    if (!times.every((atMs) => isDue(atMs + pauseMs, pauseMs, nowMs()))) return;
    // Stored before it is sent, so that it isn't repeated at each start if the worker dies before the response.
    if ((await markAttempt(records, session, { silentTriedAtMs: nowMs() })) === 'gone') return;
    const answer = await usable.askSilently(signIn.askWhetherSignedIn);
    // A window was open, so nothing was asked. It's asked at the next chance.
    if (answer === 'unasked') await markAttempt(records, session, { silentTriedAtMs });
    if (answer !== 'login-required') return;
    const held = (await readSession())?.session;
    // Another sign-in, even a silent one, may have come in the meantime, and it is newer than the response.
    if (held?.id !== id || held.authenticatedAtMs !== authenticatedAtMs) return;
    const reason = problem('expired', detail`silent sign-in: login_required`);
    await records.dispatchOrHold({ type: 'ended', cause: held, former: 'works', problem: reason });
  });
}

// Asks the signed-in user for more because an API requires it: a scope, or a new authentication.

interface AccessParts {
  readonly store: ViewStore;
  readonly readSession: ReadSession;
  readonly signInFlow: Pick<SignInFlow, 'start'>;
  readonly part: Pick<Part, 'expectOwnScope'>;
  readonly policy: Settings<'managed'>;
}

/**
 * Starts the sign-in that a command asks for. Throws {@link ProblemError}: `unexpected` for a command that makes no sense now,
 * `not-permitted` if the settings don't allow it.
 */
async function requestAccess(
  { store, readSession, signInFlow, part, policy }: AccessParts,
  command: AccessOrder | Extract<Command, { readonly type: 'answer-challenge' }>,
): Promise<void> {
  const demand =
    command.type === 'answer-challenge'
      ? await readDemand(command.challenge, command.error, command.api)
      : command;
  if (demand === null)
    throw unexpected(detail`The response asks for nothing that the user could be asked for.`);
  const usable = await readSession();
  // From here to the start nothing is awaited. A page waits for the result of its own request, so this one must not raise another's
  // window.
  if (store.view.status === 'signing-in') throw unexpected(detail`Another sign-in is running.`);
  if (settledView(store.view).status !== 'signed-in')
    throw unexpected(detail`No one is signed in, so there is no one to ask for more access.`);
  // A policy is awaited, or has just taken the provider away.
  if (usable === null) throw refuseNotOffered(policy.inForce);
  const { profile, additionalScope, apis } = usable.session;
  const { provider } = usable.access.client;
  const asked: AccessRequest = { user: profile, additionalScope, apis: withoutTokens(apis), api: null };
  const api = demand.api === undefined ? null : findApiAt(provider, demand.api);
  const { providerId } = profile;
  const apiName = api?.name ?? provider.name;
  const next = { providerId, order: demand, options: { loginHint: toLoginHint(profile) }, apiName };
  if (demand.type === 'request-scope') {
    expectRequestable(api ?? provider, demand.scope);
    part.expectOwnScope?.(provider, api, demand.scope);
    return signInFlow.start({ ...next, asked: withScope(asked, api, demand.scope) });
  }
  if (provider.userApi !== null)
    throw new ProblemError('not-supported', detail`step-up: without an ID token nothing would prove it`);
  const options = { ...next.options, stepUp: demand };
  return signInFlow.start({ ...next, options, asked });
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
