// `npm run bench`: measures the extension side by side with its peers and with the physical limit, and prints the tables of
// docs/performance.md.
//
//   npm run bench -- --only popup,worker     some measurements
//   npm run bench -- --browser firefox       those of one browser
//   npm run bench -- --write                 also replaces these results in docs/performance.md

import { browserNames, type BrowserName } from '../browser/browsers.ts';
import { readOptions, runCommand, UsageError, type OnStop } from '../command.ts';
import { measureCalls } from './calls.ts';
import { measureMemory } from './memory.ts';
import { readMachine, writePage, mergeRows, toMarkdown, toPeerTable, type Row } from './rows.ts';
import { measurePopup } from './popup.ts';
import { measureSignIn } from './sign-in.ts';
import { measureSizes } from './sizes.ts';
import { measureWorker } from './worker.ts';

interface Measurement {
  readonly browsers: readonly BrowserName[];
  readonly measure: (onStop: OnStop, browser: BrowserName) => Promise<readonly Row[]>;
}

const measurements: Readonly<Record<string, Measurement>> = {
  popup: { browsers: browserNames, measure: measurePopup },
  'sign-in': { browsers: browserNames, measure: measureSignIn },
  worker: { browsers: ['chrome'], measure: measureWorker },
  fetch: { browsers: browserNames, measure: measureCalls },
  sizes: { browsers: ['chrome'], measure: measureSizes },
  memory: { browsers: ['chrome'], measure: measureMemory },
};

await runCommand(async (onStop) => {
  const { names, chosen, writes } = readChoice();
  const machine = writes ? await readMachine(chosen) : null;
  let rows: readonly Row[] = [];
  try {
    for (const [name, { browsers, measure }] of Object.entries(measurements)) {
      for (const browser of browsers) {
        if (!names.includes(name) || !chosen.includes(browser)) continue;
        // Progress goes beside the table.
        process.stderr.write(`Measuring ${name} in ${browser}.\n`);
        const measured = await measure(onStop, browser);
        rows = mergeRows(rows, measured);
        // At once, because a later measurement may be interrupted.
        if (machine !== null) await writePage(machine, measured);
      }
    }
  } finally {
    process.stdout.write(`${toMarkdown(rows)}\n\n${toPeerTable(rows)}\n`);
  }
});

function readChoice(): {
  readonly names: readonly string[];
  readonly chosen: readonly BrowserName[];
  readonly writes: boolean;
} {
  const options = {
    only: {
      type: 'string',
      description: `Measures only these, with commas: ${Object.keys(measurements).join(', ')}.`,
    },
    browser: { type: 'string', description: `Measures only in this one: ${browserNames.join(' or ')}.` },
    write: { type: 'boolean', default: false, description: 'Writes the results into docs/performance.md.' },
  } as const;
  const { only, browser, write } = readOptions(options, '--only popup');
  const known = Object.keys(measurements);
  const names = only?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown measurement: ${unknown}. Known are ${known.join(', ')}.`);
  const chosen = browserNames.filter((name) => browser === undefined || name === browser);
  if (chosen.length === 0)
    throw new UsageError(`Unknown browser: ${browser}. Known are ${browserNames.join(' and ')}.`);
  return { names, chosen, writes: write };
}
