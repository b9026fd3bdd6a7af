// One browser for the tests of a worker, one after the other. It is reset before each use and closed after a failed test.

import { inject, onTestFinished } from 'vitest';
import type { ReplacementSettings } from '../../../tools/browser/driver.ts';
import { launchExtensionBrowser, type ExtensionBrowser } from '../../../tools/browser/extension-browser.ts';
import { openWorkerFolder } from './run-folder.ts';

/** A browser for one test. */
export interface BorrowedBrowser {
  /** Returns the running browser. */
  current(): ExtensionBrowser;
  restart: (...parameters: Parameters<ExtensionBrowser['restart']>) => Promise<void>;
  /** Closes the browser after the test, for a test that changes something that a reset does not undo. */
  discard(): void;
}

/** The settings with which a browser starts, or to which it is reset. */
export type Settings = ReplacementSettings;

let shared: ExtensionBrowser | null = null;
/** Whether the tests since the last reset have opened web pages only, and closed them. */
let isReset = false;

// The exit of this process ends its browser and removes the profile, but a signal ends the process without an exit.
process.once('SIGTERM', () => process.exit());

/** Returns this worker's browser with a new installation of the extension in `extensionDir`. */
export function borrowBrowser(extensionDir: string, settings: Settings = {}): Promise<BorrowedBrowser> {
  return lendShared(() => reset(extensionDir, settings));
}

/**
 * Returns this worker's browser for a test that opens web pages only and closes them. It is reset unless the last test was
 * such a one too, because installing an extension takes longer than most of them. `findBuild` returns any build of the extension.
 */
export async function borrowForWebPages(findBuild: () => Promise<string>): Promise<BorrowedBrowser> {
  const borrowed = await lendShared(async () => {
    if (shared === null || !isReset) await reset(await findBuild(), {});
  });
  isReset = true;
  return borrowed;
}

async function reset(extensionDir: string, settings: Settings): Promise<void> {
  isReset = false;
  if (shared === null) shared = await launchWith(extensionDir, settings);
  else await shared.replaceExtension(extensionDir, settings);
}

async function lendShared(prepare: () => Promise<void>): Promise<BorrowedBrowser> {
  let isDiscarded = false;
  onTestFinished(async ({ task }) => {
    if (!isDiscarded && task.result?.state !== 'fail') return;
    await shared?.close();
    shared = null;
  });
  await prepare();
  return {
    current: () => expectLaunched(shared),
    async restart(...parameters) {
      const before = expectLaunched(shared);
      shared = null;
      shared = await before.restart(...parameters);
    },
    discard() {
      isDiscarded = true;
    },
  };
}

/** Starts a browser with the extension in `extensionDir`: this run's, unless there is another `executablePath`. The caller closes it. */
export function launchWith(
  extensionDir: string,
  settings: Settings & { readonly executablePath?: string } = {},
): Promise<ExtensionBrowser> {
  return launchExtensionBrowser(inject('browserName'), {
    extensionDir,
    executablePath: inject('executablePath'),
    headless: true,
    language: 'en-US',
    temporaryDir: openWorkerFolder(),
    savesWork: true,
    ...settings,
  });
}

function expectLaunched(browser: ExtensionBrowser | null): ExtensionBrowser {
  if (browser === null) throw new Error('The browser of this test is closed.');
  return browser;
}
