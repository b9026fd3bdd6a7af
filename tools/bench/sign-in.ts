// A whole sign-in with a provider 100 ms away, whose session already knows the user, so that no user's time counts:
// from the click until the provider is asked, from its redirect until the popup shows the user, and the requests.

import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import type { BrowserName } from '../browser/browsers.ts';
import type { OnStop } from '../command.ts';
import { epochMs } from '../demo-provider/provider.ts';
import { openBareExtension } from './bare-extension.ts';
import type { Row } from './rows.ts';
import { requestTo, withScene, type Scene } from './scene.ts';
import { median, takeInTurns } from './turns.ts';

const delayMs = 100;

/** The state of the worker when the user clicks. `pressed` is a click of a mouse, the others one of the keyboard. */
const starts = ['warm', 'asleep', 'pressed'] as const;
type Start = (typeof starts)[number];

const names: Readonly<Record<Start, string>> = {
  warm: 'worker awake, metadata cached',
  asleep: 'worker asleep, metadata cached',
  pressed: 'worker asleep, metadata cached, mouse button held for 80 ms',
};

export function measureSignIn(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  return withScene(onStop, { browser, provider: { delayMs } }, async (scene) => {
    await scene.signIn();
    await signOut(scene);
    const { open } = await openBareExtension(onStop, browser, scene);
    const toMeasure = (from: 'page' | 'worker') => async () => ({
      askedMs: await open(from),
      paintedMs: NaN,
      requests: NaN,
    });
    const measures: Record<string, () => Promise<SignInTimes>> = {
      page: toMeasure('page'),
      worker: toMeasure('worker'),
    };
    for (const start of starts) {
      measures[start] = async () => {
        const times = await signInFrom(scene, start);
        await signOut(scene);
        return times;
      };
    }
    const timesOf = await takeInTurns(measures, 11);
    const medianOf = (member: keyof SignInTimes, ...from: readonly string[]) =>
      median(from.flatMap(timesOf).map((times) => times[member]));
    return [
      ...starts.map((start): Row => ({
        id: `click-${start}`,
        what: `click → provider asked, ${names[start]}`,
        browser,
        unit: 'ms',
        value: medianOf('askedMs', start),
        limits: {
          'launchWebAuthFlow with a ready URL': medianOf('askedMs', 'page'),
          ...(start === 'asleep' && { 'the same in an empty worker': medianOf('askedMs', 'worker') }),
        },
      })),
      {
        id: 'redirect',
        what: 'redirect → signed in and painted, provider 100 ms away',
        browser,
        unit: 'ms',
        value: medianOf('paintedMs', ...starts),
        limits: { 'one round trip': delayMs },
      },
      {
        id: 'requests-sign-in',
        what: 'requests for a whole sign-in, metadata cached',
        browser,
        unit: 'requests',
        value: medianOf('requests', 'warm'),
        limits: { 'authorization and token request': 2 },
      },
    ];
  });
}

const button = '[data-provider="demo"]';

const heldMs = 80;

async function signInFrom(scene: Scene, start: Start): Promise<SignInTimes> {
  const { browser, demo } = scene;
  const popup = await prepare(scene, start);
  const before = demo.requests.length;
  await popup.evaluate(() => {
    for (const name of ['clicked', 'signed-in']) performance.clearMarks(name);
    document.addEventListener('click', () => performance.mark('clicked'), { capture: true, once: true });
    const watch = new MutationObserver(() => {
      if (document.querySelector('main')?.dataset['status'] !== 'signed-in') return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark('signed-in', { detail: null })));
    });
    watch.observe(document, { subtree: true, childList: true, attributeFilter: ['data-status'] });
  });
  if (start === 'pressed') await popup.click(button, { delay: heldMs });
  else await popup.evaluate((selector) => document.querySelector<HTMLElement>(selector)?.click(), button);
  const authorization = await requestTo(scene, '/auth', before);
  const clickedAtMs = await popup.evaluate(
    () => performance.timeOrigin + (performance.getEntriesByName('clicked')[0]?.startTime ?? NaN),
  );
  const paintedAtMs = await findPaint(scene);
  await browser.waitForPopup('main[data-status="signed-in"]');
  return {
    askedMs: authorization.arrivedAtMs - clickedAtMs,
    paintedMs: paintedAtMs - authorization.answeredAtMs,
    requests: demo.requests.slice(before).filter(({ path }) => !path.startsWith('/people/')).length,
  };
}

async function prepare({ browser }: Scene, start: Start): Promise<Page> {
  const ready = `main[data-status="signed-out"] ${button}`;
  const popup = await browser.waitForPopup(ready);
  // Let the worker become idle.
  await pass(400);
  if (start === 'warm') return popup;
  await browser.stopWorker();
  // The mouse is still there, so the popup has just woken the worker for it.
  await pass(start === 'pressed' ? 1_000 : 200);
  return popup;
}

/** When the signed-in state was painted: in the popup that stayed open, or in the one that the worker opened. */
async function findPaint({ browser }: Scene): Promise<number> {
  for (const endsAtMs = epochMs() + 20_000; epochMs() < endsAtMs;) {
    const popup = await browser.findPopup();
    const painted = await popup
      ?.evaluate(() => {
        if (document.querySelector('main')?.dataset['status'] !== 'signed-in') return null;
        // A popup that stayed open has the mark of the click; one that the worker opened has its own.
        const stayed = performance.getEntriesByName('clicked').length > 0;
        const [mark] = performance.getEntriesByName(stayed ? 'signed-in' : 'latchkey:ready');
        return mark === undefined ? null : performance.timeOrigin + mark.startTime;
      })
      // The popup may be closing.
      .catch(() => null);
    if (painted !== null && painted !== undefined) return painted;
    await pass(50);
  }
  throw new Error('The popup does not show that the user is signed in.');
}

/** Signs out, and waits until the provider has revoked the token. */
async function signOut(scene: Scene): Promise<void> {
  const { browser, demo } = scene;
  const before = demo.requests.length;
  const popup = await browser.waitForPopup('[data-action="sign-out"]');
  await popup.evaluate(() => {
    const click = new MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      clientX: performance.now() % 10_000,
    });
    document.querySelector('[data-action="sign-out"]')?.dispatchEvent(click);
  });
  await browser.waitForPopup('main[data-status="signed-out"]');
  await requestTo(scene, '/revoke', before);
}

/** A sign-in: until the provider is asked, from its redirect until the result is painted, and the requests of all of it. */
interface SignInTimes {
  readonly askedMs: number;
  readonly paintedMs: number;
  readonly requests: number;
}
