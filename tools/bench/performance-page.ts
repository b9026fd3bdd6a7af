// Writes the rows into docs/performance.md and its data, so that both always agree.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser, type BrowserName } from '../browser/browsers.ts';
import { mergeRows, toMarkdown, toPeerTable, type Row } from './rows.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/performance.md');
const data = join(root, 'docs/performance.json');

/** The machine that the results come from, without anything that names it. */
interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** How many processes wanted a core in the minute before; above `cores`, every time is too long. */
  readonly load: number;
  readonly node: string;
  /** The browsers with their versions, by name. */
  readonly browsers: Readonly<Record<string, string>>;
}

interface Data {
  readonly machine: Machine;
  readonly rows: readonly Row[];
}

export async function readMachine(names: readonly BrowserName[]): Promise<Machine> {
  const browsers: Record<string, string> = {};
  for (const name of names) {
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

/** Replaces the rows that were measured again, and keeps the others. */
export async function writePage(machine: Machine, newer: readonly Row[]): Promise<void> {
  const older = JSON.parse(await readFile(data, 'utf8')) as Data;
  const browsers = { ...older.machine.browsers, ...machine.browsers };
  const rows = mergeRows(older.rows, newer);
  await writeFile(data, JSON.stringify({ machine: { ...machine, browsers }, rows }, null, 2));
  const sections = {
    machine: describeMachine({ ...machine, browsers }),
    table: toMarkdown(rows),
    peers: toPeerTable(rows),
  };
  let text = await readFile(page, 'utf8');
  for (const [name, content] of Object.entries(sections)) text = replaceSection(text, name, content);
  await writeFile(page, text);
  await run(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), page, data], { cwd: root });
}

function describeMachine({ cores, memoryGb, system, load, node, browsers }: Machine): string {
  const all = [...Object.values(browsers), `Node ${node.slice(1)}`].join(', ');
  const machine = `a machine with ${cores} cores and ${memoryGb} GB of memory (${system})`;
  const note = load > cores ? ` It was busy: ${load} processes wanted a core.` : '';
  return `Measured on ${machine}, with ${all}.${note}`;
}

function replaceSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to === -1)
    throw new Error(`docs/performance.md has no section between ${start} and ${end}.`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
