// A sign-out: this device first, then the revocations, then, if the user asked for it, the session at the provider.

import * as v from '../../session/shape.ts';
import { withTimeout } from '../../concurrency.ts';
import { safe, detail } from '../../session/detail.ts';
import { ProblemError, toProblem } from '../../session/problem.ts';
import { settledView, type ProviderId, type View, type SignedOut } from '../../session/view.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import { readItem, signOutMarkKey } from '../storage.ts';
import type { StorageArea } from '../../bridge/session/board.ts';
import { readEndSessionResponse } from '../../oidc/end.ts';
import type { AuthWindow } from '../provider/window.ts';
import type { ViewStore } from './store.ts';
import { requestEnd, type ReadSession, type UsableSession } from './usable.ts';
import type { Records } from '../record/records.ts';
import type { Journal } from '../journal.ts';
import type { Work } from '../work.ts';

/** The end of a session at the provider. Without the session, no token says whose it is. */
type Ending = Parameters<typeof requestEnd>[0];

/** How long the record may take before the sign-out is remembered elsewhere. */
const patienceMs = 3_000;

interface SignOutParts {
  readonly store: ViewStore;
  readonly readSession: ReadSession;
  readonly records: Records;
  readonly signOutMark: SignOutMark;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly authWindow: Pick<AuthWindow, 'cancel' | 'open'>;
  readonly redirectUri: (providerId: ProviderId) => string;
  readonly reopenPopup: () => Promise<void>;
  readonly journal: Journal;
  readonly work: Pick<Work, 'runInBackground'>;
}

/**
 * A function that signs the user out and resolves when this device has forgotten them; the provider is told afterwards. It also ends a
 * sign-in that is running. With `everywhere` it then opens the provider's page for ending the session there.
 *
 * If the session can't be removed from the disk, the board says so. It's gone from the worker's memory, and the worker removes it
 * from the disk with the next event that it stores; the next worker removes it first. Throws {@link ProblemError} `storage-failed` if
 * no note could be left for the next worker, or the board couldn't be written.
 */
