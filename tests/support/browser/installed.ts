// An extension that Chromium has installed because an administrator's policy says so, from a file on a server of the
// organization. No debugger has loaded it, so it starts as on the devices of people.

import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { recordFaces } from './faces.ts';
import { createSigningKey, toExtensionId } from './signing-key.ts';
import { openPrivatePolicies } from './private-policies.ts';

export interface InstalledExtension {
  readonly extensionId: string;
  /** The beginning of its pages' addresses. */
  readonly origin: string;
  /** The folder for policies of the browser. */
  readonly policies: string;
  /** Starts the browser with this profile, which Chromium creates and remembers, and waits for the extension. */
  start(profile: string): Promise<Browser>;
  /** Opens the popup's page in a tab. */
  openPopup(browser: Browser): Promise<Page>;
  /** Offers the same build as this version from now on, in place of the one before. */
  offer(version: string): Promise<void>;
}

interface PackingOptions {
  /** The build. */
  readonly built: string;
  readonly executablePath: string;
  /** An empty folder, which the caller removes. */
  readonly folder: string;
  /** Called before Chromium gets the extension for the first time. */
  readonly onInstalling?: (extension: InstalledExtension) => Promise<void>;
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

/** Packs a copy of the build, whose popup records its faces. Hands `onEnd` what ends its server. */
export async function packForChromium(
  { built, executablePath, folder, onInstalling = () => Promise.resolve() }: PackingOptions,
  onEnd: (end: () => void) => void,
): Promise<InstalledExtension> {
  const dir = join(folder, 'extension');
  await cp(built, dir, { recursive: true });
  await recordFaces(dir);
  const { key, privateKey } = createSigningKey();
  const manifestPath = join(dir, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
  const extensionId = toExtensionId(key);
  const offers: Offer[] = [];
  const updateUrl = await serve(
    { extensionId, latest: () => offers.at(-1), onInstalling: () => onInstalling(extension) },
    onEnd,
  );

  async function offer(version: string): Promise<void> {
    await writeFile(manifestPath, JSON.stringify({ ...manifest, version, key, update_url: updateUrl }));
    offers.push({ version, packed: await pack(executablePath, folder, dir, privateKey) });
  }

  await offer(manifest.version);
  const origin = `chrome-extension://${extensionId}/`;
  const own = await openPrivatePolicies('chrome', executablePath, folder);
  const extension: InstalledExtension = {
    extensionId,
    origin,
    policies: own.folder,
    async start(profile) {
      const browser = await startChromium(own.executablePath, profile);
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

/** Chromium packs into a file beside the folder. */
async function pack(
  executablePath: string,
  folder: string,
  dir: string,
  privateKey: string,
): Promise<Buffer> {
  const keyPath = join(folder, 'key.pem');
  await writeFile(keyPath, privateKey);
  const profile = `--user-data-dir=${join(folder, 'packing')}`;
  const what = [`--pack-extension=${dir}`, `--pack-extension-key=${keyPath}`];
  execFileSync(executablePath, ['--headless', '--no-sandbox', profile, ...what], {
    stdio: 'ignore',
  });
  return readFile(`${dir}.crx`);
}

interface Served {
  readonly extensionId: string;
  readonly latest: () => Offer | undefined;
  readonly onInstalling: () => Promise<void>;
}

/** Serves the extension as Chromium asks for it. Returns the address of the list of versions. */
async function serve(
  { extensionId, latest, onInstalling }: Served,
  onEnd: (end: () => void) => void,
): Promise<string> {
  let installing: Promise<void> | null = null;
  const server = createServer(({ url }, response) => {
    if (url !== '/extension.crx') {
      response.setHeader('content-type', 'text/xml');
      response.end(`<?xml version="1.0" encoding="UTF-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
  <app appid="${extensionId}"><updatecheck codebase="${origin()}/extension.crx" version="${latest()?.version}"/></app>
</gupdate>`);
      return;
    }
    response.setHeader('content-type', 'application/x-chrome-extension');
    installing ??= onInstalling();
    void installing.then(() => response.end(latest()?.packed));
  });
  const origin = () => `http://localhost:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => server.listen(0, listening));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${origin()}/updates.xml`;
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
