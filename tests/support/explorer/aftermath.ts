// The end of an order of events: the person and the network do what is natural, and then everything must work.

import { checkAtRest, checkIdle, checkWindows, type Violation } from './invariants.ts';
import type { Person } from './ledger.ts';
import type { OwnWindow } from './own-windows.ts';
import { deviceProvider } from './providers.ts';
import type { Stage } from './stage.ts';

/** How the person ends a window that is open at the end. */
export type Ending = 'agrees' | 'closes';

/** More windows than any order opens. */
const maxWindows = 10;

/** Longer than any code lasts, in minutes. */
const maxCodeMinutes = 5;

/** The network works, a page is opened, and the person ends what windows are open. */
export async function finish(stage: Stage, ending: Ending): Promise<readonly Violation[]> {
  stage.setOnline(true);
  stage.provider.mood = 'answers';
  stage.provider.troubles.clear();
  stage.send({ type: 'open' });
  await stage.drain();
  const first = await endWindows(stage, ending);
  // Work that waited for a timeout goes on.
  stage.letMinutePass();
  await stage.drain();
  const second = await endWindows(stage, ending);
  const third = await endCode(stage, ending);
  stage.send({ type: 'open' });
  await stage.drain();
  return [...first, ...second, ...third];
}

/** The person enters the code that is shown, or lets its time pass. */
async function endCode(stage: Stage, ending: Ending): Promise<readonly Violation[]> {
  if (stage.shownCode() === null) return [];
  stage.wake();
  const session = stage.board()?.session;
  const isForScope = session?.status === 'signing-in' && session.request.type === 'request-scope';
  const isWanted = stage.wishes.last().kind === 'sign-in' && !isForScope && !stage.isExcluded();
  if (ending === 'agrees') stage.enterCode('ada');
  for (let minute = 0; minute < maxCodeMinutes && stage.shownCode() !== null; minute += 1) {
    await stage.drain();
    stage.letMinutePass();
    await stage.drain();
  }
  return ending === 'agrees' && isWanted ? expectPerson(stage, 'ada') : [];
}

/** All windows that were asked for appear, and then the person ends those that are open. */
async function endWindows(stage: Stage, ending: Ending): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (let count = 0; count < maxWindows; count += 1) {
    const launched = stage.windows.newest('launched');
    const own = launched ?? stage.windows.newest('shown');
    if (own === undefined) break;
    stage.wake();
    if (launched === undefined) {
      violations.push(...checkWindows(stage));
      const agreed = end(stage, own, ending);
      await stage.drain();
      if (agreed !== null) violations.push(...(await expectPerson(stage, agreed)));
      continue;
    }
    stage.windows.show(launched);
    await stage.drain();
  }
  return violations;
}

/** Returns the person who must be signed in then; null if nobody need be. */
function end(stage: Stage, own: OwnWindow, ending: Ending): Person | null {
  const { windows, wishes, provider } = stage;
  if (ending === 'closes') {
    windows.close(own);
    return null;
  }
  const last = wishes.last();
  const isLast = own.life === stage.life && own.wish >= last.number && last.kind === 'sign-in';
  const person = wantsAnother(own) ? 'grace' : 'ada';
  wishes.noteAgreed(person);
  windows.redirect(own, provider.approve(own.window.url, person));
  return isLast && isSignIn(own) && !stage.isExcluded() ? person : null;
}

/** Whether the window is that of a sign-in, which asks for no more scope. */
function isSignIn({ window }: OwnWindow): boolean {
  const scope = new URL(window.url).searchParams.get('scope');
  return scope !== null && !/\b(calendar|contacts)\b/.test(scope);
}

function wantsAnother({ window }: OwnWindow): boolean {
  return new URL(window.url).searchParams.get('prompt') === 'select_account';
}

/** Begins a sign-in in the worker that is there, and closes its window: no state may need another worker. */
export async function beginAgain(stage: Stage): Promise<readonly Violation[]> {
  const shown = await openAgain(stage);
  if ('invariant' in shown) return [shown];
  shown.refuse();
  await stage.drain();
  return checkAtRest(stage);
}

/** Signs Ada in and out again in the worker that is there. */
export async function signInAndOut(stage: Stage): Promise<readonly Violation[]> {
  const shown = await openAgain(stage);
  if ('invariant' in shown) return [shown];
  shown.agree();
  await stage.drain();
  const failed = [...(await expectPerson(stage, 'ada')), ...checkIdle(stage, await stage.held())];
  if (failed.length > 0) return failed;
  stage.send({ type: 'sign-out', everywhere: false });
  await stage.drain();
  return [...(await expectPerson(stage, null)), ...(await checkAtRest(stage))];
}

/** The sign-in that a person sees: a window, or a code. */
interface Shown {
  readonly agree: () => void;
  readonly refuse: () => void;
}

async function openAgain(stage: Stage): Promise<Shown | Violation> {
  // Nothing is left of the flows before, so this popup means nothing to the worker.
  stage.openOtherWindow();
  await stage.drain();
  stage.send(stage.signIn);
  await stage.drain();
  if (stage.providers[0] === deviceProvider) {
    return stage.shownCode() === null
      ? broken('sign-in has no code')
      : { agree: () => stage.enterCode('ada'), refuse: () => stage.enterCode(null) };
  }
  const launched = stage.windows.newest('launched');
  if (launched === undefined) return broken('sign-in has no window');
  const { windows, provider } = stage;
  windows.show(launched);
  await stage.drain();
  const own = windows.newest('shown');
  if (own === undefined) return broken('sign-in: its window was closed');
  return {
    agree: () => windows.redirect(own, provider.approve(own.window.url, 'ada')),
    refuse: () => windows.close(own),
  };
}

async function expectPerson(stage: Stage, person: Person | null): Promise<Violation[]> {
  const held = (await stage.held()).session?.profile.subject ?? null;
  const status = stage.board()?.session.status;
  const [step, expected] = person === null ? ['sign-out', 'signed-out'] : ['sign-in', 'signed-in'];
  if (held === person && status === expected) return [];
  return [broken(`${step}: the board says ${status}, the vault holds ${held ?? 'nobody'}`)];
}

const broken = (detail: string): Violation => ({ invariant: 'next', detail: `the next ${detail}` });
