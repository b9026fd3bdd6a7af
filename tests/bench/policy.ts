// How soon the popup offers the right providers, with an administrator's policy and without one: opened at once after the
// installation, and later, when the worker sleeps.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { readConfig } from '../../src/config/config.ts';
import { findBrowser, type BrowserName } from '../../tools/browser/browsers.ts';
import { buildExtension } from '../../tools/build.ts';
import { emptyFeature } from '../../tools/build/settings.ts';
import type { OnStop } from '../../tools/command.ts';
import { openBrowser } from '../../tools/show.ts';
import { recordFaces, type TimedFace } from '../support/browser/faces.ts';
import { packForChromium, startChromium } from '../support/browser/installed.ts';
import { canHidePolicies, openPrivatePolicies } from '../support/browser/private-policies.ts';
import { createSigningKey, toExtensionId } from '../support/browser/signing-key.ts';
import { Pages } from './pages.ts';
import type { Measured, Place, Row } from './results.ts';
import { median } from './turns.ts';

const toProvider = (id: string) => ({ id, name: id, issuer: `https://${id}.invalid`, clientId: id });
const config = readConfig({ providers: ['other', 'acme'].map(toProvider) });
const policy = { version: 1, managedBy: 'Acme IT', locked: true, providers: [{ id: 'acme' }] };
/** No turn is there to fill caches: each is a first start. */
const turns = 9;

const popupPath = 'src/popup/index.html';

const variants = ['with', 'without'] as const;
type Variant = (typeof variants)[number];

/** Times in ms from the start of the popup's navigation until the right providers are in the document. */
interface Times {
  readonly first: number;
  readonly later: number;
}

interface Folder {
  readonly path: string;
  readonly built: string;
  readonly executablePath: string;
}

/** The add-on in Firefox; in Chromium a copy that a policy has installed. Throws where Chromium can be given no policy. */
export function measurePolicy(onStop: OnStop, name: BrowserName): Promise<Measured> {
  return name === 'firefox'
    ? withBuild(onStop, name, measureInFirefox)
    : withBuild(onStop, name, measureInstalled);
}

/** An unpacked copy in Chromium. */
export function measureUnpackedPolicy(onStop: OnStop): Promise<Measured> {
  return withBuild(onStop, 'chrome', measureUnpacked);
}

