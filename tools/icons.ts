// Draws the manifest's PNG icons from src/public/icons/latchkey.svg: `npx tsx tools/icons.ts`.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText, root } from './build/read-text.ts';
import { type OnStop, UsageError, readOptions, runIfStarted } from './command.ts';
import { openBlankPage } from './show.ts';

/** The drawing that the PNG icons are made of, relative to the project. */
export const iconSource = 'src/public/icons/latchkey.svg';

const drawings = [
  { name: 'latchkey', sizes: [16, 32, 48, 128], dot: null },
  // For the toolbar button, while signed out and while signing in. A gray drawing would look switched off, and a faint one
  // vanishes on a dark toolbar.
  { name: 'latchkey-signed-out', sizes: [16, 32], dot: '#6b7280' },
  { name: 'latchkey-signing-in', sizes: [16, 32], dot: '#f59e0b' },
];

/** Files to write, by their paths in the project. */
export type Icons = ReadonlyMap<string, Uint8Array>;

/**
 * Draws every icon. The drawing fills the square as far as its shape allows, and stands in its middle. Throws an Error
 * without a browser, and a {@link UsageError} if the browser can't draw `svg`. `path` is used in messages only.
 */
export async function drawIcons(svg: string, path: string, onStop: OnStop): Promise<Icons> {
  // Without one, it's unclear how to scale the drawing.
  if (!/<svg\b[^>]*\sviewBox\s*=/.test(svg)) throw new UsageError(`${path}: expected an SVG with a viewBox.`);
  const page = await openBlankPage(onStop);
  const icons = new Map<string, Uint8Array>();
  for (const { name, sizes, dot } of drawings) {
    for (const size of sizes) {
      await page.setViewport({ width: size, height: size });
      await page.setContent(toIconPage(svg, size, dot));
      const isDrawn = await page.evaluate(() =>
        document.images[0]?.decode().then(
          () => true,
          () => false,
        ),
      );
      if (!isDrawn) throw new UsageError(`${path}: the browser can't draw it; expected a well-formed SVG.`);
      const picture = await page.screenshot({ type: 'png', omitBackground: true });
      icons.set(`src/public/icons/${name}-${size}.png`, picture);
    }
  }
  return icons;
}

/**
 * A page of `size` pixels with the drawing in its middle, and a dot of the color `dot` in a corner. An image, unlike the
 * SVG itself, always keeps its shape and runs no script.
 */
function toIconPage(svg: string, size: number, dot: string | null): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const style = `body{margin:0}img{display:block;width:${size}px;height:${size}px;object-fit:contain}`;
  const [width, edge] = [(size * 7) / 16, size / 16];
  const corner = `position:absolute;right:0;bottom:0;box-sizing:border-box;width:${width}px;height:${width}px`;
  const look = `border:${edge}px solid #fff;border-radius:50%;background:${dot}`;
  const mark = dot === null ? '' : `<i style="${corner};${look}"></i>`;
  return `<style>${style}</style><img src="${source}">${mark}`;
}

await runIfStarted(import.meta.url, async (onStop) => {
  readOptions({}, '');
  const svg = readText(iconSource);
  for (const [file, picture] of await drawIcons(svg, iconSource, onStop)) {
    await writeFile(join(root, file), picture);
    console.log(file);
  }
});
