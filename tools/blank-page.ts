// A blank page in a browser, to put pictures on and to take a picture of.

import { readFile } from 'node:fs/promises';
import { launch, type Page } from 'puppeteer-core';
import { findBrowser } from './browser/browsers.ts';
import type { OnStop } from './command.ts';

/** A blank page of this size, for pictures of pictures. */
export async function openBlankPage(width: number, height: number, onStop: OnStop): Promise<Page> {
  const browser = await launch({
    executablePath: await findBrowser('chrome', { log: console.log }),
    // Chromium does not start with its sandbox as root. It loads only our own pictures.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    defaultViewport: { width, height },
  });
  onStop(() => browser.close());
  return browser.newPage();
}

/** The markup of a picture file. */
export async function toImage(path: string, className: string): Promise<string> {
  return `<img class="${className}" src="data:image/png;base64,${await readFile(path, 'base64')}" alt="">`;
}
