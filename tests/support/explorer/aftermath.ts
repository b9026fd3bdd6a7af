// The end of an order of events: the user and the network do what is natural, and then everything must work.

import { checkAtRest, checkEnd, checkIdle, checkWindows, type Violation } from './invariants.ts';
import type { Stage } from './stage.ts';

/** How the user ends a window that is open at the end, or a code that is shown. */
export type Ending = 'agrees' | 'closes' | 'agrees, signs in and out';

/** More than any order opens. */
const maxWindows = 10;

/** The network works, a page is opened, and the user ends what is open. */
export async function finish(stage: Stage, ending: Ending): Promise<Violation[]> {
  stage.isOnline = true;
  await ask(stage);
  stage.faults.isDiskFull = false;
  stage.provider.mood = 'well';
  stage.provider.isNextTokenOld = false;
  stage.send({ type: 'open' });
  await stage.drain();
  const found = await endFlows(stage, ending);
  // Work that has waited for a timeout goes on.
  stage.letMinutePass();
  await stage.drain();
  found.push(...(await endFlows(stage, ending)));
  stage.send({ type: 'open' });
  await stage.drain();
  found.push(...(await checkAtRest(stage)));
  if (stage.rule !== 'none') {
    stage.changePolicy('none');
    await stage.drain();
  }
  if (ending.includes('in and out') && found.length === 0) found.push(...(await signInAndOut(stage)));
  return found.length > 0 ? found : startAgain(stage);
}

/** Pages and features go on asking a provider that answers amiss. */
async function ask(stage: Stage): Promise<void> {
  if (!['busy', 'sends a refresh token alone'].includes(stage.provider.mood)) return;
  for (let count = 0; count < 4; count += 1) {
    stage.send({ type: 'open' });
    stage.request();
    await stage.drain();
  }
}

/** The browser starts once more, after all pauses. */
async function startAgain(stage: Stage): Promise<Violation[]> {
  if (stage.place === 'browser') {
    await stage.moveKey();
    await stage.drain();
  }
  stage.nowMs += 60 * 60_000;
  await stage.restartBrowser();
  await stage.drain();
  stage.letMinutePass();
  await stage.drain();
  stage.request();
  await stage.drain();
  return [...(await checkAtRest(stage)), ...(await checkEnd(stage))];
}

/** All windows that were asked for appear, and the user ends them and the code that is shown. */
async function endFlows(stage: Stage, ending: Ending): Promise<Violation[]> {
  const found: Violation[] = [];
  for (let count = 0; count < maxWindows; count += 1) {
    const [launched, open] = [stage.window('launched'), stage.window('open')];
    if (launched === undefined && open === undefined && stage.shownCode() === null) break;
    stage.wake();
    if (launched !== undefined) stage.show(launched);
    else {
      found.push(...checkWindows(stage));
      stage.witness.hasUserEnded ||= ending === 'closes';
      end(stage, ending);
    }
    await stage.drain();
  }
  return found;
}

function end(stage: Stage, ending: Ending): void {
  const open = stage.window('open');
  if (open === undefined) stage.enterCode(ending !== 'closes' ? 'ada' : null);
  else if (ending !== 'closes') stage.agree(open, 'ada');
  else open.window.close();
}

/** Signs Ada in and out again in the worker that is there: no state may need another worker. */
async function signInAndOut(stage: Stage): Promise<Violation[]> {
  // Nothing is left of the flows before, so this popup means nothing to the worker.
  stage.openOtherWindow();
  stage.send({ type: 'sign-in', providerId: 'scripted' });
  await stage.drain();
  await endFlows(stage, 'agrees');
  const found = [...(await expectUser(stage, 'ada')), ...checkIdle(stage, await stage.held())];
  stage.provider.mood = 'busy';
  stage.isDisturbed = true;
  stage.send({ type: 'sign-out', everywhere: false });
  await stage.drain();
  for (let count = 0; count < 4; count += 1) {
    stage.send({ type: 'open' });
    await stage.drain();
  }
  stage.provider.mood = 'well';
  stage.letMinutePass();
  stage.send({ type: 'open' });
  await stage.drain();
  return [...found, ...(await expectUser(stage, undefined)), ...(await checkAtRest(stage))];
}

async function expectUser(stage: Stage, user: 'ada' | undefined): Promise<Violation[]> {
  const { session } = await stage.held();
  const status = stage.session()?.status;
  if (session?.subject === user && status === (user === undefined ? 'signed-out' : 'signed-in')) return [];
  const detail = `the board says ${status}, and the record holds ${session?.subject ?? 'no one'}`;
  return [{ invariant: 'next', detail }];
}
