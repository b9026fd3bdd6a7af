// `npm run bench`: compares the extension with the least that the browser needs and with other libraries, and prints the tables of
// docs/performance.md.

import { cpus, totalmem } from 'node:os';
import { browserNames, type BrowserName } from '../browser/browsers.ts';
import { readOptions, runCommand, toBrowserName, UsageError, type OnStop } from '../command.ts';
import { measureCalls } from './calls.ts';
import { toTable, toPeerTable, type Row } from './rows.ts';
import { measurePopup } from './popup.ts';
import { measureSignIn } from './sign-in.ts';
import { measureSizes } from './sizes.ts';

type Measure = (onStop: OnStop, browser: BrowserName) => Promise<readonly Row[]>;

const measurements: Readonly<Record<string, Measure>> = {
  popup: measurePopup,
  'sign-in': measureSignIn,
  fetch: measureCalls,
  sizes: (onStop, browser) => (browser === 'chrome' ? measureSizes(onStop) : Promise.resolve([])),
};

await runCommand(async (onStop) => {
  const { names, browsers } = readChoice();
  const rows: Row[] = [];
  try {
    for (const name of names) {
      for (const browser of browsers) {
        // Progress goes to the error output, apart from the table.
        process.stderr.write(`Measuring ${name} in ${browser}.\n`);
        rows.push(...((await measurements[name]?.(onStop, browser)) ?? []));
      }
    }
  } finally {
    const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
    const machine = `${cpus().length} cores and ${memory} (${process.platform}), Node ${process.version}`;
    process.stdout.write(`${[machine, toTable(rows), toPeerTable(rows)].join('\n\n')}\n`);
  }
});

function readChoice() {
  const known = Object.keys(measurements);
  const options = {
    only: { type: 'string', description: `Measures only these, with commas: ${known.join(', ')}.` },
    browser: { type: 'string', description: `Measures only in this one: ${browserNames.join(' or ')}.` },
  } as const;
  const { only, browser } = readOptions(options, '--only popup');
  const names = only?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`Unknown: ${unknown}. \`--help\` lists what is known.`);
  return { names, browsers: browser === undefined ? browserNames : [toBrowserName(browser, '--browser')] };
}
