// The invariants: some hold after each write, all of them when nothing moves any more.

import { isSamePerson, settledSession, type Profile } from '../../../src/session/session.ts';
import { findUnasked } from './asked.ts';
import { toShortName } from './counting-provider.ts';
import { grantOf, hasLostAnswer, lostTokens, toGrantName } from './ledger.ts';
import type { Held } from './held.ts';
import { apiOrigins } from './providers.ts';
import type { Stage } from './stage.ts';

export const invariants = {
  person: "The board's person is the vault's.",
  wish: 'Whoever has signed out stays signed out.',
  answers: 'Every command is answered.',
  settles: 'Every request of a feature is settled, and no sign-in is shown that nobody runs.',
  tokens: 'Each refresh token that was received is held, queued for revocation or revoked.',
  live: 'The refresh token in the vault was neither spent nor revoked, and none is sent again.',
  windows: 'At most one window of ours is open, and only while the board shows its flow.',
  others: "No other's window is raised or closed, nor that of a sign-in that goes on.",
  queue: 'A refresh token that nobody uses is revoked as soon as the provider can be reached.',
  kept: 'A renewal takes no refresh token away that still works.',
  served: 'A request is refused for want of a token only if none can be had.',
  sparing: 'A request that brought nothing is not repeated at once.',
  ended: 'A session that nothing can renew ends.',
  secrets: 'Nothing that an exchange knows as a secret is outside the worker.',
  turn: 'A session begins with tokens that no revocation beside them may have ended.',
  asked: 'The outcome is what was asked for last, and not that of another flow.',
  policy: 'No session and no sign-in of a provider that the policy excludes stays.',
  next: 'The next sign-in and sign-out work.',
} as const;

type Invariant = keyof typeof invariants;

export interface Violation {
  readonly invariant: Invariant;
  readonly detail: string;
}

/** How the story calls a person. */
export const nameOf = (profile: Profile | null) => profile?.subject ?? 'nobody';

/** The person whom the board shows, also under a running sign-in. */
export function shownPerson(stage: Stage): Profile | null {
  const board = stage.board();
  if (board === null) return null;
  const settled = settledSession(board.session);
  return settled.status === 'signed-in' ? settled.profile : null;
}

const isSame = (one: Profile | null, other: Profile | null) =>
  one === null || other === null ? one === other : isSamePerson(one, other);

/**
 * After a write of the board or the vault. In the middle of a move the two may differ in two ways: one of them knows
 * nobody (a sign-out, or the end of a session, has reached only one of them), or the board shows the very sign-in whose
 * person is in the vault already. A board that shows one person while the vault holds another is wrong at any time.
 */
export function checkWritten(stage: Stage, { session, lasting }: Held): readonly Violation[] {
  const [shown, held] = [shownPerson(stage), session?.profile ?? null];
  const board = stage.board()?.session;
  const owner = grantOf(stage.provider.ledger, lasting ?? '');
  const user = `${nameOf(held)} at ${session?.clientId}`;
  if (owner !== null && owner !== user) {
    return [{ invariant: 'person', detail: `the vault holds a token of ${owner} for ${user}` }];
  }
  if (lasting !== null && stage.disturbed.has(lasting)) {
    return [{ invariant: 'turn', detail: `the session has ${lasting}` }];
  }
  const lost = checkKept(stage, session);
  if (lost.length > 0) return lost;
  if (shown === null || held === null || isSame(shown, held)) return [];
  if (board?.status === 'signing-in' && board.startedAtMs === session?.startedAtMs) return [];
  return [{ invariant: 'person', detail: `board: ${nameOf(shown)}, vault: ${nameOf(held)}` }];
}

/** The session has had a refresh token that still works. */
function checkKept({ kept, provider: { ledger } }: Stage, session: Held['session']): Violation[] {
  if (session === null) return [];
  const before = kept.get(session.id) ?? null;
  kept.set(session.id, session.tokens.refreshToken);
  const isTakenAway = before !== null && session.tokens.refreshToken === null;
  if (!isTakenAway || ledger.refreshTokens.get(before)?.status !== 'live') return [];
  return [{ invariant: 'kept', detail: `the session has lost ${before}, which is live` }];
}

