// `npm run bench`: measures the extension side by side with its peers and with the physical limit, and prints one table.
//
//   npm run bench -- --only popup,worker     some measurements
//   npm run bench -- --browser firefox       those of one browser, and those that need none
//   npm run bench -- --json                  the results as JSON instead of the table
//   npm run bench -- --write                 also replaces these results in docs/performance.md and its plots

import { parseArgs } from 'node:util';
import { browserNames, type BrowserName } from '../../tools/browser/browsers.ts';
import {
  refuseOptionsKeptByNpm,
  runCommand,
  toMessage,
  UsageError,
  type OnStop,
} from '../../tools/command.ts';
import { measureCalls, measureExpiry } from './calls.ts';
import { measureBytes, measureKeys, measureProviders } from './growth.ts';
import { measureIdleHour } from './idle.ts';
import { readMachine } from './machine.ts';
import { measureManyCalls, measureRenewals } from './memory.ts';
import { measureParsers } from './parsers.ts';
import { measurePeaks } from './peaks.ts';
import { writePage } from './performance-page.ts';
import { measurePolicy, measureUnpackedPolicy } from './policy.ts';
import { measurePopupInFirefox } from './popup-firefox.ts';
import { measurePopup } from './popup.ts';
import { join, sortRows, type Measured, type Place } from './results.ts';
import { measureSignIn } from './sign-in.ts';
import { measureSizes } from './sizes.ts';
import { toColumns, toGrowth } from './table.ts';
import { measureWorker } from './worker.ts';

interface Measurement {
  readonly places: readonly Place[];
  measure(onStop: OnStop, place: Place): Promise<Measured>;
}

const inChromium = (measure: (onStop: OnStop) => Promise<Measured>): Measurement => ({
  places: ['chrome'],
  measure,
});
const inNode = (measure: (onStop: OnStop) => Promise<Measured>): Measurement => ({
  places: ['node'],
  measure,
});
const inBrowsers = (measure: (onStop: OnStop, name: BrowserName) => Promise<Measured>): Measurement => ({
  places: browserNames,
  measure: (onStop, place) => measure(onStop, place === 'firefox' ? 'firefox' : 'chrome'),
});

const measurements: Readonly<Record<string, Measurement>> = {
  popup: inBrowsers((onStop, name) =>
    name === 'chrome' ? measurePopup(onStop) : measurePopupInFirefox(onStop),
  ),
  policy: inBrowsers(measurePolicy),
  'policy-unpacked': inChromium(measureUnpackedPolicy),
  'sign-in': inBrowsers(measureSignIn),
  worker: inChromium(measureWorker),
  idle: inNode(measureIdleHour),
  fetch: inBrowsers(measureCalls),
  expiry: inBrowsers(measureExpiry),
  peaks: inBrowsers(measurePeaks),
  sizes: inNode(measureSizes),
  renewals: inChromium(measureRenewals),
  'many-calls': inChromium(measureManyCalls),
  providers: inChromium(measureProviders),
  keys: inNode(measureKeys),
  bytes: inChromium(measureBytes),
  parsers: inNode(measureParsers),
};

const nothing: Measurement = { places: [], measure: () => Promise.resolve({ rows: [], plots: [] }) };

interface Options {
  readonly only: readonly string[];
  readonly places: readonly Place[];
  readonly json: boolean;
  readonly write: boolean;
}

await runCommand(async (onStop) => {
  const options = readOptions(process.argv.slice(2));
  const machine = await readMachine(options.places);
  const measured: Measured[] = [];
  const failed: string[] = [];
  const state = { isInterrupted: false };
  // After an interrupt, the running measurement fails, and no other may begin.
  const onInterrupt: OnStop = (stop) =>
    onStop(() => {
      state.isInterrupted = true;
      return stop();
    });
  for (const name of options.only) {
    const { places, measure } = measurements[name] ?? nothing;
    for (const place of places.filter((one) => options.places.includes(one))) {
      if (state.isInterrupted) return;
      const startedAtMs = performance.now();
      try {
        const results = await measure(onInterrupt, place);
        measured.push(results);
        // At once, because a later measurement may be interrupted.
        if (options.write) await writePage(machine, results);
      } catch (error) {
        failed.push(name);
        log(`${name} in ${place} failed: ${toMessage(error)}`);
      }
      log(`${name} in ${place}: ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`);
    }
  }
  const results = join(measured);
  if (options.json) process.stdout.write(`${JSON.stringify({ machine, ...results }, null, 2)}\n`);
  else process.stdout.write(toText(results));
  if (failed.length > 0) throw new Error(`Not measured: ${failed.join(', ')}.`);
});

function toText({ rows, plots }: Measured): string {
  const growth = plots.map((plot) => `${[plot.title, ...toGrowth(plot)].join('\n  ')}\n`);
  return [...(rows.length === 0 ? [] : [`${toColumns(sortRows(rows))}\n`]), ...growth].join('\n');
}

/** Progress goes beside the table. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

function readOptions(args: readonly string[]): Options {
  if (args.length === 0) refuseOptionsKeptByNpm(['only', 'browser', 'json', 'write'], '--only popup');
  const { only, browser, json, write } = parse(args);
  const names = only?.split(',') ?? Object.keys(measurements);
  const unknown = names.find((name) => !(name in measurements));
  if (unknown !== undefined) {
    throw new UsageError(
      `Unknown measurement: ${unknown}. Known are ${Object.keys(measurements).join(', ')}.`,
    );
  }
  const chosen = browserNames.filter((name) => browser === undefined || name === browser);
  if (chosen.length === 0) {
    throw new UsageError(`Unknown browser: ${browser}. Known are ${browserNames.join(' and ')}.`);
  }
  return { only: names, places: [...chosen, 'node'], json, write };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        browser: { type: 'string' },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch {
    throw new UsageError(
      `Unknown option: ${args.join(' ')}. Known are --only <names>, --browser <name>, --json and --write.`,
    );
  }
}
