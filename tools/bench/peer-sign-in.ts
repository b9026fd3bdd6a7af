// The sign-in of a peer in the same browser, with the same provider.

import { setTimeout as pass } from 'node:timers/promises';
import { stopWorker } from '../browser/chromium.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';
import { installCompanion, type Peer } from './companions.ts';
import { requestTo, type Scene } from './scene.ts';

/** The peers that sign in with any OpenID Connect provider. The others need their own service. */
export const signingPeers: readonly string[] = ['openid-client', 'oidc-client-ts'];

/** A sign-in: until the provider is asked, from its redirect until the result is painted, and the requests of all of it. */
export interface SignInTimes {
  readonly askedMs: number;
  readonly paintedMs: number;
  readonly requests: number;
}

export interface SigningPeer extends Peer {
  signIn(): Promise<SignInTimes>;
  stopWorker(): Promise<void>;
}

export async function installSigningPeer(scene: Scene, peer: Peer): Promise<SigningPeer> {
  const { browser, demo } = scene;
  const id = await installCompanion(scene, peer);
  return {
    ...peer,
    async signIn() {
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
