// Runs the extension of a project in a browser, for the project's own tests: with a demo provider on a free port.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { type BrowserName, findBrowser } from './browser/browsers.ts';
import { type ExtensionBrowser, launchExtensionBrowser } from './browser/extension-browser.ts';
import { parseConfig, toConfigPath } from './build/read-config.ts';
import { readManifest } from './build/read-manifest.ts';
import { readJson, root } from './build/read-text.ts';
import { buildExtension } from './build.ts';
import { toBrowserName } from './command.ts';
import { type DemoProvider, type DemoProviderOptions, startDemoProvider } from './demo-provider/provider.ts';
import { redirectUris } from './redirect-uris.ts';
import { approve, expectSignedIn, showing, startSignIn } from './show.ts';

export interface ExtensionOptions {
  /** By default what `LATCHKEY_BROWSER` names, or else `chrome`. */
  readonly browser?: BrowserName;
  /** Members of the demo provider's entry in the configuration, such as `apis`, to add or replace. */
  readonly provider?: Readonly<Record<string, unknown>>;
}

export interface RunningExtension {
  readonly demo: DemoProvider;
  /** The browser, with its popup, its sign-in window and its worker. */
  readonly browser: ExtensionBrowser;
  /** Signs in as the demo provider's first user. Returns the popup, which then shows the feature. */
  signIn(): Promise<Page>;
  close(): Promise<void>;
}

/** Sets up the extension as `latchkey/testing` describes it. Throws as a build does, and if no browser can be had. */
export async function setUpExtension({
  browser: name = toBrowserName(process.env['LATCHKEY_BROWSER'] || 'chrome', 'LATCHKEY_BROWSER'),
  provider: members = {},
}: ExtensionOptions = {}): Promise<RunningExtension> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  };
  try {
    const { demo, entry } = await startConfigured(() => members);
    stops.push(() => demo.close());
    const own = readJson(toConfigPath()) as Readonly<Record<string, unknown>>;
    const config = parseConfig(JSON.stringify({ ...own, providers: [entry] }), toConfigPath(), root);
    const extensionDir = join(folder, 'build');
    await buildExtension({ browser: name, config, outDir: extensionDir });
    const executablePath = await findBrowser(name, { log: console.log });
    const browser = await launchExtensionBrowser(name, { extensionDir, executablePath, headless: true });
    stops.push(() => browser.close());
    const [provider] = config.providers;
    if (provider === undefined) throw new Error('The configuration has no provider.');
    return {
      demo,
      browser,
      async signIn() {
        await approve(await startSignIn(browser, provider));
        await expectSignedIn(browser);
        return browser.waitForPopup(showing('signed-in'));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts the demo provider with the redirect URIs of manifest.json. Returns it, and its entry in a configuration, in which
 * `toMembers` adds or replaces members. `restart` starts it at the same address, without its sessions and tokens.
 */
export async function startConfigured(
  toMembers: (demo: DemoProvider) => Readonly<Record<string, unknown>>,
  options: DemoProviderOptions = {},
) {
  const redirects = { redirectUris: Object.values(redirectUris(readManifest(), 'demo')), ...options };
  const demo = await startDemoProvider(redirects);
  const { issuer, clientId } = demo;
  const entry = { id: 'demo', name: 'Demo provider', issuer, clientId, apiOrigins: [issuer] };
  const restart = () => startDemoProvider({ ...redirects, port: Number(new URL(issuer).port) });
  return { demo, entry: { ...entry, ...toMembers(demo) }, restart };
}
