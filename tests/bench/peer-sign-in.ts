// The sign-in of a peer in the same browser, with the same provider.

import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { buildCompanion, installCompanion, type Companion } from './companions.ts';
import { Pages } from './pages.ts';
import { requestTo, type Scene } from './scene.ts';

/** The peers that sign in with any OpenID Connect provider, and where they run. The others need their own service. */
const places: Readonly<Record<string, 'worker' | 'popup'>> = {
  'openid-client': 'worker',
  'oidc-client-ts': 'popup',
};

export const signingPeers: readonly string[] = Object.keys(places);

export interface SigningPeer {
  readonly name: string;
  readonly runsIn: 'worker' | 'popup';
  /** Signs in, and returns the times until the provider is asked and from its redirect until the result is painted. */
  signIn(): Promise<{ readonly askedMs: number; readonly paintedMs: number; readonly requests: number }>;
  stopWorker(): Promise<void>;
}

export async function installSigningPeer(scene: Scene, peer: Companion): Promise<SigningPeer> {
  const { browser, demo, folder } = scene;
  const dir = join(folder, peer.name);
  await buildCompanion(peer, dir);
  const { id } = await installCompanion(browser.browser, peer, dir);
  const pages = await Pages.attach(browser.browser);
  return {
    name: peer.name,
    runsIn: places[peer.name] ?? 'popup',
    async signIn() {
      const page = await browser.browser.newPage();
      await page.goto(`chrome-extension://${id}/popup.html`);
      await pass(300);
      const before = demo.requests.length;
      const times = await page.evaluate(
        async (issuer, clientId) => {
          const { chrome, signIn } = globalThis as unknown as {
            readonly chrome: { readonly runtime: { sendMessage(message: object): Promise<string> } };
            /** Where the library runs in the popup. */
            readonly signIn?: (issuer: string, clientId: string) => Promise<string>;
          };
          const clickedAtMs = performance.timeOrigin + performance.now();
          const reply = signIn
            ? await signIn(issuer, clientId)
            : await chrome.runtime.sendMessage({ type: 'sign-in', issuer, clientId });
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
      await page.close();
      return {
        askedMs: authorization.arrivedAtMs - times.clickedAtMs,
        paintedMs: times.paintedAtMs - authorization.answeredAtMs,
        requests: demo.requests.length - before,
      };
    },
    async stopWorker() {
      await pages.stopWorker({ id });
      await pass(200);
    },
  };
}
