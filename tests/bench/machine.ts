// The machine that the results come from, without anything that names it.

import { execFile } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { browserNames, findBrowser } from '../../tools/browser/browsers.ts';
import type { Place } from './results.ts';

const run = promisify(execFile);

export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** How many processes wanted a core in the minute before; above `cores`, every time is too long. */
  readonly load: number;
  readonly node: string;
  /** The browsers with their versions, by name. */
  readonly browsers: Readonly<Record<string, string>>;
}

export async function readMachine(places: readonly Place[]): Promise<Machine> {
  const browsers: Record<string, string> = {};
  for (const name of browserNames.filter((one) => places.includes(one))) {
    const path = await findBrowser(name, { log: () => undefined });
    const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
    browsers[name] = /^\D*[\d.]+(?:esr)?/.exec(stdout)?.[0] ?? name;
  }
  return {
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: process.platform,
    load: Math.round(loadavg()[0] ?? 0),
    node: process.version,
    browsers,
  };
}
