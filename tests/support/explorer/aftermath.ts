// The end of an order of events: the person and the network do what is natural, and then everything must work.

import { checkAtRest, checkIdle, type Violation } from './invariants.ts';
import type { Person } from './ledger.ts';
import type { OwnWindow } from './own-windows.ts';
import type { Stage } from './stage.ts';

/** How the person ends a window that is open at the end. */
export type Ending = 'agrees' | 'closes';

/** More windows than any order opens. */
const maxWindows = 10;

/** The network works, a page is opened, and the person ends what windows are open. */
export async function finish(stage: Stage, ending: Ending): Promise<void> {
  stage.isOnline = true;
  stage.provider.mood = 'answers';
  stage.send({ type: 'open' });
  await stage.drain();
  await endWindows(stage, ending);
  // Work that waited for a timeout goes on.
  stage.letMinutePass();
  await stage.drain();
  await endWindows(stage, ending);
  stage.send({ type: 'open' });
  await stage.drain();
}

async function endWindows(stage: Stage, ending: Ending): Promise<void> {
  for (let count = 0; count < maxWindows; count += 1) {
    const own = stage.windows.newestOpen();
    if (own === undefined) return;
    stage.wake();
    if (own.status === 'launched') stage.windows.show(own);
    else end(stage, own, ending);
    await stage.drain();
  }
}

function end({ windows, provider, asked }: Stage, own: OwnWindow, ending: Ending): void {
  if (ending === 'closes') windows.close(own);
  else {
    const person = wantsAnother(own) ? 'grace' : 'ada';
    asked.agreed.add(person);
    windows.redirect(own, provider.approve(own.window.url, person));
  }
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
  const failed = [...(await expectPerson(stage, 'ada')), ...checkIdle(stage)];
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
