// An extension that Chromium has installed because an administrator's policy says so, from a file on a server of the
// organization. No debugger has loaded it, so it starts as on the devices of people.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { inject, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../../tools/demo-provider/loopback.ts';
import { toChromeExtensionId } from '../../../tools/redirect-uris.ts';
import { copyBuild } from './builds.ts';
import { recordFaces } from './faces.ts';
import { openPrivatePolicies } from './private-policies.ts';
import { openTestFolder } from './run-folder.ts';

export interface InstalledExtension {
  readonly extensionId: string;
  /** The beginning of its pages' addresses. */
  readonly origin: string;
  /** The folder for policies of the browser. */
  readonly policies: string;
  /** Starts the browser, which remembers its profile, and waits for the extension. It is closed after the test. */
  start(): Promise<Browser>;
  /** Opens the popup's page in a tab. */
  openPopup(browser: Browser): Promise<Page>;
  /** Offers the same build as this version from now on, in place of the one before. */
  offer(version: string): Promise<void>;
}

interface Manifest {
  readonly version: string;
  readonly action: { readonly default_popup: string };
}

/** A version as the server offers it. */
interface Offer {
  readonly version: string;
  readonly packed: Buffer;
}

/**
 * Packs a build for `config` with a popup that records its faces. `onInstalling` is called before Chromium gets the extension for
 * the first time.
 */
export async function packForChromium(
  config: object,
  onInstalling: (extension: InstalledExtension) => Promise<void> = () => Promise.resolve(),
): Promise<InstalledExtension> {
  const folder = await openTestFolder('installed-');
  const dir = join(folder, 'extension');
  await cp(await copyBuild(config, 'none'), dir, { recursive: true });
  await recordFaces(dir);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const keyPath = join(folder, 'key.pem');
  await writeFile(keyPath, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const manifestPath = join(dir, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
  const extensionId = toChromeExtensionId(key);
  const offers: Offer[] = [];
  const updateUrl = await serve(
    extensionId,
    () => offers.at(-1),
    () => onInstalling(extension),
  );

  async function offer(version: string): Promise<void> {
    await writeFile(manifestPath, JSON.stringify({ ...manifest, version, key, update_url: updateUrl }));
    const profile = `--user-data-dir=${join(folder, 'packing')}`;
    const what = [`--pack-extension=${dir}`, `--pack-extension-key=${keyPath}`];
    const program = inject('executablePath');
    execFileSync(program, ['--headless', '--no-sandbox', profile, ...what], { stdio: 'ignore' });
    // Chromium packs into a file beside the folder.
    offers.push({ version, packed: await readFile(`${dir}.crx`) });
  }

  await offer(manifest.version);
  const origin = `chrome-extension://${extensionId}/`;
  const own = await openPrivatePolicies('chrome', inject('executablePath'), folder);
  const extension: InstalledExtension = {
    extensionId,
    origin,
    policies: own.folder,
    async start() {
      const browser = await startChromium(own.executablePath, join(folder, 'profile'));
      onTestFinished(() => browser.close());
      await browser.waitForTarget((target) => target.url().startsWith(origin));
      return browser;
    },
    async openPopup(browser) {
      const page = await browser.newPage();
      await page.goto(`${origin}${manifest.action.default_popup}`);
      return page;
    },
    offer,
  };
  const installation = {
    ExtensionInstallForcelist: [`${extensionId};${updateUrl}`],
    // Without this, Chromium lets no debugger see an extension that a policy has installed.
    DeveloperToolsAvailability: 1,
  };
  await writeFile(join(own.folder, 'installation.json'), JSON.stringify(installation));
  return extension;
}

/** Serves the extension as Chromium asks for it. Returns the address of the list of versions. */
async function serve(
  extensionId: string,
  latest: () => Offer | undefined,
  onInstalling: () => Promise<void>,
): Promise<string> {
  let installing: Promise<void> | null = null;
  const loopback = await listenOnLoopback(0);
  onTestFinished(() => loopback.close());
  const origin = `http://localhost:${loopback.port}`;
  loopback.serve(({ url }, response) => {
    if (url !== '/extension.crx') {
      response.setHeader('content-type', 'text/xml');
      response.end(`<?xml version="1.0" encoding="UTF-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
  <app appid="${extensionId}"><updatecheck codebase="${origin}/extension.crx" version="${latest()?.version}"/></app>
</gupdate>`);
      return;
    }
    response.setHeader('content-type', 'application/x-chrome-extension');
    installing ??= onInstalling();
    void installing.then(() => response.end(latest()?.packed));
  });
  return `${origin}/updates.xml`;
}

/** Starts Chromium, which installs what its policies say. */
function startChromium(executablePath: string, profile: string): Promise<Browser> {
  return launch({
    executablePath,
    headless: true,
    userDataDir: profile,
    enableExtensions: true,
    pipe: true,
    env: { ...process.env, LANGUAGE: 'en_US' },
    // With this, Chromium installs nothing.
    ignoreDefaultArgs: ['--disable-background-networking'],
    args: ['--no-sandbox', '--disable-component-update', '--disable-quic', '--lang=en-US'],
  });
}
