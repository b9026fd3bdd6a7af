// Wires the parts of the session together around the store.

import type { Board } from '../../bridge/session/board.ts';
import type { ProviderId, View } from '../../session/view.ts';
import { noteMoves } from '../journal.ts';
import type { InForce } from '../policy/policy.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import type { SignIn } from '../provider/run-flow.ts';
import { createAutoSignIn } from './auto-sign-in.ts';
import { createBeginSession, createCompleteProfile, createSignInFlow } from './sign-in.ts';
import {
  createCommandHandler,
  type HandleCommand,
  createPopupOpened,
  createRequestAccess,
} from './commands.ts';
import { createCurrentUser, type CurrentUser } from '../feature/feature-worker.ts';
import type { CreateDeviceSignIn } from './device.ts';
import { createFollowRecord, createViewStore } from './store.ts';
import type { SessionParts } from './parts.ts';
import { withPolicyProblem } from '../policy/policy-problem.ts';
import { createRenewal, type Renewal } from './renewal.ts';
import { createRevocations, type Revocations } from './revocations.ts';
import { createSignOutFlow } from './sign-out.ts';
import { createStart } from './start.ts';
import type { Tasks } from '../work.ts';

/** The session's surroundings. */
export interface SessionSurroundings extends Omit<
  SessionParts,
  'store' | 'revocations' | 'signIn' | 'windowSignIn' | 'device'
> {
  readonly createSignIn: (revocations: Revocations) => SignIn;
  /** Null if no provider is used with a code. */
  readonly createDeviceSignIn?: CreateDeviceSignIn | null;
}

export interface WiredSession {
  /** Restores the session, once in a worker's life. Everything else waits for it. Rejects if the storage fails. */
  readonly start: () => Promise<void>;
  readonly handle: HandleCommand;
  readonly currentUser: CurrentUser;
  readonly renewal: Renewal;
  /** Clears permission errors once access is granted, and retries what needs no click. */
  readonly onHostsAllowed: () => Promise<void>;
  /** Restores the session when the browser has started, or the extension was installed. */
  readonly onBrowserStarted: () => Promise<void>;
  /**
   * Ends what a policy that has changed no longer allows, when the providers that are offered have changed already. Rejects
   * if the storage fails; the next worker then ends the rest.
   */
  readonly onPolicyChanged: () => Promise<void>;
}

/** Wires the session. Everything that the result does counts as work under way until it has settled. */
export function wireSession(surroundings: SessionSurroundings): WiredSession {
  const { boards, providers, inForce, toolbar, journal, tasks, nowMs } = surroundings;
  const store = createViewStore(boards, (session) =>
    toBoard(withPolicyProblem(session, inForce().problem), providers, inForce()),
  );
  const currentUser = createCurrentUser();
  store.subscribe(noteMoves(journal, providers, nowMs));
  store.subscribe(currentUser.follow);
  store.subscribe(toolbar.show);

  const reopenPopup = {
    async show() {
      // It would cover the window of the next sign-in.
      if (store.current().status === 'signing-in') return;
      // An update must not close the popup that has just been opened.
      await tasks.track(surroundings.reopenPopup.show());
    },
  };
  const revocations = createRevocations(surroundings);
  const windowSignIn = surroundings.createSignIn(revocations);
  const before = { ...surroundings, store, reopenPopup, revocations, windowSignIn };
  const device = surroundings.createDeviceSignIn?.(before);
  const base: SessionParts = { ...before, device, signIn: device ?? windowSignIn };
  const followRecord = createFollowRecord(base);
  const renewal = createRenewal(base);
  const completeProfile = createCompleteProfile(base);
  const beginSession = createBeginSession({ ...base, completeProfile });
  const signInFlow = createSignInFlow({ ...base, beginSession });
  const followPolicy = async () => {
    // A board that cannot be written keeps neither.
    await Promise.all([signInFlow.endOther(), followRecord.endIfNotAllowed()]);
    await store.publish();
  };
  const start = tracked(tasks, createStart({ ...base, followRecord, signInFlow, followPolicy }));
  const signOutFlow = createSignOutFlow(base);
  const autoSignIn = createAutoSignIn({ ...base, beginSession });
  const onPopupOpened = createPopupOpened({ ...base, renewal, completeProfile, autoSignIn });

  return {
    start,
    handle: tracked(
      tasks,
      createCommandHandler({
        ...base,
        start,
        signInFlow,
        signOutFlow,
        onPopupOpened,
        autoSignIn,
        requestAccess: createRequestAccess({ ...base, signInFlow }),
      }),
    ),
    currentUser,
    renewal,
    onHostsAllowed: tracked(tasks, async () => {
      await start();
      await store.dispatch({ type: 'notice-dismissed' });
      await onPopupOpened();
    }),
    onBrowserStarted: tracked(tasks, async () => {
      await start();
      autoSignIn.tryAt('startup');
    }),
    onPolicyChanged: tracked(tasks, async () => {
      await start();
      await followPolicy();
    }),
  };
}

/** The same function, but each call counts as work under way. */
function tracked<Arguments extends readonly unknown[], T>(
  { track }: Tasks,
  work: (...args: Arguments) => Promise<T>,
): (...args: Arguments) => Promise<T> {
  return (...args) => track(work(...args));
}

function toBoard(
  session: View,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  { managed, problem }: InForce,
): Board {
  const by = managed === 'awaited' ? null : (managed?.by ?? null);
  return {
    version: 1,
    session,
    providers: [...providers.values()].map(({ client: { provider }, known }) => ({
      id: provider.id,
      name: provider.name,
      endsSession: known()?.end_session_endpoint !== undefined,
    })),
    managed: managed !== null,
    ...(by !== null && { managedBy: by }),
    ...(problem !== null && { policyProblem: problem }),
  };
}
