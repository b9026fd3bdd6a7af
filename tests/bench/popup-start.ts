// Measures how early the popup of a signed-in person is painted, next to two pages in the same extension: static HTML, and
// one line in React. To run it: `node --import tsx tests/bench/popup-start.ts`. Folders of other builds of this extension
// after it are measured in the same run.
//
// Each page is opened in a tab, because a toolbar popup needs a click and shows one page only. A tab and a popup load a
// page in the same way, in the extension's process, which has to be started if neither a page nor the worker is alive.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { findBrowser } from '../../tools/browser/browsers.ts';
import type { ExtensionBrowser } from '../../tools/browser/extension-browser.ts';
import { buildExtension } from '../../tools/build.ts';
import { runBuild } from '../../tools/build/run-build.ts';
import { emptyFeature } from '../../tools/build/settings.ts';
import { isCommand, runCommand, type OnStop } from '../../tools/command.ts';
import { chooseFirstPerson, expectSignedIn, startSignIn } from '../../tools/demonstration.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { readIdentity } from '../../tools/product.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';
import { openBrowser } from '../../tools/show.ts';
import { readConfigFile } from '../../tools/build/read-config.ts';

const workerStates = ['awake', 'asleep'] as const;
type WorkerState = (typeof workerStates)[number];

/** The median time from opening a page to its paint, in milliseconds, by the page's name. */
export type PaintTimes = Readonly<Record<string, number>>;

export interface PopupStartOptions {
  readonly onStop: OnStop;
  /** How often each page is opened in each state of the worker. */
  readonly turns: number;
  /** Further builds of the extension to measure, by name: their folders. */
  readonly others?: Readonly<Record<string, string>>;
}

/**
 * Measures in Chromium the pages `static`, `react` and `popup`, and those of `others`, in turns, so that other load
 * affects all of them.
 */
export async function measurePopupStart({
  onStop,
  turns,
  others = {},
}: PopupStartOptions): Promise<Readonly<Record<WorkerState, PaintTimes>>> {
  const demo = await startDemoProvider({
    redirectUris: Object.values(redirectUris(readIdentity(), 'demo')),
    accessTokenSeconds: 60 * 60,
  });
  onStop(demo.close);
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const configPath = join(folder, 'config.json');
  const { issuer, clientId } = demo;
  const provider = { id: 'demo', name: 'Demo', issuer, clientId, apiOrigins: [issuer] };
  await writeFile(configPath, JSON.stringify({ providers: [provider] }));
  const extensionDir = join(folder, 'extension');
  await buildExtension({ browser: 'chrome', outDir: extensionDir, configPath, featureDir: emptyFeature });
  await buildPages(join(extensionDir, 'bench'));
  for (const [name, dir] of Object.entries(others)) await addBuild(extensionDir, name, dir);

  const executablePath = await findBrowser('chrome', { log: () => undefined });
  const browser = await openBrowser('chrome', { extensionDir, executablePath, headless: true }, onStop);
  const [configured] = readConfigFile(configPath).providers;
  if (configured === undefined) throw new Error('The configuration has no provider.');
  await chooseFirstPerson(await startSignIn(browser, configured));
  await expectSignedIn(browser);
  await browser.closePopup();

  const pages = {
    static: 'bench/static.html',
    react: 'bench/react.html',
    popup: 'src/popup/index.html',
    ...Object.fromEntries(Object.keys(others).map((name) => [name, `${name}/src/popup/index.html`])),
  };
  return {
    awake: await measureAll(browser, 'awake', pages, turns),
    asleep: await measureAll(browser, 'asleep', pages, turns),
  };
}

async function buildPages(outDir: string): Promise<void> {
  const root = resolve(import.meta.dirname, 'popup-start');
  const input = ['static.html', 'react.html'].map((page) => resolve(root, page));
  const build = {
    outDir,
    emptyOutDir: true,
    target: 'chrome148',
    modulePreload: { polyfill: false },
    rolldownOptions: { input },
  };
  await runBuild({ root, base: '/bench/', plugins: [react()], build }, 'production');
}

