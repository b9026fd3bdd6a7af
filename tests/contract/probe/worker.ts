// The worker of the extension that runs the contract in a real browser.

import { browser } from '../../../src/bridge/browser.ts';
import { rows } from '../rows.ts';
import { inExtension } from './in-extension.ts';
import { respond, type WorkerParts } from './respond.ts';
import { runRow } from './run-row.ts';

/** The request for a row. */
interface RowRequest {
  readonly row: number;
  /** The address of the server of the contract. */
  readonly provider: string;
}

respond({
  scope: self,
  origin: browser.runtime.getURL('').slice(0, -1),
  browser: browser as unknown as WorkerParts['browser'],
});
browser.runtime.onMessage.addListener((message: unknown) => {
  if (!isRowRequest(message)) return undefined;
  const row = rows[message.row];
  return row && runRow(row, inExtension(message.provider));
});

function isRowRequest(message: unknown): message is RowRequest {
  return typeof message === 'object' && message !== null && 'row' in message;
}
