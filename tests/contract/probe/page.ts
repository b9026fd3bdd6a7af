// A page of the extension that runs the contract in a real browser. It runs the rows that are about pages.

import { rows } from '../rows.ts';
import { inExtension } from './in-extension.ts';
import { runRow } from './run-row.ts';

/** Runs the row with this number, and returns its notes. */
export async function runInPage(number: number, provider: string): Promise<string[]> {
  const row = rows[number];
  if (row === undefined) throw new Error(`There is no row ${number}.`);
  return runRow(row, inExtension(provider));
}

/** Holds a lock or a line until the page ends. Resolves when it does. */
export async function hold(what: 'lock' | 'line', provider: string): Promise<void> {
  await new Promise<void>((held) => {
    if (what === 'lock') {
      void navigator.locks.request('contract page', () => {
        held();
        return new Promise(() => undefined);
      });
    } else {
      inExtension(provider).line('fetch', 'here', [], { onMessage: () => held(), onLost: () => undefined });
    }
  });
}