async function withBuild(
  onStop: OnStop,
  name: BrowserName,
  measure: (folder: Folder, onStop: OnStop) => Promise<readonly Row[]>,
): Promise<Measured> {
  const stops: Parameters<OnStop>[0][] = [];
  const stop = async () => {
    for (const end of stops.splice(0)) await end();
  };
  onStop(stop);
  try {
    const path = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
    stops.unshift(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
    const built = join(path, 'built');
    await buildExtension({ browser: name, outDir: built, config, featureDir: emptyFeature });
    const executablePath = await findBrowser(name, { log: (line) => void process.stderr.write(`${line}\n`) });
    const rows = await measure({ path, built, executablePath }, (end) => void stops.unshift(end));
    return { rows, plots: [] };
  } finally {
    await stop();
  }
}

async function measureInstalled(
  { path, built, executablePath }: Folder,
  onStop: OnStop,
): Promise<readonly Row[]> {
  expectPolicies();
  const folder = join(path, 'installed');
  await mkdir(folder);
  const extension = await packForChromium({ built, executablePath, folder }, (end) =>
    onStop(() => Promise.resolve(end())),
  );
  const policyFile = join(extension.policies, 'policy.json');
  let profiles = 0;
  return measureTurns('chrome', 'policy', 'a copy that a policy installed', async (variant) => {
    if (variant === 'without') await rm(policyFile, { force: true });
    else await writeFile(policyFile, toPolicyFile(extension.extensionId));
    const browser = await extension.start(join(folder, `profile-${(profiles += 1)}`));
    const [first, pages] = [await extension.openPopup(browser), await Pages.attach(browser)];
    const times = { first: await timeFace(first, variant), later: 0 };
    await first.close();
    await pages.stopWorker({ id: extension.extensionId });
    await pass(200);
    const later = await timeFace(await extension.openPopup(browser), variant);
    await browser.close();
    return { ...times, later };
  });
}

async function measureUnpacked(
  { path, built, executablePath }: Folder,
  onStop: OnStop,
): Promise<readonly Row[]> {
  expectPolicies();
  // Chromium knows the policy of a copy that it has had before, so each is installed once.
  const copies: Record<Variant, Copy[]> = { with: [], without: [] };
  for (const variant of variants) {
    for (let turn = 0; turn < turns; turn += 1) copies[variant].push(await copyWithKey(built, path));
  }
  const own = await openPrivatePolicies('chrome', executablePath, path);
  await writeFile(join(own.folder, 'policy.json'), toPolicyFile(...copies.with.map(({ id }) => id)));
  const browser = await startChromium(own.executablePath, join(path, 'profile'));
  onStop(() => browser.close());
  const pages = await Pages.attach(browser);
  return measureTurns('chrome', 'policy-unpacked', 'an unpacked copy', async (variant, turn) => {
    const { dir, id } = copies[variant][turn] ?? (await copyWithKey(built, path));
    await browser.installExtension(dir);
    const open = async () => {
      const page = await browser.newPage();
      await page.goto(`chrome-extension://${id}/${popupPath}`);
      const time = await timeFace(page, variant);
      await page.close();
      return time;
    };
    const first = await open();
    await pages.stopWorker({ id });
    await pass(200);
    const later = await open();
    await browser.uninstallExtension(id);
    return { first, later };
  });
}

async function measureInFirefox(
  { path, built, executablePath }: Folder,
  onStop: OnStop,
): Promise<readonly Row[]> {
  await recordFaces(built);
  const manifest = JSON.parse(await readFile(join(built, 'manifest.json'), 'utf8')) as {
    readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
  };
  const { id } = manifest.browser_specific_settings.gecko;
  // Firefox reads this file when it has installed the extension, and a policies.json only when it starts.
  const policyFile = join(path, '.mozilla/managed-storage', `${id}.json`);
  await mkdir(join(path, '.mozilla/managed-storage'), { recursive: true });
  process.env['HOME'] = path;
  const options = { extensionDir: built, executablePath, headless: true, observesRequests: false };
  const browser = await openBrowser('firefox', options, onStop);
  return measureTurns('firefox', 'policy', 'a temporary add-on', async (variant) => {
    if (variant === 'without') await rm(policyFile, { force: true });
    else
      await writeFile(
        policyFile,
        JSON.stringify({ name: id, description: '', type: 'storage', data: policy }),
      );
    await browser.replaceExtension(built);
    const open = async () => {
      await browser.pressToolbarButton();
      // Nothing talks to the page while it loads, because that would slow it down.
      await pass(400);
      const time = await timeFace(await browser.openPopup(), variant);
      await browser.closePopup();
      return time;
    };
    const first = await open();
    await browser.stopWorker();
    await pass(200);
    return { first, later: await open() };
  });
}

function expectPolicies(): void {
  if (canHidePolicies()) return;
  throw new Error('A policy for Chromium is measured only on Linux as root, where a mount is allowed.');
}

function toPolicyFile(...ids: readonly string[]): string {
  const extensions = Object.fromEntries(ids.map((id) => [id, policy]));
  return JSON.stringify({ '3rdparty': { extensions } });
}

interface Copy {
  readonly dir: string;
  readonly id: string;
}

async function copyWithKey(built: string, path: string): Promise<Copy> {
  const dir = await mkdtemp(join(path, 'unpacked-'));
  await cp(built, dir, { recursive: true });
  await recordFaces(dir);
  const { key } = createSigningKey();
  const manifestPath = join(dir, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as object;
  await writeFile(manifestPath, JSON.stringify({ ...manifest, key }));
  return { dir, id: toExtensionId(key) };
}

/** The time of the first face with the right providers. */
async function timeFace(page: Page, variant: Variant): Promise<number> {
  const right = variant === 'with' ? 'acme' : 'other,acme';
  const time = await page.waitForFunction(
    (providers) => {
      const { faces } = globalThis as unknown as { readonly faces: readonly TimedFace[] };
      return faces.find(({ face }) => face.providers.join() === providers)?.atMs;
    },
    { timeout: 20_000 },
    right,
  );
  return (await time.jsonValue()) ?? NaN;
}

/** Measures both variants in turns, so that other load on the machine affects both. */
async function measureTurns(
  place: Place,
  id: string,
  copy: string,
  measure: (variant: Variant, turn: number) => Promise<Times>,
): Promise<readonly Row[]> {
  const measured: Record<Variant, Times[]> = { with: [], without: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const variant of turn % 2 === 0 ? variants : variants.toReversed()) {
      measured[variant].push(await measure(variant, turn));
    }
  }
  const toRow = (moment: keyof Times, what: string): Row => ({
    id: `${id}-${moment}`,
    what,
    place,
    unit: 'ms',
    value: median(measured.with.map((times) => times[moment])),
    limits: [{ name: 'without a policy', value: median(measured.without.map((times) => times[moment])) }],
    peers: [],
  });
  return [
    toRow(
      'first',
      `popup opened at once after the installation → the right providers, ${copy}, with a policy`,
    ),
    toRow('later', `popup opened → the right providers, worker asleep, ${copy}, with a policy`),
  ];
}
