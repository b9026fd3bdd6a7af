// The invariants: some hold after each write, all of it at rest.

import { settledView } from '../../../src/session/view.ts';
import type { Held } from '../held.ts';
import { boardKey } from '../../../src/bridge/session/board.ts';
import { signOutMarkKey } from '../../../src/background/storage.ts';
import type { Stage } from './stage.ts';
import { shownIn } from './witness.ts';

export const invariants = {
  user: "The board's user is the record's.",
  wish: 'A user who has signed out stays signed out.',
  answers: 'Every command is answered, and every request of a feature is settled.',
  settles: 'No sign-in is shown that is not running.',
  tokens: 'Each refresh token that was received is held, queued for revocation or revoked.',
  live: 'The refresh token of the session was neither spent nor revoked, and none is sent again.',
  queue: 'A refresh token that is no longer used is revoked as soon as the provider can be reached.',
  windows: 'At most one window of ours is open, and only while the board shows its flow.',
  others: "No other's window is raised or closed.",
  cancelled: 'A sign-in that was shown as cancelled or failed signs no one in.',
  ended: 'In the end, each token that no session holds is revoked.',
  apis: 'Each API gets only tokens that are for it, of the user who made the request.',
  served:
    'A request of a feature is answered as long as its token is good, and in the end in any case. So is a command.',
  lasts: 'A session lasts until the user, a policy or the provider ends it.',
  own: 'Only the user cancels a sign-in, and none that has succeeded begins again.',
  left: 'No board is left on the device while the key is in the browser.',
  toolbar: 'The toolbar shows what the board shows.',
  note: 'No note of a sign-out is left when nothing moves.',
  code: 'No code is kept for which no sign-in waits.',
  hasty: 'A request for tokens, or to revoke one, that has failed is not repeated at once.',
  closed: 'A cancel leaves no window open.',
  policy: 'No session and no sign-in of a provider that the policy excludes stays.',
  next: 'The next sign-in and sign-out work.',
} as const;

export interface Violation {
  readonly invariant: keyof typeof invariants;
  readonly detail: string;
}

/** The board and the record in a few words. */
export function describe(stage: Stage, { session, pendingRevocations }: Held): string {
  const shown = stage.session();
  const code = shown === null ? null : settledView(shown).problem?.code;
  const board = `${shown?.status ?? 'nothing'}, ${shownIn(stage.session()) ?? 'no one'}, ${code ?? 'no problem'}`;
  return `board: ${board}; record: ${session?.subject ?? 'no one'}, ${pendingRevocations.length} to revoke`;
}

/**
 * After a write. In the middle of a move board and record may differ in two ways: one of them has no session (a sign-out, or the
 * end of a session, has reached only one of them), or the board shows the very sign-in whose user is in the record already.
 * A board that shows one user while the record holds another is wrong at any time, but for a write that is done and seems to have failed
 * on a disk that then fails for good.
 */
export function checkWritten(stage: Stage, { session }: Held): Violation[] {
  const [shown, board] = [shownIn(stage.session()), stage.session()];
  if (shown === null || session === null || shown === session.subject || stage.faults.failed > 1) return [];
  if (board?.status === 'signing-in' && board.startedAtMs === session.startedAtMs) return [];
  return [{ invariant: 'user', detail: `board: ${shown}, record: ${session.subject}` }];
}

/** When nothing moves, though a window may be open. */
export function checkIdle(stage: Stage, held: Held): Violation[] {
  const waiting = stage.witness.asked.filter(({ life, reply }) => life === stage.life && reply() === null);
  return [
    ...waiting.map(({ what }) => ({ invariant: 'answers' as const, detail: what })),
    ...checkWindows(stage),
    ...checkCancelled(stage),
    // A try that has failed is repeated when the next page opens, and a sign-in delays it.
    ...(stage.isDisturbed || stage.faults.failed > 0 || isFlowShown(stage) ? [] : checkQueue(stage, held)),
  ];
}

/** At rest, no window is open, and a page has been opened since. */
export async function checkAtRest(stage: Stage): Promise<Violation[]> {
  const held = await stage.held();
  const { session } = held;
  const [board, shown] = [stage.session(), shownIn(stage.session())];
  const isRun = stage.own.some(({ isOver, life }) => !isOver && life === stage.life);
  const found: Violation[] = [
    ...checkIdle(stage, held),
    ...checkQueue(stage, held),
    ...checkTokens(stage, held),
    ...checkToolbar(stage),
    ...stage.witness.seen,
  ];
  if (shown !== (session?.subject ?? null)) {
    found.push({ invariant: 'user', detail: `at rest, ${describe(stage, held)}` });
  }
  if (shown !== null && stage.witness.isSignedOut())
    found.push({ invariant: 'wish', detail: `${shown} is shown` });
  // If it can't be removed, the next worker does it.
  if (stage.faults.failed === 0) found.push(...checkNote(stage));
  if (held.deviceCode !== null && board?.status !== 'signing-in')
    found.push({ invariant: 'code', detail: `${held.deviceCode} is in the record` });
  if (stage.place === 'browser' && stage.worker.local.items.has(boardKey))
    found.push({ invariant: 'left', detail: 'it is there' });
  for (const token of stage.provider.strayed) found.push({ invariant: 'apis', detail: `${token} was sent` });
  if (stage.faults.failed === 0)
    for (const token of stage.provider.hasty)
      found.push({ invariant: 'hasty', detail: `${token} was sent again` });
  if (isFlowShown(stage) && !isRun)
    found.push({ invariant: 'settles', detail: `the board is ${board?.status}` });
  // A session whose write is done and fails is withdrawn. If that write fails too, the withdrawal ends with its worker.
  if (session !== null && stage.faults.failed < 2 && stage.witness.cancelled.has(session.startedAtMs)) {
    found.push({ invariant: 'cancelled', detail: describe(stage, held) });
  }
  if (stage.rule === 'nothing is offered' && (session !== null || board?.status !== 'signed-out')) {
    found.push({ invariant: 'policy', detail: describe(stage, held) });
  }
  return found;
}

