// An extension that Chromium has installed because an administrator's policy says so, from a file on a server of the
// organization. No debugger has loaded it, so it starts as on the devices of people.

import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { launch, type Browser, type Page, type Target } from 'puppeteer-core';
import { inject, onTestFinished } from 'vitest';
import { recordFaces } from './faces.ts';
import { createSigningKey, toExtensionId } from './managed.ts';
import { openPrivatePolicies } from './private-policies.ts';
import { openWorkerFolder } from './run-folder.ts';

export interface InstalledExtension {
  readonly extensionId: string;
  /** The folder for policies of the browser. */
  readonly policies: string;
  /** Starts the browser with the same profile as before. It closes after the test. */
  start(): Promise<Browser>;
  /** Opens the popup's page in a tab. */
  openPopup(browser: Browser): Promise<Page>;
}

interface Manifest {
  readonly version: string;
  readonly action: { readonly default_popup: string };
}

/** Packs a copy of the build. Calls `onInstalling` before Chromium gets it, for the first time. */
export async function packForChromium(
  built: string,
  onInstalling: (extension: InstalledExtension) => Promise<void>,
): Promise<InstalledExtension> {
  const folder = await mkdtemp(join(openWorkerFolder(), 'installed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const dir = join(folder, 'extension');
  await cp(built, dir, { recursive: true });
  await recordFaces(dir);
  const { key, privateKey } = createSigningKey();
  const manifestPath = join(dir, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
  await writeFile(manifestPath, JSON.stringify({ ...manifest, key }));
  const packed = await pack(folder, dir, privateKey);

  const extensionId = toExtensionId(key);
  const popup = `chrome-extension://${extensionId}/${manifest.action.default_popup}`;
  const { executablePath, folder: policies } = await openPrivatePolicies();
  const isOurs = (target: Target) => target.url().startsWith(`chrome-extension://${extensionId}/`);
  const extension: InstalledExtension = {
    extensionId,
    policies,
    async start() {
      const browser = await startChromium(executablePath, join(folder, 'profile'));
      onTestFinished(() => browser.close());
      await browser.waitForTarget(isOurs);
      return browser;
    },
    async openPopup(browser) {
      const page = await browser.newPage();
      await page.goto(popup);
      return page;
    },
  };
  const updates = await serve(extensionId, manifest.version, packed, () => onInstalling(extension));
  const installation = {
    ExtensionInstallForcelist: [`${extensionId};${updates}`],
    // Without this, Chromium lets no debugger see an extension that a policy has installed.
    DeveloperToolsAvailability: 1,
  };
  await writeFile(join(policies, 'installation.json'), JSON.stringify(installation));
  return extension;
}

/** Chromium packs into a file beside the folder. */
async function pack(folder: string, dir: string, privateKey: string): Promise<Buffer> {
  const keyPath = join(folder, 'key.pem');
  await writeFile(keyPath, privateKey);
  const profile = `--user-data-dir=${join(folder, 'packing')}`;
  const what = [`--pack-extension=${dir}`, `--pack-extension-key=${keyPath}`];
  execFileSync(inject('executablePath'), ['--headless', '--no-sandbox', profile, ...what], {
    stdio: 'ignore',
  });
  return readFile(`${dir}.crx`);
}

/** Serves the extension as Chromium asks for it. Returns the address of the list of versions. */
async function serve(
  extensionId: string,
  version: string,
  packed: Buffer,
  onInstalling: () => Promise<void>,
): Promise<string> {
  let installing: Promise<void> | null = null;
  const server = createServer(({ url }, response) => {
    if (url !== '/extension.crx') {
      response.setHeader('content-type', 'text/xml');
      response.end(`<?xml version="1.0" encoding="UTF-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
  <app appid="${extensionId}"><updatecheck codebase="${origin()}/extension.crx" version="${version}"/></app>
</gupdate>`);
      return;
    }
    response.setHeader('content-type', 'application/x-chrome-extension');
    installing ??= onInstalling();
    void installing.then(() => response.end(packed));
  });
  const origin = () => `http://localhost:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => server.listen(0, listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${origin()}/updates.xml`;
}

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
