// Records each face that the popup's page shows, from its first script on, so that a test also sees those that vanish at once.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';

/** The page as a user sees it: the status, and the providers that are offered. */
export interface Face {
  readonly status: string;
  readonly providers: readonly string[];
  readonly managed: boolean;
}

export interface TimedFace {
  readonly face: Face;
  /** When it was in the document, in milliseconds after the page began to load. */
  readonly atMs: number;
}

/**
 * Runs in the page, as a script of the extension. It is sent as text and cannot use this file's names; its functions have
 * none, because tsx adds a call to those.
 */
function record(): void {
  const faces: TimedFace[] = [];
  let last = '';
  new MutationObserver(() => {
    const main = document.querySelector('main');
    if (main === null) return;
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-provider]')];
    const face = {
      status: main.dataset['status'] ?? '',
      providers: buttons.map(({ dataset }) => dataset['provider'] ?? ''),
      managed: main.innerText.includes('Managed by'),
    };
    const text = JSON.stringify(face);
    if (text !== last) faces.push({ face, atMs: performance.now() });
    last = text;
  }).observe(document, { subtree: true, childList: true, attributes: true });
  Object.assign(globalThis, { faces });
}

/** Adds the recorder to the popup's page of the build in `extensionDir`. */
export async function recordFaces(extensionDir: string): Promise<void> {
  const { action } = JSON.parse(await readFile(join(extensionDir, 'manifest.json'), 'utf8')) as {
    readonly action: { readonly default_popup: string };
  };
  const path = join(extensionDir, action.default_popup);
  const page = await readFile(path, 'utf8');
  await writeFile(join(extensionDir, 'record-faces.js'), `(${record.toString()})();`);
  await writeFile(path, page.replace('<head>', '<head><script src="/record-faces.js"></script>'));
}

/** The faces that the page has shown, one after the other. */
export function readFaces(page: Page): Promise<readonly TimedFace[]> {
  return page.evaluate(() => (globalThis as unknown as { readonly faces: readonly TimedFace[] }).faces);
}
