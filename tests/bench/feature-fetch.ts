// Compares a feature's fetch with the page's own fetch in the same popup: the time of a small response, the speed of a
// large one, and the memory while the large one is read or left unread. To run it:
// `node --import tsx tests/bench/feature-fetch.ts --browser firefox`

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { findBrowser } from '../../tools/browser/browsers.ts';
import { buildExtension } from '../../tools/build.ts';
import { readBrowserOption, runCommand } from '../../tools/command.ts';
import { chooseFirstPerson, startSignIn } from '../../tools/demonstration.ts';
import { redirectUris, type ExtensionIdentity } from '../../tools/redirect-uris.ts';
import { openBrowser } from '../../tools/show.ts';
import { readConfigFile } from '../../tools/build/read-config.ts';
import { startEchoServer } from '../support/echo-server.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';

const size = 100_000_000;
const ways = ['page', 'feature'] as const;
type Way = (typeof ways)[number];

await runCommand(async (onStop) => {
  const name = readBrowserOption();
  const echo = await startEchoServer();
  onStop(echo.close);
  const manifest = await readFile(resolve(import.meta.dirname, '../../manifest.json'), 'utf8');
  const demo = await startDemoProvider({
    redirectUris: Object.values(redirectUris(JSON.parse(manifest) as ExtensionIdentity, 'demo')),
  });
  onStop(demo.close);

  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const configPath = join(folder, 'config.json');
  const { issuer, clientId } = demo;
  const apiOrigins = [issuer, echo.origin];
  await writeFile(
    configPath,
    JSON.stringify({ providers: [{ id: 'demo', name: 'Demo', issuer, clientId, apiOrigins }] }),
  );
  const extensionDir = join(folder, 'extension');
  const featureDir = resolve(import.meta.dirname, '../support/sample-feature');
  await buildExtension({ browser: name, outDir: extensionDir, configPath, featureDir });

  const executablePath = await findBrowser(name, { log: write });
  const browser = await openBrowser(name, { extensionDir, executablePath, headless: true }, onStop);
  const [provider] = readConfigFile(configPath).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  await chooseFirstPerson(await startSignIn(browser, provider));
  const popup = await browser.waitForPopup('[data-sample="answer"]');
  const root = browser.browser.process()?.pid ?? 0;
  write(await browser.browser.version());

  const small = await alternate(220, 20, (way) => timeSmall(popup, way, `${echo.origin}/answer?body=text`));
  print('a small response, ms', small, 2);
  const large = await alternate(8, 1, (way) =>
    measureSpeed(popup, way, `${echo.origin}/bytes?length=${size}`),
  );
  print('100 MB, MB/s', large);
  for (const isRead of [true, false]) {
    const peaks = await alternate(3, 0, (way) =>
      peakWhile(root, () => stream(popup, way, `${echo.origin}/bytes?length=${size}`, isRead)),
    );
    print(`100 MB ${isRead ? 'read' : 'left unread'}, MB more at the peak`, peaks);
  }
});

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Measures both ways in turns, so that other load affects both. The first turns warm up and do not count. */
async function alternate(
  turns: number,
  warmUp: number,
  measure: (way: Way) => Promise<number>,
): Promise<Record<Way, number>> {
  const measured = { page: [] as number[], feature: [] as number[] };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const way of ways) {
      const value = await measure(way);
      if (turn >= warmUp) measured[way].push(value);
    }
  }
  return { page: median(measured.page), feature: median(measured.feature) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function print(what: string, { page, feature }: Record<Way, number>, digits = 0): void {
  const share = page === 0 ? '' : ` (${(feature / page).toFixed(2)} of it)`;
  write(`${what}: page ${page.toFixed(digits)}, feature ${feature.toFixed(digits)}${share}`);
}

function timeSmall(popup: Page, way: Way, url: string): Promise<number> {
  return popup.evaluate(
    async (asked, isFeature) => {
      const startedAtMs = performance.now();
      await (await (isFeature ? globalThis.sample.fetch : fetch)(asked)).text();
      return performance.now() - startedAtMs;
    },
    url,
    way === 'feature',
  );
}

async function measureSpeed(popup: Page, way: Way, url: string): Promise<number> {
  const startedAtMs = performance.now();
  await stream(popup, way, url, true);
  return size / 1_000 / (performance.now() - startedAtMs);
}

/** Reads the whole response, or leaves it unread for 4 s and then cancels it. */
async function stream(popup: Page, way: Way, url: string, isRead: boolean): Promise<void> {
  await popup.evaluate(
    async (asked, isFeature, reads) => {
      const { body } = await (isFeature ? globalThis.sample.fetch : fetch)(asked);
      const reader = body?.getReader();
      if (reads) while ((await reader?.read())?.done === false);
      else await new Promise((resolvePassed) => setTimeout(resolvePassed, 4_000));
      await reader?.cancel();
    },
    url,
    way === 'feature',
    isRead,
  );
}

/** Returns by how many MB all processes of the browser grew at the peak. */
async function peakWhile(root: number, work: () => Promise<void>): Promise<number> {
  const before = await residentMb(root);
  let peak = before;
  const working = work().then(() => 'over');
  while ((await Promise.race([working, pass(50)])) !== 'over') peak = Math.max(peak, await residentMb(root));
  // Lets the browser free memory before the next measurement.
  await pass(2_000);
  return peak - before;
}

/** Returns the memory of this process and its descendants in MB; shared pages count once. */
async function residentMb(root: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        return [pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''] as const;
      }),
    ),
  );
  const isOurs = (pid: string): boolean => pid === String(root) || isChild(pid);
  const isChild = (pid: string): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent !== '' && isOurs(parent);
  };
  const sizes = await Promise.all(
    pids.filter(isOurs).map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
}