/** When nothing moves any more, though a window may be open. */
export function checkIdle(stage: Stage, held: Held): readonly Violation[] {
  return [
    ...checkAnswers(stage),
    ...checkWindows(stage),
    ...checkServed(stage, held),
    ...(stage.isDisturbed || isFlowShown(stage) ? [] : checkQueue(stage, held, stage.issuedToWorker())),
  ];
}

/** When nothing moves any more, and a page has been opened since. */
export async function checkAtRest(stage: Stage): Promise<readonly Violation[]> {
  const held = await stage.held();
  return [
    ...checkPerson(stage, held),
    ...checkWish(stage),
    ...checkAnswers(stage),
    ...checkRunning(stage),
    ...checkPolicy(stage, held),
    ...checkTokens(stage, held),
    ...checkQueue(stage, held),
    ...checkSparing(stage),
    ...checkEnded(stage, held),
    ...checkWindows(stage),
    ...checkSecrets(stage),
    ...checkAsked(stage, held),
  ];
}

function checkPerson(stage: Stage, { session }: Held): Violation[] {
  const [shown, held] = [shownPerson(stage), session?.profile ?? null];
  if (isSame(shown, held)) return [];
  return [{ invariant: 'person', detail: `at rest, board: ${nameOf(shown)}, vault: ${nameOf(held)}` }];
}

function checkWish(stage: Stage): Violation[] {
  if (stage.wishes.hasRefusedSignOut()) return [{ invariant: 'wish', detail: 'a sign-out was refused' }];
  // A later command may have signed somebody in.
  const { kind, status } = stage.wishes.last();
  if (kind !== 'sign-out' || status !== 'accepted') return [];
  const shown = shownPerson(stage);
  return shown === null ? [] : [{ invariant: 'wish', detail: `the board shows ${nameOf(shown)}` }];
}

function checkAnswers(stage: Stage): Violation[] {
  // A page that asked for a scope waits as long as the person takes.
  const mayWait = isFlowShown(stage);
  return stage.awaited
    .filter(({ status, kind, life }) => {
      return status === 'waiting' && life === stage.life && !(mayWait && kind === 'scope');
    })
    .map(({ kind, what }) => ({ invariant: kind === 'command' ? 'answers' : 'settles', detail: what }));
}

/** Whether the board shows a sign-in, or a sign-out at the provider, that is going on. */
function isFlowShown(stage: Stage): boolean {
  const session = stage.board()?.session;
  if (session?.status === 'signing-in') return true;
  return session?.status === 'signed-out' && session.providerSession?.status === 'ending';
}

function checkRunning(stage: Stage): Violation[] {
  if (!isFlowShown(stage) || stage.windows.isAwaitedBy(stage.life)) return [];
  const status = stage.board()?.session.status;
  return [{ invariant: 'settles', detail: `the board, ${status}, shows a flow without a window` }];
}

function checkPolicy(stage: Stage, { session }: Held): Violation[] {
  const status = stage.board()?.session.status;
  if (!stage.isExcluded() || (session === null && status === 'signed-out')) return [];
  return [
    {
      invariant: 'policy',
      detail: `the board says ${status}, the vault holds ${nameOf(session?.profile ?? null)}`,
    },
  ];
}

function checkTokens(
  { provider: { ledger } }: Stage,
  { session, lasting: current, queued }: Held,
): Violation[] {
  const lost = lostTokens(ledger, current === null ? queued : [current, ...queued]);
  const violations: Violation[] = lost.map((name) => ({
    invariant: 'tokens',
    detail: `${name} is live, and nobody answers for it`,
  }));
  if (hasLostAnswer(ledger)) return violations;
  // An access token of plain OAuth is used for a while longer if the provider cannot say whether it still works.
  const status = ledger.refreshTokens.get(session?.tokens.refreshToken ?? '')?.status;
  if (status === 'spent' || status === 'revoked') {
    violations.push({ invariant: 'live', detail: `the vault holds ${current}, which is ${status}` });
  }
  for (const name of ledger.reused) {
    violations.push({ invariant: 'live', detail: `${name} was sent again after it was spent` });
  }
  return violations;
}

/** Of the tokens that wait for their revocation, only those of the grant in use may. */
function checkQueue(
  { provider: { ledger } }: Stage,
  { session, queued }: Held,
  among: readonly string[] = queued,
): Violation[] {
  const used =
    session === null ? null : toGrantName({ person: session.profile.subject, clientId: session.clientId });
  return queued
    .filter((name) => among.includes(name) && grantOf(ledger, name) !== used)
    .filter((name) => ledger.refreshTokens.get(name)?.status === 'live')
    .map((name) => ({ invariant: 'queue', detail: `${name} is live, and still waits` }));
}

