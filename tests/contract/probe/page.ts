// A page of the extension that runs the contract in a real browser. It runs the rows that are about pages.

import { rows } from '../rows.ts';
import type { ProbedBrowser } from '../row.ts';
import { inExtension } from './in-extension.ts';
import { runRow } from './run-row.ts';

declare const browser: ProbedBrowser;

/** Runs the row with this number, and returns its notes. */
export async function runInPage(number: number, provider: string): Promise<string[]> {
  const row = rows[number];
  if (row === undefined) throw new Error(`There is no row ${number}.`);
  return runRow(row, inExtension(provider));
}

/** Holds a lock or a port until the page ends. Resolves when it does. */
export async function hold(what: 'lock' | 'port'): Promise<void> {
  if (what === 'lock') {
    await new Promise<void>((held) => {
      void navigator.locks.request('contract page', () => {
        held();
        return new Promise(() => undefined);
      });
    });
    return;
  }
  const port = browser.runtime.connect({ name: "a page's" });
  const echoed = new Promise((resolve) => void port.onMessage.addListener(resolve));
  port.postMessage('here');
  await echoed;
}