/** Adds the pages of another build to the extension, in a folder of their own. */
async function addBuild(extensionDir: string, name: string, dir: string): Promise<void> {
  const added = join(extensionDir, name);
  await cp(dir, added, { recursive: true });
  for (const file of await readdir(added, { recursive: true })) {
    if (!/\.(?:html|js|css)$/.test(file)) continue;
    const text = await readFile(join(added, file), 'utf8');
    const moved = text
      .replaceAll('"/assets/', `"/${name}/assets/`)
      .replaceAll('"assets/', `"${name}/assets/`);
    await writeFile(join(added, file), moved);
  }
}

async function measureAll(
  browser: ExtensionBrowser,
  state: WorkerState,
  pages: Readonly<Record<string, string>>,
  turns: number,
): Promise<PaintTimes> {
  await wakeWorker(browser);
  const names = Object.keys(pages);
  for (let visit = 0; visit < 2; visit += 1) await warmUp(browser, Object.values(pages));
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    // No page always follows the same one.
    const order = turn % 2 === 0 ? names : names.toReversed();
    for (const name of order) {
      if (state === 'asleep') await browser.stopWorker();
      // Lets the browser come to rest.
      await pass(150);
      times.get(name)?.push(await timePaint(browser, pages[name] ?? ''));
    }
  }
  return Object.fromEntries([...times].map(([name, measured]) => [name, median(measured)]));
}

/** Wakes the worker. Opening the popup at least every 30 s keeps it awake. */
async function wakeWorker(browser: ExtensionBrowser): Promise<void> {
  await browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { runtime: { sendMessage(message: object): Promise<unknown> } };
    };
    await chrome.runtime.sendMessage({ latchkey: { type: 'open' } });
  });
}

/** Keeps all pages open for a while, because only then the browser caches their compiled code. */
async function warmUp({ browser, extensionId }: ExtensionBrowser, paths: readonly string[]): Promise<void> {
  const session = await browser.target().createCDPSession();
  const opened: string[] = [];
  for (const path of paths) {
    const { targetId } = await session.send('Target.createTarget', {
      url: `chrome-extension://${extensionId}/${path}`,
    });
    opened.push(targetId);
    await pass(500);
  }
  await pass(1_500);
  for (const targetId of opened) await session.send('Target.closeTarget', { targetId });
  await session.detach();
}

/** Opens a page of the extension in a new tab, and returns the time from the start of its navigation to its paint, in ms. */
async function timePaint({ browser, extensionId }: ExtensionBrowser, path: string): Promise<number> {
  const url = `chrome-extension://${extensionId}/${path}`;
  const session = await browser.target().createCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url });
  // Nothing talks to the page while it loads, because that would slow it down.
  await pass(300);
  const target = await browser.waitForTarget((found) => found.url() === url);
  const page = await target.asPage();
  const mark = await page.waitForFunction(
    () => performance.getEntriesByName('latchkey:ready')[0]?.startTime,
    { timeout: 10_000 },
  );
  const time = (await mark.jsonValue()) ?? NaN;
  const status = await page.evaluate(() => document.querySelector('main')?.dataset['status']);
  if (status !== undefined && status !== 'signed-in') throw new Error(`${path} shows ${status}.`);
  await session.send('Target.closeTarget', { targetId });
  await session.detach();
  return time;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

if (isCommand(import.meta.url)) {
  await runCommand(async (onStop) => {
    const others = Object.fromEntries(
      process.argv.slice(2).map((dir, index) => [`build-${index + 1}`, resolve(dir)]),
    );
    const measured = await measurePopupStart({ onStop, turns: 20, others });
    for (const state of workerStates) {
      const { static: plain = NaN, react: line = NaN } = measured[state];
      for (const [name, time] of Object.entries(measured[state])) {
        const ratios = `${(time / line).toFixed(2)} of React, ${(time / plain).toFixed(2)} of static`;
        process.stdout.write(`worker ${state}, ${name}: ${time.toFixed(1)} ms (${ratios})\n`);
      }
    }
  });
}
