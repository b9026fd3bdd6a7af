// What the commands that show the extension have in common: the demo provider, if the configuration names it, and
// the browser.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config, Provider } from '../src/config/config.ts';
import { startDemoProvider } from './demo-provider/provider.ts';
import type { BrowserName } from './browser/browsers.ts';
import type { OnStop } from './command.ts';
import {
  type ExtensionBrowser,
  type ExtensionBrowserOptions,
  launchExtensionBrowser,
} from './browser/extension-browser.ts';
import { type ExtensionIdentity, redirectUris } from './redirect-uris.ts';

const demoPort = 4455;

/** The provider of the configuration that is the demo provider. */
export function findDemo({ providers }: Config): Provider | null {
  return providers.find(({ issuer }) => issuer === `http://localhost:${demoPort}`) ?? null;
}

/** Starts the demo provider for the extension as it is in development, in both browsers. */
export async function startDemo({ id }: Provider, onStop: OnStop): Promise<void> {
  const manifest = readFileSync(resolve(import.meta.dirname, '../manifest.json'), 'utf8');
  const { chrome, firefox } = redirectUris(JSON.parse(manifest) as ExtensionIdentity, id);
  const provider = await startDemoProvider({ port: demoPort, redirectUris: [chrome, firefox] });
  onStop(() => provider.close());
}

/** Starts a browser that is closed at the end, also when the end comes before it has started. */
export function openBrowser(
  name: BrowserName,
  options: Omit<ExtensionBrowserOptions, 'handleSignals'>,
  onStop: OnStop,
): Promise<ExtensionBrowser> {
  const launching = launchExtensionBrowser(name, { ...options, handleSignals: false });
  onStop(async () => {
    const [launched] = await Promise.allSettled([launching]);
    if (launched.status === 'fulfilled') await launched.value.close();
  });
  return launching;
}

/** Resolves when the person has closed the browser. */
export function waitUntilClosed({ browser }: ExtensionBrowser): Promise<void> {
  return new Promise((resolveClosed) => {
    browser.once('disconnected', () => resolveClosed());
    if (!browser.connected) resolveClosed();
  });
}
