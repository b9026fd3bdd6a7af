// Draws the manifest's PNG icons from src/public/icons/latchkey.svg: `npx tsx tools/icons.ts`.

import { join, resolve } from 'node:path';
import { launch } from 'puppeteer-core';
import { findBrowser } from './browser/browsers.ts';
import { readText } from './build/read-text.ts';
import { type Change, writeChanges } from './changes.ts';
import { UsageError, expectNoOptions, isCommand, runCommand } from './command.ts';

/** The drawing that the PNG icons are made of, relative to the project. */
export const iconSource = 'src/public/icons/latchkey.svg';

const drawings = [
  { name: 'latchkey', sizes: [16, 32, 48, 128], dot: null },
  // For the toolbar button, while signed out and while signing in. A grey drawing would look switched off, and a faint one
  // vanishes on a dark toolbar.
  { name: 'latchkey-signed-out', sizes: [16, 32], dot: '#6b7280' },
  { name: 'latchkey-signing-in', sizes: [16, 32], dot: '#f59e0b' },
];

/**
 * Throws a {@link UsageError} if `svg` is no drawing with a size of its own, from its `viewBox` or its `width` and
 * `height`: then it's unclear how to scale it. `path` is used in messages only.
 */
export function checkIcon(svg: string, path: string): void {
  const root = rootElement.exec(svg.replace(/^\uFEFF/, ''))?.[1];
  if (root === undefined) throw new UsageError(`${path}: expected an SVG file.`);
  const attributes = new Map(
    [...root.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name = '', double, single]) => [name, (double ?? single ?? '').trim()] as const,
    ),
  );
  if (!attributes.has('xmlns')) {
    throw new UsageError(`${path}: expected xmlns="http://www.w3.org/2000/svg" on its <svg>.`);
  }
  const [, , ...viewBoxSize] = (attributes.get('viewBox') ?? '').split(/[\s,]+/);
  const ownSize = ['width', 'height'].map((name) => attributes.get(name) ?? '');
  if (!isSize(viewBoxSize) && !isSize(ownSize)) {
    throw new UsageError(
      `${path}: expected a viewBox, such as viewBox="0 0 32 32", or width and height on its <svg>.`,
    );
  }
}

/** The attributes of the `<svg>` that a file begins with, after its declaration, type and comments. */
const rootElement =
  /^(?:\s|<\?[^>]*>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)*<svg(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/s;

/** Whether there are two lengths above zero. A percentage is none: it depends on the page. */
function isSize(lengths: readonly string[]): boolean {
  return (
    lengths.length === 2 && lengths.every((length) => !length.endsWith('%') && Number.parseFloat(length) > 0)
  );
}

/**
 * Draws every icon, and returns the files to write. The drawing fills the square as far as its shape allows, and stands
 * in its middle. Calls `log` before it installs a browser. Throws an Error without a browser.
 */
export async function drawIcons(svg: string, log: (line: string) => void): Promise<readonly Change[]> {
  const browser = await launch({
    executablePath: await findBrowser('chrome', { log }),
    // Chromium does not start with its sandbox as root. It loads only our own SVG, as an image: without scripts.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    const icons: Change[] = [];
    for (const { name, sizes, dot } of drawings) {
      for (const size of sizes) {
        await page.setViewport({ width: size, height: size });
        await page.setContent(toIconPage(svg, size, dot));
        await page
          .evaluate(() => document.images[0]?.decode())
          .catch((error: unknown) => {
            throw new Error('The browser cannot draw the SVG: it is not well-formed.', { cause: error });
          });
        const content = await page.screenshot({ type: 'png', omitBackground: true });
        icons.push({ file: `src/public/icons/${name}-${size}.png`, content });
      }
    }
    return icons;
  } finally {
    await browser.close();
  }
}

/**
 * A page of `size` pixels with the drawing in its middle, and a dot of the colour `dot` in a corner. An image, unlike the
 * SVG itself, always keeps its shape.
 */
export function toIconPage(svg: string, size: number, dot: string | null): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const style = `body{margin:0}img{display:block;width:${size}px;height:${size}px;object-fit:contain}`;
  const [width, edge] = [(size * 7) / 16, size / 16];
  const corner = `position:absolute;right:0;bottom:0;box-sizing:border-box;width:${width}px;height:${width}px`;
  const look = `border:${edge}px solid #fff;border-radius:50%;background:${dot}`;
  const mark = dot === null ? '' : `<i style="${corner};${look}"></i>`;
  return `<style>${style}</style><img src="${source}">${mark}`;
}

if (isCommand(import.meta.url)) {
  await runCommand(async () => {
    expectNoOptions();
    const root = resolve(import.meta.dirname, '..');
    const svg = readText(join(root, iconSource), iconSource);
    checkIcon(svg, iconSource);
    for (const file of await writeChanges(root, await drawIcons(svg, console.log))) console.log(file);
  });
}
