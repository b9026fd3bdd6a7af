// The end of an order of events: the person and the network do what is natural, and then everything must work.

import { provider as configured } from './counting-provider.ts';
import { checkAtRest, checkIdle, checkWindows, type Violation } from './invariants.ts';
import type { Person } from './ledger.ts';
import type { OwnWindow } from './own-windows.ts';
import type { Stage } from './stage.ts';

/** How the person ends a window that is open at the end. */
export type Ending = 'agrees' | 'closes';

/** More windows than any order opens. */
const maxWindows = 10;

/** The network works, a page is opened, and the person ends what windows are open. */
export async function finish(stage: Stage, ending: Ending): Promise<readonly Violation[]> {
  stage.isOnline = true;
  stage.provider.mood = 'answers';
  stage.provider.troubles.clear();
  stage.send({ type: 'open' });
  await stage.drain();
  const first = await endWindows(stage, ending);
  // Work that waited for a timeout goes on.
  stage.letMinutePass();
  await stage.drain();
  const second = await endWindows(stage, ending);
  stage.send({ type: 'open' });
  await stage.drain();
  return [...first, ...second];
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
  const { windows, provider, asked } = stage;
  if (ending === 'closes') {
    windows.close(own);
    return null;
  }
  const isLast = own.life === stage.life && own.wish === windows.wishes && windows.lastWish === 'sign-in';
  const person = wantsAnother(own) ? 'grace' : 'ada';
  asked.agreed.add(person);
  windows.redirect(own, provider.approve(own.window.url, person));
  return isLast && isSignIn(own) && !stage.isExcluded() ? person : null;
}

/** Whether the window is that of a sign-in, which asks for no more scope. */
function isSignIn({ window }: OwnWindow): boolean {
  return new URL(window.url).searchParams.get('scope') === configured.scope;
}

function wantsAnother({ window }: OwnWindow): boolean {
  return new URL(window.url).searchParams.get('prompt') === 'select_account';
}

/** Begins a sign-in in the worker that is there, and closes its window: no state may need another worker. */
export async function beginAgain(stage: Stage): Promise<readonly Violation[]> {
  const shown = await openAgain(stage);
  if ('invariant' in shown) return [shown];
  stage.windows.close(shown);
  await stage.drain();
  return checkAtRest(stage);
}

/** Signs Ada in and out again in the worker that is there. */
export async function signInAndOut(stage: Stage): Promise<readonly Violation[]> {
  const shown = await openAgain(stage);
  if ('invariant' in shown) return [shown];
  stage.windows.redirect(shown, stage.provider.approve(shown.window.url, 'ada'));
  await stage.drain();
  const failed = [...(await expectPerson(stage, 'ada')), ...checkIdle(stage, await stage.held())];
  if (failed.length > 0) return failed;
  stage.send({ type: 'sign-out', everywhere: false });
  await stage.drain();
  return [...(await expectPerson(stage, null)), ...(await checkAtRest(stage))];
}

async function openAgain(stage: Stage): Promise<OwnWindow | Violation> {
  // Nothing is left of the flows before, so this popup means nothing to the worker.
  stage.openOtherWindow();
  await stage.drain();
  stage.send({ type: 'sign-in', providerId: 'scripted' });
  await stage.drain();
  const launched = stage.windows.newest('launched');
  if (launched === undefined) return broken('sign-in has no window');
  stage.windows.show(launched);
  await stage.drain();
  return stage.windows.newest('shown') ?? broken('sign-in: its window was closed');
}

async function expectPerson(stage: Stage, person: Person | null): Promise<Violation[]> {
  const held = (await stage.held()).session?.profile.subject ?? null;
  const status = stage.board()?.session.status;
  const [step, expected] = person === null ? ['sign-out', 'signed-out'] : ['sign-in', 'signed-in'];
  if (held === person && status === expected) return [];
  return [broken(`${step}: the board says ${status}, the vault holds ${held ?? 'nobody'}`)];
}

const broken = (detail: string): Violation => ({ invariant: 'next', detail: `the next ${detail}` });
