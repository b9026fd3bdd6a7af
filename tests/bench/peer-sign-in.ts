// The sign-in of a peer in the same browser, with the same provider.

import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { buildCompanion, installCompanion, type Companion } from './companions.ts';
import { Pages } from './pages.ts';
import { requestTo, type Scene } from './scene.ts';

export interface SigningPeer {
  readonly name: string;
  signIn(): Promise<{ readonly askedMs: number; readonly paintedMs: number }>;
  /** Stops the worker first, and returns the time until the provider is asked. */
  signInAsleep(): Promise<number>;
  /** The number of requests of the last sign-in with an awake worker. */
  requests(): number;
}

export async function installSigningPeer(scene: Scene, peer: Companion): Promise<SigningPeer> {
  const { browser, demo, folder } = scene;
  const dir = join(folder, 'signing-peer');
  await buildCompanion(peer, dir);
  const { id } = await installCompanion(browser.browser, peer, dir);
  const pages = await Pages.attach(browser.browser);
  let requests = NaN;

  async function signIn() {
    const page = await browser.browser.newPage();
    await page.goto(`chrome-extension://${id}/popup.html`);
    await pass(300);
    const before = demo.requests.length;
    const times = await page.evaluate(
      async (issuer, clientId) => {
        const { chrome } = globalThis as unknown as {
          readonly chrome: { readonly runtime: { sendMessage(message: object): Promise<string> } };
        };
        const clickedAtMs = performance.timeOrigin + performance.now();
        const reply = await chrome.runtime.sendMessage({ type: 'sign-in', issuer, clientId });
        const line = document.querySelector('#line');
        if (line !== null) line.textContent = reply;
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return { reply, clickedAtMs, paintedAtMs: performance.timeOrigin + performance.now() };
      },
      demo.issuer,
      demo.clientId,
    );
    if (times.reply !== 'signed in') throw new Error(`${peer.name}: ${times.reply}`);
    const authorization = await requestTo(scene, '/auth', before);
    requests = demo.requests.length - before;
    await page.close();
    return {
      askedMs: authorization.arrivedAtMs - times.clickedAtMs,
      paintedMs: times.paintedAtMs - authorization.answeredAtMs,
    };
  }

  return {
    name: peer.name,
    async signIn() {
      return signIn();
    },
    async signInAsleep() {
      await pages.stopWorker({ id, greeting: {} });
      await pass(200);
      const kept = requests;
      const { askedMs } = await signIn();
      requests = kept;
      // The next one is warm.
      await signIn();
      return askedMs;
    },
    requests: () => requests,
  };
}
