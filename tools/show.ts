// Shared by the commands that show the extension to a person.

import type { Provider } from '../src/config/config.ts';
import type { BrowserName } from './browser/browsers.ts';
import { toMessage, type OnStop } from './command.ts';
import { step } from './demonstration.ts';
import {
  type ExtensionBrowser,
  type ExtensionBrowserOptions,
  launchExtensionBrowser,
} from './browser/extension-browser.ts';

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

/** A line to be printed: what `npm start` does without a display. `demo` is the demo provider, or null without it. */
export function describeUnattended(demo: Pick<Provider, 'name'> | null): string {
  return demo === null
    ? `There is no display, and the configuration does not name the demo provider, so there is no sign-in to show.
\`npm run doctor\` checks your provider without a sign-in. docs/feature.md says how to use the demo provider again.`
    : `There is no display, so the first person of ${demo.name} signs in without you, and the pictures are in dist/demo.`;
}

/** How a person loads the build in `folder` into a browser of theirs, in lines to be printed. */
export function describeLoading(browser: BrowserName, folder: string): string {
  return browser === 'chrome'
    ? `To load it yourself, open chrome://extensions, switch on "Developer mode", click "Load unpacked" and choose ${folder}.`
    : `To load it yourself, open about:debugging#/runtime/this-firefox, click "Load Temporary Add-on" and choose ${folder}/manifest.json.`;
}

/** The parts of a browser that a person uses. */
type Attended = Pick<ExtensionBrowser, 'browser' | 'openPopup'>;

/** Resolves when the person has closed the browser. */
export function waitUntilClosed({ browser }: Pick<Attended, 'browser'>): Promise<void> {
  return new Promise((resolveClosed) => {
    browser.once('disconnected', () => resolveClosed());
    if (!browser.connected) resolveClosed();
  });
}

/**
 * Opens the popup for the person. Some desktops do not give the focus to a new window, and then a browser opens no popup
 * by itself: the person can, so that is no failure. Calls `log` with what to do.
 */
export async function offerPopup(
  opened: Attended,
  productName: string,
  log: (line: string) => void,
): Promise<void> {
  try {
    await opened.openPopup();
  } catch (error) {
    // The person has closed the browser, which ends the command.
    if (!opened.browser.connected) return;
    log(`The popup did not open by itself (${toMessage(error)})
To open it, click the button of ${productName} in the browser's toolbar, or behind the puzzle piece there.`);
  }
}

/**
 * Opens the popup for the person, and resolves when they have closed the browser. `demo` is the demo provider, or null
 * without it. Calls `log` with what the person can do.
 */
export async function attend(
  opened: Attended,
  demo: Pick<Provider, 'name'> | null,
  productName: string,
  log: (line: string) => void,
): Promise<void> {
  await step('open the popup', () => offerPopup(opened, productName, log));
  log(`
${productName} is in ${await opened.browser.version()}, with a temporary profile.
${
  demo === null
    ? 'Sign in with the configured provider.'
    : `Click "Continue with ${demo.name}" in the popup, and choose one of two fictional people.`
}
The popup closes when you click elsewhere. Its button is in the toolbar, or behind the puzzle piece there.
Press Ctrl-C or close the browser to stop.`);
  await waitUntilClosed(opened);
}
