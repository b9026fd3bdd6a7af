// Shared by the commands that show the extension: starts the demo provider, if the configuration names it, and the
// browser.

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

/** The configured provider whose issuer is the demo provider's address, or null. */
export function findDemo({ providers }: Config): Provider | null {
  return providers.find(({ issuer }) => issuer === `http://localhost:${demoPort}`) ?? null;
}

/** Starts the demo provider, with the redirect URIs of manifest.json for both browsers. */
export async function startDemo({ id }: Provider, onStop: OnStop): Promise<void> {
  const manifest = readFileSync(resolve(import.meta.dirname, '../manifest.json'), 'utf8');
  const { chrome, firefox } = redirectUris(JSON.parse(manifest) as ExtensionIdentity, id);
  const provider = await startDemoProvider({ port: demoPort, redirectUris: [chrome, firefox] });
  onStop(() => provider.close());
}

/** Starts a browser. It is closed when the command ends, even if the browser is still starting then. */
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
