// A whole sign-in with a provider 100 ms away, whose session already knows the user, so that no user's time counts:
// from the click until the provider is asked, from its redirect until the popup shows the user, and the requests.

import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import type { BrowserName } from '../browser/browsers.ts';
import type { OnStop } from '../command.ts';
import { readManifest } from '../build/read-manifest.ts';
import { epochMs } from '../demo-provider/provider.ts';
import { redirectUris } from '../redirect-uris.ts';
import { preparePeers, installCompanion, type Peer } from './companions.ts';
import type { Row } from './rows.ts';
import { requestTo, withScene, type Scene } from './scene.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';
import { median, takeInTurns } from './turns.ts';
import { stopWorker } from '../browser/chromium.ts';

const delayMs = 100;

/** The state of worker and cache when the user clicks. `pressed` is a click of a mouse, the others one of the keyboard. */
const starts = ['warm', 'asleep', 'pressed', 'first'] as const;
type Start = (typeof starts)[number];

const names: Readonly<Record<Start, string>> = {
  warm: 'worker awake, metadata cached',
  asleep: 'worker asleep, metadata cached',
  pressed: 'worker asleep, metadata cached, mouse button held for 80 ms',
  first: 'first time ever, clicked as soon as the button shows',
};

export async function measureSignIn(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  // The peers are built for Chromium.
  const peers =
    browser === 'chrome' ? (await preparePeers()).filter(({ name }) => signingPeers.includes(name)) : [];
  const options = {
    browser,
    provider: { delayMs },
    redirectUris: peers.map(({ key }) => redirectUris({ ...readManifest(), key }, 'demo').chrome),
  };
  return withScene(onStop, options, async (scene) => {
    await scene.signIn();
    await signOut(scene);
    const signing: SigningPeer[] = [];
    for (const peer of peers) signing.push(await installSigningPeer(scene, peer));
    const timesOf = await takeInTurns(toMeasures(scene, signing), { turns: 11 });
    const askedMs = (name: string) => median(timesOf(name).map((times) => times.askedMs));
    const paintedMs = (...states: readonly string[]) =>
      median(states.flatMap(timesOf).map((times) => times.paintedMs));
    const requests = (name: string) => median(timesOf(name).map((times) => times.requests));
    const toPeers = (toValue: (peer: SigningPeer) => number) =>
      Object.fromEntries(signing.map((peer) => [peer.name, toValue(peer)]));
    return [
      ...starts.map((start): Row => ({
        id: `click-${start}`,
        what: `click → provider asked, ${names[start]}`,
        browser,
        unit: 'ms',
        value: askedMs(start),
        limits:
          start === 'first'
            ? { 'a round trip for the metadata, then launchWebAuthFlow': askedMs('limit') + delayMs }
            : { 'launchWebAuthFlow with a ready URL': askedMs('limit') },
        // A peer does nothing before the click.
        peers: toPeers(({ name, runsIn }) =>
          askedMs(start === 'warm' || runsIn === 'popup' ? `warm ${name}` : `asleep ${name}`),
        ),
      })),
      {
        id: 'redirect',
        what: 'redirect → signed in and painted, provider 100 ms away',
        browser,
        unit: 'ms',
        value: paintedMs(...starts),
        limits: { 'one round trip': delayMs },
        peers: toPeers(({ name }) => paintedMs(`warm ${name}`, `asleep ${name}`)),
      },
      {
        id: 'requests-sign-in',
        what: 'requests for a whole sign-in, metadata cached',
        browser,
        unit: 'requests',
        value: requests('warm'),
        limits: { 'authorization and token request': 2 },
        peers: toPeers(({ name }) => requests(`warm ${name}`)),
      },
    ];
  });
}

type Measures = Record<string, () => Promise<SignInTimes>>;

function toMeasures(scene: Scene, peers: readonly SigningPeer[]): Measures {
  const measures: Measures = {
    limit: async () => ({ askedMs: await askDirectly(scene), paintedMs: NaN, requests: NaN }),
  };
  for (const start of starts) {
    measures[start] = async () => {
      const times = await signInFrom(scene, start);
      await signOut(scene);
      return times;
    };
  }
  for (const peer of peers) {
    measures[`warm ${peer.name}`] = peer.signIn;
    if (peer.runsIn === 'popup') continue;
    measures[`asleep ${peer.name}`] = async () => {
      await peer.stopWorker();
      return peer.signIn();
    };
  }
  return measures;
}