export function createSignOut(parts: SignOutParts): (everywhere: boolean) => Promise<void> {
  const { store, readSession, records, signOutMark, providers, journal } = parts;
  /**
   * Ends the session in the record. If that fails, or takes too long, it leaves a mark for the next worker to do it. Resolves with
   * the session, if it could be read, the problem, and whether the mark is stored.
   */
  const forget = async () => {
    const stored = readSession().catch(() => null);
    const ended = records
      .dispatchOrHold({ type: 'signed-out', by: 'user' })
      .then(() => (records.hasHeld() ? 'held' : 'done'));
    const outcome = await withTimeout(ended, patienceMs, () => 'late' as const);
    journal.note(outcome === 'done' ? detail`device-signed-out: done` : detail`device-signed-out: failed`);
    // The record itself may hang.
    const usable = await (outcome === 'late' ? withTimeout(stored, 0, () => null) : stored);
    if (outcome === 'done') return { usable, problem: null, isRemembered: true };
    const isRemembered = await signOutMark.write(usable?.session.id ?? true);
    // The slow sign-out may have been stored before the mark. A second one changes nothing.
    void ended.then(signOutMark.remove);
    const isLate = outcome === 'late' && isRemembered;
    return { usable, problem: isLate ? null : new ProblemError('storage-failed'), isRemembered };
  };

  /**
   * Opens the provider's page for ending the session (RP-Initiated Logout 1.0). `open` unless the provider has confirmed the end:
   * after a closed window, a failed page or without a network, it hasn't.
   */
  const askProvider = async (ending: Ending): Promise<'ended' | 'open'> => {
    const uri = parts.redirectUri(ending.access.client.provider.id);
    const request = await requestEnd(ending, uri);
    if (request === null) return 'open';
    const { state, url } = request;
    const evidence = { state, requestUri: null, origin: new URL(url).origin };
    // Someone may be signing in again before the provider's metadata has come.
    const responseUrl = await parts.authWindow.open(url, evidence, () => isEnding(store.view));
    return readEndSessionResponse(request, uri, responseUrl) === 'confirmed' ? 'ended' : 'open';
  };

  const endProviderSession = async (ending: Ending) => {
    // A page may have to show the window's state before the window is there. A board that can't be written keeps no one waiting.
    await store.publish().catch(() => undefined);
    const status = await askProvider(ending).catch(() => 'open' as const);
    journal.note(detail`provider-session: ${safe(status)}`);
    await store.dispatch({ type: 'provider-session-reported', status });
    void parts.reopenPopup();
  };

  /** Begins to end the session at the provider, unless someone is signing in by now. */
  const beginAtProvider = (providerId: ProviderId, usable: UsableSession | null) => {
    if (store.view.status !== 'signed-out') return;
    const access = providers.get(providerId);
    const ending = usable ?? (access && { session: null, access });
    // A provider that a policy has just removed can no longer be asked.
    const status = ending === undefined ? 'open' : 'ending';
    store.apply({ type: 'signed-out', providerSession: { providerId, status } });
    if (ending !== undefined) parts.work.runInBackground(endProviderSession(ending));
  };

  return async (everywhere) => {
    const session = store.view;
    const settled = settledView(session);
    // A second sign-out leaves the page open on which the first one ends the session at the provider.
    const ending = isEnding(session) ? session.providerSession : null;
    // First in memory, so that everything in flight notices that it's obsolete. Last on the board: if the worker dies before that,
    // the user sees that they're still signed in.
    store.apply({ type: 'signed-out', providerSession: ending });
    const [{ usable, problem, isRemembered }] = await Promise.all([
      forget(),
      ending === null ? parts.authWindow.cancel() : Promise.resolve(),
    ]);
    // After a start that failed, only the record knows the user.
    const user = settled.status === 'signed-in' ? settled.profile : usable?.session.profile;
    if (everywhere && user !== undefined) beginAtProvider(user.providerId, usable);
    if (problem !== null) store.apply({ type: 'sign-out-incomplete', problem: toProblem(problem) });
    // The pages couldn't show it, so the one that asked says so.
    await store.publish();
    if (problem !== null && !isRemembered) throw problem;
  };
}

const asBoolean = [() => true, () => false] as const;

/** Whether the page for ending the session at the provider is open, or about to open. */
function isEnding(session: View): session is SignedOut {
  return session.status === 'signed-out' && session.providerSession?.status === 'ending';
}

// Remembers a sign-out that couldn't be stored in the record, for the next worker.

export type SignOutMark = ReturnType<typeof createSignOutMark>;

const markSchema = v.union([v.string(), v.literal(true)]);

/** The mark in `local`, which lasts. It is for a worker that finds the session on the disk, and must not end a later one. */
export function createSignOutMark(local: StorageArea, records: Pick<Records, 'hasUnstored' | 'subscribe'>) {
  let isMarked = false;

  /** Removes it as soon as the sign-out is stored. If that fails, the next change of the record tries again. */
  const remove = () => {
    if (!isMarked || records.hasUnstored()) return;
    isMarked = false;
    local.remove(signOutMarkKey).catch(() => (isMarked = true));
  };
  const expect = () => {
    isMarked = true;
    records.subscribe(remove);
  };

  return {
    /** The id of the session that the user has ended; true if the record couldn't be read, null without a mark. */
    async read(): Promise<string | true | null> {
      const mark = await readItem(local, signOutMarkKey, markSchema);
      if (mark !== null) expect();
      return mark;
    },
    /** Whether it could be stored. */
    write(mark: string | true): Promise<boolean> {
      expect();
      return local.set({ [signOutMarkKey]: mark }).then(...asBoolean);
    },
    remove,
  };
}
