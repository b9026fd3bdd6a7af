// Draws the PNG icons of the manifest from the one SVG: run it after changing src/public/icons/latchkey.svg.

import { readFile, writeFile } from 'node:fs/promises';
import { launch } from 'puppeteer-core';
import { findBrowser } from './browsers.ts';

const folder = new URL('../src/public/icons/', import.meta.url);
const svg = await readFile(new URL('latchkey.svg', folder), 'utf8');
const drawings = [
  { name: 'latchkey', sizes: [16, 32, 48, 128], drawing: svg },
  // The toolbar's, while nobody is signed in.
  { name: 'latchkey-signed-out', sizes: [16, 32], drawing: svg.replace('#0e7c6e', '#76808f') },
];
const browser = await launch({
  executablePath: await findBrowser('chrome', { log: console.log }),
  // Chromium refuses its sandbox to root; it loads nothing but our own drawing.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage();
  for (const { name, sizes, drawing } of drawings) {
    for (const size of sizes) {
      await page.setViewport({ width: size, height: size });
      await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${drawing}`);
      await writeFile(
        new URL(`${name}-${size}.png`, folder),
        await page.screenshot({ type: 'png', omitBackground: true }),
      );
    }
  }
} finally {
  await browser.close();
}
