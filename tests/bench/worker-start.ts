// Compares the worker with the worker of an empty extension in the same Chromium: the time from a page's first message,
// which wakes the worker, to the reply; and for the command `open` also when the worker is awake.
// To run it: `node --import tsx tests/bench/worker-start.ts`

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, CDPSession } from 'puppeteer-core';
import { readConfigFile } from '../../tools/build/read-config.ts';
import { emptyFeature } from '../../tools/build/settings.ts';
import { findBrowser } from '../../tools/browser/browsers.ts';
import { buildExtension } from '../../tools/build.ts';
import { runCommand } from '../../tools/command.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { chooseFirstPerson, startSignIn } from '../../tools/demonstration.ts';
import { redirectUris, type ExtensionIdentity } from '../../tools/redirect-uris.ts';
import { openBrowser } from '../../tools/show.ts';

const turns = 40;
const warmUp = 5;
/** How long nothing happens before each measurement, so that the work of the last one is over. */
const restMs = 150;

/** The worker refuses it at once, so it shows how long the worker takes to listen. */
const unknownCommand = { latchkey: { type: 'none' } };
const openCommand = { latchkey: { type: 'open' } };

await runCommand(async (onStop) => {
  const manifest = await readFile(resolve(import.meta.dirname, '../../manifest.json'), 'utf8');
  const demo = await startDemoProvider({
    redirectUris: Object.values(redirectUris(JSON.parse(manifest) as ExtensionIdentity, 'demo')),
  });
  onStop(demo.close);
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const configPath = join(folder, 'config.json');
  const { issuer, clientId } = demo;
  await writeFile(
    configPath,
    JSON.stringify({ providers: [{ id: 'demo', name: 'Demo', issuer, clientId, apiOrigins: [issuer] }] }),
  );
  const extensionDir = join(folder, 'extension');
  await buildExtension({ browser: 'chrome', outDir: extensionDir, configPath, featureDir: emptyFeature });
  const emptyDir = join(folder, 'empty');
  await writeEmptyExtension(emptyDir);

  const executablePath = await findBrowser('chrome', { log: write });
  const opened = await openBrowser('chrome', { extensionDir, executablePath, headless: true }, onStop);
  const { browser, extensionId } = opened;
  write(await browser.version());
  const emptyId = await browser.installExtension(emptyDir);
  const [provider] = readConfigFile(configPath).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  await chooseFirstPerson(await startSignIn(opened, provider));
  await opened.waitForPopup('main[data-status="signed-in"]');
  await opened.closePopup();

  const connection = await detachFromWorkers(browser);
  const empty = await openPage(connection, emptyId);
  const own = await openPage(connection, extensionId);
  const results = await takeTurns({
    'empty, asleep': async () => {
      await stopWorker(connection, emptyId);
      return timeReply(empty, unknownCommand);
    },
    'first message, asleep': async () => {
      await stopWorker(connection, extensionId);
      return timeReply(own, unknownCommand);
    },
    'open, asleep': async () => {
      await stopWorker(connection, extensionId);
      return timeReply(own, openCommand);
    },
    'open, awake': () => timeReply(own, openCommand),
    'empty, awake': () => timeReply(empty, unknownCommand),
  });
  const base = results.get('empty, asleep') ?? NaN;
  for (const [name, ms] of results) {
    write(`${name.padEnd(24)}${ms.toFixed(1).padStart(8)} ms${(ms / base).toFixed(2).padStart(8)}`);
  }
});

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function writeEmptyExtension(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({
      manifest_version: 3,
      name: 'Empty',
      version: '1',
      background: { service_worker: 'worker.js', type: 'module' },
    }),
  );
  await writeFile(
    join(folder, 'worker.js'),
    'chrome.runtime.onMessage.addListener((message, sender, reply) => reply(true));',
  );
}

/** Stops attaching to new targets, and returns a session that does not: a debugger delays the start of a worker. */
async function detachFromWorkers(browser: Browser): Promise<CDPSession> {
  const session = await browser.target().createCDPSession();
  const connection = session.connection();
  if (connection === undefined) throw new Error('Chromium has gone.');
  await connection.send('Target.setAutoAttach', {
    autoAttach: false,
    waitForDebuggerOnStart: false,
    flatten: true,
  });
  return session;
}

/** Opens a page with the rights of an extension, in the background. */
async function openPage(root: CDPSession, extensionId: string): Promise<CDPSession> {
  const url = `chrome-extension://${extensionId}/manifest.json`;
  const { targetId } = await root.send('Target.createTarget', { url, background: true });
  const { targetInfo } = await root.send('Target.getTargetInfo', { targetId });
  const page = await root.connection()?.createSession(targetInfo);
  if (page === undefined) throw new Error('Chromium has gone.');
  return page;
}

/** Stops the worker of an extension, as the browser does when it is idle. */
async function stopWorker(root: CDPSession, extensionId: string): Promise<void> {
  for (;;) {
    const { targetInfos } = await root.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
    const running = targetInfos.filter(({ url }) => url.startsWith(`chrome-extension://${extensionId}/`));
    if (running.length === 0) return;
    for (const { targetId } of running) {
      // It may have stopped meanwhile.
      await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
    }
    await pass(10);
  }
}

/** Sends a message from the page, and returns how long the reply takes. */
async function timeReply(page: CDPSession, message: object): Promise<number> {
  await pass(restMs);
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: `(async () => {
      const startedAtMs = performance.now();
      await chrome.runtime.sendMessage(${JSON.stringify(message)});
      return performance.now() - startedAtMs;
    })()`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (typeof result.value !== 'number') throw new Error(exceptionDetails?.exception?.description);
  return result.value;
}

/** Measures all in turns, so that other load affects all. Returns the medians; the first turns do not count. */
async function takeTurns(
  measures: Readonly<Record<string, () => Promise<number>>>,
): Promise<ReadonlyMap<string, number>> {
  const measured = new Map<string, number[]>();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      const ms = await measure();
      if (turn >= warmUp) measured.set(name, [...(measured.get(name) ?? []), ms]);
    }
  }
  return new Map([...measured].map(([name, times]) => [name, median(times)]));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
