// A whole sign-in with a provider 100 ms away, whose session already knows the user, so that no user's time counts:
// from the click until the provider is asked, from its redirect until the popup shows the user, and the requests.

import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import type { BrowserName } from '../browser/browsers.ts';
import { emptyFeature } from '../build/settings.ts';
import type { OnStop } from '../command.ts';
import { epochMs } from '../demo-provider/provider.ts';
import { openExtension } from '../set-up-extension.ts';
import { showing } from '../show.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';
import type { Row } from './rows.ts';
import { requestTo, withScene, type Scene } from './scene.ts';
import { median, takeInTurns } from './turns.ts';

const delayMs = 100;

/** The state of the worker when the user clicks. `pressed` is a click of a mouse, the others one of the keyboard. */
const starts = {
  warm: 'worker awake, metadata cached',
  asleep: 'worker asleep, metadata cached',
  pressed: 'worker asleep, metadata cached, mouse button held for 80 ms',
} as const;
type Start = keyof typeof starts;

/** A sign-in: until the provider is asked, from its redirect until the result is painted, and the requests of all of it. */
interface SignInTimes {
  readonly askedMs: number;
  readonly paintedMs: number;
  readonly requests: number;
}

export function measureSignIn(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  const opening = openExtension(browser, () => ({}), {
    accessTokenSeconds: 3_600,
    delayMs,
    featureDir: emptyFeature,
  });
  return withScene(onStop, opening, async (scene) => {
    await scene.signIn();
    await signOut(scene);
    const measure = (start: Start) => async () => {
      const times = await signInFrom(scene, start);
      await signOut(scene);
      return times;
    };
    const bare = async (): Promise<SignInTimes> => {
      return { askedMs: await openReadyUrl(scene), paintedMs: NaN, requests: NaN };
    };
    const measures = { bare, warm: measure('warm'), asleep: measure('asleep'), pressed: measure('pressed') };
    const times = await takeInTurns(measures, 11);
    const floor = median(times.bare.map(({ askedMs }) => askedMs));
    const all = [...times.warm, ...times.asleep, ...times.pressed];
    return [
      ...(['warm', 'asleep', 'pressed'] as const).map((start): Row => ({
        what: `click → provider asked, ${starts[start]}`,
        browser,
        unit: 'ms',
        value: median(times[start].map(({ askedMs }) => askedMs)),
        limits: { 'launchWebAuthFlow with a ready URL': floor },
      })),
      {
        what: 'redirect → signed in and painted, provider 100 ms away',
        browser,
        unit: 'ms',
        value: median(all.map(({ paintedMs }) => paintedMs)),
        limits: { 'one round trip': delayMs },
      },
      {
        what: 'requests for a whole sign-in, metadata cached',
        browser,
        unit: 'requests',
        value: median(times.warm.map(({ requests }) => requests)),
        limits: { 'authorization and token request': 2 },
      },
    ];
  });
}

/** The least that a sign-in needs of a browser: the popup itself opens the window. Returns how long that took, in ms. */
async function openReadyUrl(scene: Scene): Promise<number> {
  const { browser, demo } = scene;
  const popup = await browser.waitForPopup(showing('signed-out'));
  // Let the worker become idle.
  await pass(400);
  const before = demo.requests.length;
  // The provider responds at once, because it can't sign anyone in without a page.
  const url = new URL('/auth', demo.issuer);
  url.search = new URLSearchParams({
    client_id: demo.clientId,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  }).toString();
  const calledAtMs = await popup.evaluate((address) => {
    const { identity } = (globalThis as unknown as ExtensionGlobal).chrome;
    const asked = `${address}&redirect_uri=${encodeURIComponent(identity.getRedirectURL('demo'))}`;
    const now = performance.timeOrigin + performance.now();
    void identity.launchWebAuthFlow({ url: asked, interactive: true }).catch(() => undefined);
    return now;
  }, url.href);
  const { arrivedAtMs } = await requestTo(scene, '/auth', before);
  // The browser closes its window.
  await pass(400);
  return arrivedAtMs - calledAtMs;
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
  await browser.waitForPopup(showing('signed-in'));
  return {
    askedMs: authorization.arrivedAtMs - clickedAtMs,
    paintedMs: paintedAtMs - authorization.answeredAtMs,
    requests: demo.requests.slice(before).filter(({ path }) => !path.startsWith('/people/')).length,
  };
}

async function prepare({ browser }: Scene, start: Start): Promise<Page> {
  const ready = `${showing('signed-out')} ${button}`;
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
  await browser.waitForPopup(showing('signed-out'));
  await requestTo(scene, '/revoke', before);
}
