// A blank page in a browser, to put pictures on and to take a picture of.

import { launch, type Page } from 'puppeteer-core';
import { findBrowser } from './browser/browsers.ts';
import type { OnStop } from './command.ts';

/** Opens a blank page, which the browser closes with the command. Prints when it installs a browser. */
export async function openBlankPage(onStop: OnStop): Promise<Page> {
  const browser = await launch({
    executablePath: await findBrowser('chrome', { log: console.log }),
    // Chromium does not start with its sandbox as root. It loads only our own pictures.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  onStop(() => browser.close());
  return browser.newPage();
}
