// One browser for the tests of a worker, one after the other. It is reset before each use and closed after a failed test.

import { inject, onTestFinished } from 'vitest';
import type { ReplacementSettings } from '../../../tools/browser/driver.ts';
import { launchExtensionBrowser, type ExtensionBrowser } from '../../../tools/browser/extension-browser.ts';
import { openWorkerFolder } from './run-folder.ts';

/** A browser for one test. */
export interface BorrowedBrowser {
  /** Returns the running browser. */
  current(): ExtensionBrowser;
  restart(): Promise<void>;
  /** Closes the browser after the test, for a test that changes something that a reset does not undo. */
  discard(): void;
}

/** The settings with which a browser starts, or to which it is reset. */
export type Settings = ReplacementSettings;

let shared: ExtensionBrowser | null = null;
let isBorrowed = false;

// The exit of this process ends its browser and removes the profile, but a signal ends the process without an exit.
process.once('SIGTERM', () => process.exit());

/** Returns this worker's browser with a new installation of the extension in `extensionDir`; if in use, a new browser. */
export async function borrowBrowser(extensionDir: string, settings: Settings = {}): Promise<BorrowedBrowser> {
  if (isBorrowed) return launchBrowser(extensionDir, settings);
  isBorrowed = true;
  let isDiscarded = false;
  onTestFinished(async ({ task }) => {
    isBorrowed = false;
    if (!isDiscarded && task.result?.state !== 'fail') return;
    await shared?.close();
    shared = null;
  });
  if (shared === null) shared = await launch(extensionDir, settings);
  else await shared.replaceExtension(extensionDir, settings);
  return {
    current: () => expectLaunched(shared),
    async restart() {
      const before = expectLaunched(shared);
      shared = null;
      shared = await before.restart();
    },
    discard() {
      isDiscarded = true;
    },
  };
}

async function launchBrowser(extensionDir: string, settings: Settings): Promise<BorrowedBrowser> {
  let browser = await launch(extensionDir, settings);
  onTestFinished(() => browser.close());
  return {
    current: () => browser,
    async restart() {
      browser = await browser.restart();
    },
    // This browser is closed in any case.
    discard() {},
  };
}

function launch(extensionDir: string, settings: Settings): Promise<ExtensionBrowser> {
  return launchExtensionBrowser(inject('browserName'), {
    extensionDir,
    executablePath: inject('executablePath'),
    headless: true,
    language: 'en-US',
    temporaryDir: openWorkerFolder(),
    ...settings,
  });
}

function expectLaunched(browser: ExtensionBrowser | null): ExtensionBrowser {
  if (browser === null) throw new Error('The browser of this test is closed.');
  return browser;
}
