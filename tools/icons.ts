// Draws the manifest's PNG icons from src/public/icons/latchkey.svg. Run `npx tsx tools/icons.ts` after changing it.

import { readFile, writeFile } from 'node:fs/promises';
import { launch } from 'puppeteer-core';
import { findBrowser } from './browser/browsers.ts';

const folder = new URL('../src/public/icons/', import.meta.url);
const svg = await readFile(new URL('latchkey.svg', folder), 'utf8');
const drawings = [
  { name: 'latchkey', sizes: [16, 32, 48, 128], filter: 'none' },
  // For the toolbar button, while signed out and while signing in.
  { name: 'latchkey-signed-out', sizes: [16, 32], filter: 'grayscale(1) brightness(1.2)' },
  { name: 'latchkey-signing-in', sizes: [16, 32], filter: 'opacity(0.5)' },
];
const browser = await launch({
  executablePath: await findBrowser('chrome', { log: console.log }),
  // Chromium does not start with its sandbox as root. It loads only our own SVG.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage();
  for (const { name, sizes, filter } of drawings) {
    for (const size of sizes) {
      await page.setViewport({ width: size, height: size });
      const style = `body{margin:0}svg{display:block;width:${size}px;filter:${filter}}`;
      await page.setContent(`<style>${style}</style>${svg}`);
      await writeFile(
        new URL(`${name}-${size}.png`, folder),
        await page.screenshot({ type: 'png', omitBackground: true }),
      );
    }
  }
} finally {
  await browser.close();
}