const button = '[data-provider="demo"]';

/** How long a user holds the mouse button down. */
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

/** Brings the extension to the start, and returns the popup with the button. */
async function prepare({ browser }: Scene, start: Start): Promise<Page> {
  const ready = `main[data-status="signed-out"] ${button}`;
  const popup = await browser.waitForPopup(ready);
  // The worker comes to rest.
  await pass(400);
  if (start === 'warm') return popup;
  await browser.stopWorker();
  if (start !== 'first') {
    // The mouse is still there, so the popup has just woken the worker for it.
    await pass(start === 'pressed' ? 1_000 : 200);
    return popup;
  }
  await popup.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('latchkey');
        opening.addEventListener('error', () => reject(opening.error));
        opening.addEventListener('success', () => {
          const clearing = opening.result.transaction('providers', 'readwrite');
          clearing.objectStore('providers').clear();
          clearing.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
  );
  await browser.closePopup();
  await browser.stopWorker();
  await pass(200);
  return browser.waitForPopup(ready);
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

/** Calls `launchWebAuthFlow` on the popup's page, with an address that is ready. */
async function askDirectly(scene: Scene): Promise<number> {
  const { browser, demo } = scene;
  const popup = await browser.waitForPopup('main[data-status="signed-out"]');
  await pass(400);
  const before = demo.requests.length;
  const calledAtMs = await popup.evaluate(
    (issuer, clientId) => {
      const { identity } = (globalThis as unknown as ExtensionGlobal).chrome;
      const url = new URL('/auth', issuer);
      url.search = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'openid',
        redirect_uri: identity.getRedirectURL('demo'),
        code_challenge: 'A'.repeat(43),
        code_challenge_method: 'S256',
      }).toString();
      const now = performance.timeOrigin + performance.now();
      void identity.launchWebAuthFlow({ url: url.href, interactive: true }).catch(() => undefined);
      return now;
    },
    demo.issuer,
    demo.clientId,
  );
  const { arrivedAtMs } = await requestTo(scene, '/auth', before);
  // The browser closes its window.
  await pass(400);
  return arrivedAtMs - calledAtMs;
}

/** The peers that sign in with any OpenID Connect provider. The others need their own service. */
const signingPeers: readonly string[] = ['openid-client', 'oidc-client-ts'];

/** A sign-in: until the provider is asked, from its redirect until the result is painted, and the requests of all of it. */
interface SignInTimes {
  readonly askedMs: number;
  readonly paintedMs: number;
  readonly requests: number;
}

type SigningPeer = Awaited<ReturnType<typeof installSigningPeer>>;

async function installSigningPeer(scene: Scene, peer: Peer) {
  const { browser, demo } = scene;
  const id = await installCompanion(scene, peer);
  return {
    ...peer,
    async signIn(): Promise<SignInTimes> {
      const page = await browser.browser.newPage();
      await page.goto(`chrome-extension://${id}/popup.html`);
      await pass(300);
      const before = demo.requests.length;
      const times = await page.evaluate(
        async (issuer, clientId) => {
          const { chrome, signIn } = globalThis as unknown as ExtensionGlobal & {
            /** Where the library runs in the popup. */
            readonly signIn?: (issuer: string, clientId: string) => Promise<string>;
          };
          const clickedAtMs = performance.timeOrigin + performance.now();
          const reply = signIn
            ? await signIn(issuer, clientId)
            : await chrome.runtime.sendMessage({ type: 'sign-in', issuer, clientId });
          const line = document.querySelector('#line');
          if (line !== null) line.textContent = String(reply);
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return { reply, clickedAtMs, paintedAtMs: performance.timeOrigin + performance.now() };
        },
        demo.issuer,
        demo.clientId,
      );
      if (times.reply !== 'signed in') throw new Error(`${peer.name}: ${times.reply}`);
      const authorization = await requestTo(scene, '/auth', before);
      await page.close();
      return {
        askedMs: authorization.arrivedAtMs - times.clickedAtMs,
        paintedMs: times.paintedAtMs - authorization.answeredAtMs,
        requests: demo.requests.length - before,
      };
    },
    async stopWorker() {
      await stopWorker(browser.browser, `chrome-extension://${id}`);
      await pass(200);
    },
  };
}