/** The icon of each status. */
const icons = {
  'signed-in': 'latchkey',
  'signed-out': 'latchkey-signed-out',
  'signing-in': 'latchkey-signing-in',
} as const;

/** A page has been opened, so nothing is unseen. */
function checkToolbar(stage: Stage): Violation[] {
  const session = stage.session();
  const { icon, badge } = stage.worker.toolbar;
  if (session === null) return [];
  if (icon !== icons[session.status]) return [{ invariant: 'toolbar', detail: `the icon is ${icon}` }];
  const isBadgeDue = settledView(session).problem !== null;
  return badge === '' || isBadgeDue ? [] : [{ invariant: 'toolbar', detail: 'a badge asks for nothing' }];
}

/** The last thing that was asked for is a cancel, and it was done. */
function checkCancelled({ witness: { asked }, own, life }: Stage): Violation[] {
  const last = asked.at(-1);
  const reply = last?.reply() ?? null;
  if (last?.what !== 'cancel' || last.life !== life || reply === null || reply === 'settled' || !reply.ok)
    return [];
  const isOpen = own.some((one) => one.window.isOpen && one.life === life);
  return isOpen ? [{ invariant: 'closed', detail: 'one is open after a cancel' }] : [];
}

/** Whether the board shows a sign-in, or a sign-out at the provider, that is going on. */
function isFlowShown(stage: Stage): boolean {
  const session = stage.session();
  if (session?.status === 'signing-in') return true;
  return session?.status === 'signed-out' && session.providerSession?.status === 'ending';
}

function checkTokens(
  { provider, isClockSetBack }: Stage,
  { session, pendingRevocations }: Held,
): Violation[] {
  const current = session?.refreshToken ?? session?.accessToken ?? null;
  const kept = [...pendingRevocations.map(({ token }) => token), ...(current === null ? [] : [current])];
  const lost = provider.findLost(kept);
  const found: Violation[] = lost.map((token) => ({ invariant: 'tokens', detail: `${token} is forgotten` }));
  // Without an answer the worker cannot know that the token before it is spent.
  if ([...provider.issued.values()].some(({ arrival }) => arrival === 'lost')) return found;
  // After that, tokens aren't stale, so nothing renews them and nothing notices that the grant has ended.
  if (
    !isClockSetBack &&
    session !== null &&
    session.refreshToken !== null &&
    !provider.isLive(session.refreshToken)
  ) {
    found.push({ invariant: 'live', detail: `${current} is ${provider.issued.get(current!)?.status}` });
  }
  for (const token of provider.reused) found.push({ invariant: 'live', detail: `${token} was sent again` });
  return found;
}

/** After one more start of the browser, with a provider that works: a token of the user who is signed in may wait for the end of the session. */
export async function checkEnd(stage: Stage): Promise<Violation[]> {
  const { session } = await stage.held();
  const isServed = session === null || stage.lastResponse === 'answered';
  return [
    ...stage.provider
      .findLive()
      .filter((token) => stage.provider.ownerOf(token) !== session?.subject)
      .map((token) => ({ invariant: 'ended' as const, detail: `${token} still works` })),
    ...checkNote(stage),
    ...(isServed ? [] : [{ invariant: 'served' as const, detail: describe(stage, await stage.held()) }]),
  ];
}

function checkNote({ worker }: Stage): Violation[] {
  return worker.local.items.has(signOutMarkKey) ? [{ invariant: 'note', detail: 'it is there' }] : [];
}

/** A token that works while it waits for its revocation must belong to the user who is signed in. */
function checkQueue({ provider }: Stage, { session, pendingRevocations }: Held): Violation[] {
  return pendingRevocations
    .filter(({ token }) => provider.isLive(token) && provider.ownerOf(token) !== session?.subject)
    .map(({ token }) => ({ invariant: 'queue', detail: `${token} still waits` }));
}

export function checkWindows(stage: Stage): Violation[] {
  const open = stage.own.filter(({ window }) => window.isOpen);
  const found: Violation[] = [];
  const ofThisWorker = open.filter(({ life }) => life === stage.life);
  if (!isFlowShown(stage) && ofThisWorker.length > 0) {
    found.push({ invariant: 'windows', detail: 'one is open of which the board knows nothing' });
  }
  if (open.filter(({ isUnknown }) => !isUnknown).length > 1) {
    found.push({ invariant: 'windows', detail: `${open.length} are open` });
  }
  if (stage.others.some(({ isOpen, focused }) => !isOpen || focused > 0)) {
    found.push({ invariant: 'others', detail: 'a window of another site was touched' });
  }
  return found;
}