function checkServed({ awaited, isDisturbed, provider }: Stage, { lasting }: Held): Violation[] {
  const status = provider.ledger.refreshTokens.get(lasting ?? '')?.status;
  if (isDisturbed || status !== 'live') return [];
  return (
    awaited
      .filter(({ failure }) => failure?.startsWith('No access token is available'))
      // No silent sign-in is tried beside a window.
      .filter(({ failure }) => failure?.includes('A sign-in window is open.') !== true)
      .map(({ failure }) => ({ invariant: 'served', detail: failure ?? '' }))
  );
}

const renewalWindowMs = 5 * 60_000;

/** An API that refuses new tokens too costs one renewal in five minutes. */
function checkSparing({
  hastyRenewals,
  refusals,
  provider: { renewals, hastyRequests },
}: Stage): Violation[] {
  const most = 1 + apiOrigins.length + refusals;
  const isTooOften = renewals.some(({ grant, atMs }) => {
    const same = renewals.filter((other) => other.grant === grant && other.atMs >= atMs);
    return same.filter((other) => other.atMs - atMs < renewalWindowMs).length > most;
  });
  return [
    ...(isTooOften
      ? [{ invariant: 'sparing' as const, detail: `${renewals.length} renewals with a refresh token` }]
      : []),
    ...(hastyRequests > 0
      ? [{ invariant: 'sparing' as const, detail: `${hastyRequests} requests too early for a code's tokens` }]
      : []),
    ...(hastyRenewals > 0
      ? [{ invariant: 'sparing' as const, detail: `${hastyRenewals} silent renewals without a pause` }]
      : []),
  ];
}

function checkEnded({ provider: { ledger, person }, nowMs }: Stage, { session, lasting }: Held): Violation[] {
  if (session === null || session.tokens.expiresAtMs > nowMs || person === session.profile.subject) return [];
  if (lasting !== null && ledger.refreshTokens.get(lasting)?.status === 'live') return [];
  return [{ invariant: 'ended', detail: `the session of ${session.profile.subject} goes on` }];
}

export function checkWindows(stage: Stage): Violation[] {
  const { windows, life } = stage;
  const last = stage.wishes.last();
  const shown = windows.countShown();
  const isStray =
    !isFlowShown(stage) && windows.own.some((own) => own.status === 'shown' && own.life === life);
  const isLeft =
    last.kind !== 'sign-in' &&
    last.wisher === life &&
    !isFlowShown(stage) &&
    windows.own.some(
      (own) =>
        own.status === 'shown' &&
        own.window.id === stage.storedWindow() &&
        // A policy leaves the window of a dead worker alone.
        (last.kind !== 'excluded' || own.life === life),
    );
  return [
    ...(isLeft
      ? [
          {
            invariant: 'windows' as const,
            detail: 'a window that is known is open after a cancel or a sign-out',
          },
        ]
      : []),
    ...(isStray
      ? [{ invariant: 'windows' as const, detail: 'a window is open of which the board knows nothing' }]
      : []),
    ...(shown > 1 ? [{ invariant: 'windows' as const, detail: `${shown} windows are open` }] : []),
    ...windows.touchedOthers.map((id) => ({ invariant: 'others' as const, detail: `window ${id}` })),
    ...windows.closedInUse().map(({ window }) => ({
      invariant: 'others' as const,
      detail: `its own window ${window.id}, in use`,
    })),
  ];
}

function checkAsked(stage: Stage, held: Held): Violation[] {
  const board = stage.board()?.session ?? null;
  const unasked = findUnasked(stage.asked, stage.wishes, held, board, stage.provider.ledger);
  return unasked.map((detail) => ({ invariant: 'asked', detail }));
}

function checkSecrets({ told, provider }: Stage): Violation[] {
  const secrets = [...provider.ledger.secrets];
  return told.flatMap(({ where, text }) =>
    secrets
      .filter((secret) => text.includes(secret))
      .slice(0, 1)
      .map((secret) => ({ invariant: 'secrets' as const, detail: `${where} holds ${toShortName(secret)}` })),
  );
}
