// The rows of the tables, the tables as text, and the page with them: docs/performance.md and its data, so that both always agree.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser, type BrowserName } from '../browser/browsers.ts';

type Unit = 'ms' | 'kB' | 'MB' | 'MB/s' | 'requests';

/** One row of the table. */
export interface Row {
  /** The row's name in the data. Together with `browser` it is unique. */
  readonly id: string;
  readonly what: string;
  readonly browser: BrowserName;
  readonly unit: Unit;
  readonly value: number;
  /** The physical limit first, then other marks of the same kind. */
  readonly limits: Readonly<Record<string, number>>;
  /** The value of each peer that has one. */
  readonly peers: Readonly<Record<string, number>>;
}

/** Replaces the older rows that were measured again, and adds the new ones. Rows of one id are side by side. */
export function mergeRows(older: readonly Row[], newer: readonly Row[]): readonly Row[] {
  const isSame = (one: Row) => (other: Row) => one.id === other.id && one.browser === other.browser;
  const rows = [
    ...older.map((row) => newer.find(isSame(row)) ?? row),
    ...newer.filter((row) => !older.some(isSame(row))),
  ];
  const ids = new Set(rows.map(({ id }) => id));
  return [...ids].flatMap((id) => rows.filter((row) => row.id === id));
}

/** A table with a line for each measurement and limit, and a column for each browser: the value, and the ratio in brackets. */
export function toMarkdown(rows: readonly Row[]): string {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const names = Object.keys(browserTitles) as BrowserName[];
  const lines = ids.flatMap((id) => {
    const ofId = names.map((name) => rows.find((row) => row.id === id && row.browser === name));
    const first = ofId.find((row) => row !== undefined);
    return Object.keys(first?.limits ?? {}).map((limit, index) => [
      index === 0 ? (first?.what ?? '') : '',
      limit,
      ...ofId.map((row) => (row === undefined ? '' : toCell(row, limit, index === 0))),
    ]);
  });
  return toTable([['what', 'limit', ...names.map((name) => browserTitles[name])], ...lines]);
}

/** The measurements that have a value for most libraries, in Chromium. */
const compared = ['popup-awake', 'popup-asleep', 'click-warm', 'redirect', 'size-worker', 'size-popup'];

/** A table with a line for each peer. */
export function toPeerTable(rows: readonly Row[]): string {
  const shown = compared.flatMap((id) => rows.filter((row) => row.id === id && row.browser === 'chrome'));
  const peers = [...new Set(shown.flatMap((row) => Object.keys(row.peers)))];
  if (peers.length === 0) return '';
  const toPeerCell = (row: Row, peer: string) => {
    const value = row.peers[peer];
    return value === undefined ? '–' : toText(row, value);
  };
  return toTable([
    ['', ...shown.map(({ what }) => what)],
    ['Latchkey', ...shown.map((row) => toText(row, row.value))],
    ...peers.map((peer) => [peer, ...shown.map((row) => toPeerCell(row, peer))]),
  ]);
}

function toTable([head = [], ...lines]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((cells) => cells[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...lines]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function toCell(row: Row, limit: string, hasValue: boolean): string {
  const ratio = `(${toRatio(row, row.limits[limit] ?? Number.NaN).toFixed(2)})`;
  return hasValue ? `${toText(row, row.value)} ${ratio}` : ratio;
}

const browserTitles: Readonly<Record<BrowserName, string>> = { chrome: 'Chromium', firefox: 'Firefox' };

/** How often the value needs what the limit needs; more is worse. */
function toRatio({ unit, value }: Row, limit: number): number {
  return unit === 'MB/s' ? limit / value : value / limit;
}

function toText({ unit }: Row, value: number): string {
  if (unit === 'requests') return String(value);
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

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
