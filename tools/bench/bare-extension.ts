// The least that a sign-in needs of a browser: an extension whose worker does nothing but open the window when its page asks.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { findBrowser, type BrowserName } from '../browser/browsers.ts';
import type { OnStop } from '../command.ts';
import { openBrowser } from '../show.ts';
import type { ExtensionGlobal } from '../../tests/support/browser/extension-global.ts';
import { makeBenchFolder, requestTo, type Scene } from './scene.ts';

const worker = `
  const { identity, runtime } = globalThis.browser ?? chrome;
  runtime.onMessage.addListener(({ url }) => {
    identity.launchWebAuthFlow({ url, interactive: true }).catch(() => undefined);
  });
`;

/** Opens the extension in a browser of its own, with the id and so the redirect URIs of the one in the scene. */
export async function openBareExtension(onStop: OnStop, name: BrowserName, scene: Scene) {
  const extensionDir = await makeBenchFolder(onStop);
  const built = JSON.parse(await readFile(join(scene.extensionDir, 'manifest.json'), 'utf8')) as object;
  const { key, browser_specific_settings } = built as Record<string, unknown>;
  const background = name === 'chrome' ? { service_worker: 'worker.js' } : { scripts: ['worker.js'] };
  const manifest = {
    manifest_version: 3,
    name: 'bare',
    version: '1',
    ...(name === 'chrome' ? { key } : { browser_specific_settings }),
    action: { default_popup: 'popup.html' },
    background,
    permissions: ['identity'],
  };
  await writeFile(join(extensionDir, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(extensionDir, 'worker.js'), worker);
  await writeFile(join(extensionDir, 'popup.html'), '<!doctype html><main>bare</main>');
  const executablePath = await findBrowser(name, { log: () => undefined });
  const browser = await openBrowser(name, { extensionDir, executablePath, headless: true }, onStop);

  /** Opens the window, and returns how long it took until the provider was asked, in ms. */
  const open = async (from: 'page' | 'worker'): Promise<number> => {
    const popup = await browser.waitForPopup('main');
    await browser.stopWorker();
    await pass(200);
    const before = scene.demo.requests.length;
    const calledAtMs = await popup.evaluate(
      (url, isPage) => {
        const { identity, runtime } = (globalThis as unknown as ExtensionGlobal).chrome;
        const now = performance.timeOrigin + performance.now();
        if (!isPage) void runtime.sendMessage({ url });
        else void identity.launchWebAuthFlow({ url, interactive: true }).catch(() => undefined);
        return now;
      },
      await toUrl(scene, popup),
      from === 'page',
    );
    const { arrivedAtMs } = await requestTo(scene, '/auth', before);
    // The browser closes its window.
    await pass(400);
    return arrivedAtMs - calledAtMs;
  };
  return { open };
}

/** A request to which the provider responds at once, even without a known client. */
async function toUrl({ demo }: Scene, popup: Page): Promise<string> {
  const url = new URL('/auth', demo.issuer);
  url.search = new URLSearchParams({
    client_id: demo.clientId,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    redirect_uri: await popup.evaluate(() =>
      (globalThis as unknown as ExtensionGlobal).chrome.identity.getRedirectURL('demo'),
    ),
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  }).toString();
  return url.href;
}
