// The worker of the extension that runs the contract in a real browser.

import { browser } from '../../../src/bridge/browser.ts';
import { rows } from '../rows.ts';
import { inExtension } from './in-extension.ts';
import { respond } from './respond.ts';
import { runRow } from './run-row.ts';

respond({ scope: self, origin: browser.runtime.getURL('').slice(0, -1), browser });
browser.runtime.onMessage.addListener((message: unknown) => {
  // The number of a row, and the address of the server of the contract.
  const { row: number, provider } = message as { readonly row: number; readonly provider: string };
  const row = rows[number];
  return row && runRow(row, inExtension(provider));
});
