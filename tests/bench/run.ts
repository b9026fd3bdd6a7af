// `npm run bench`: measures the extension side by side with its peers and with the physical limit, and prints the
// tables of docs/performance.md.
//
//   npm run bench -- --only popup,worker     some measurements
//   npm run bench -- --browser firefox       those of one browser

import { parseArgs } from 'node:util';
import { browserNames, type BrowserName } from '../../tools/browser/browsers.ts';
import { refuseOptionsKeptByNpm, runCommand, UsageError, type OnStop } from '../../tools/command.ts';
import { measureCalls } from './calls.ts';
import { measurePopup } from './popup.ts';
import { toMarkdown, toPeerTable, type Row } from './rows.ts';
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
};

await runCommand(async (onStop) => {
  const { names, chosen } = readOptions(process.argv.slice(2));
  const rows: Row[] = [];
  try {
    for (const [name, { browsers, measure }] of Object.entries(measurements)) {
      for (const browser of browsers) {
        if (!names.includes(name) || !chosen.includes(browser)) continue;
        // Progress goes beside the tables.
        process.stderr.write(`Measuring ${name} in ${browser}.\n`);
        rows.push(...(await measure(onStop, browser)));
      }
    }
  } finally {
    process.stdout.write(`${toMarkdown(rows)}\n\n${toPeerTable(rows)}\n`);
  }
});

interface Options {
  readonly names: readonly string[];
  readonly chosen: readonly BrowserName[];
}

function readOptions(args: readonly string[]): Options {
  if (args.length === 0) refuseOptionsKeptByNpm(['only', 'browser'], '--only popup');
  const { only, browser } = parse(args);
  const known = Object.keys(measurements);
  const names = only?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`Unknown measurement: ${unknown}. Known are ${known.join(', ')}.`);
  }
  const chosen = browserNames.filter((name) => browser === undefined || name === browser);
  if (chosen.length === 0) {
    throw new UsageError(`Unknown browser: ${browser}. Known are ${browserNames.join(' and ')}.`);
  }
  return { names, chosen };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        browser: { type: 'string' },
      },
    });
    return values;
  } catch {
    throw new UsageError(`Unknown option: ${args.join(' ')}. Known are --only <names> and --browser <name>.`);
  }
}
