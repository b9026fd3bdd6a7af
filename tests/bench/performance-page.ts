// Writes the results into docs/performance.md, its plots and its data, so that all three always agree.

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Machine } from './machine.ts';
import { findBestPeer, merge, sortRows, type Measured, type Plot, type Row } from './results.ts';
import { toSvg } from './svg.ts';
import { toGrowth, toMarkdown, toPeers } from './table.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/performance.md');
const data = join(root, 'docs/performance.json');
const pictures = join(root, 'docs/pictures');

interface Data extends Measured {
  readonly machine: Machine | null;
}

/** Replaces the results of the same rows and plots, and keeps the others. */
export async function writePage(machine: Machine, results: Measured): Promise<void> {
  const older = await readData();
  const browsers = { ...older.machine?.browsers, ...machine.browsers };
  const { rows, plots } = merge(older, results);
  const newer: Data = { machine: { ...machine, browsers }, rows: sortRows(rows), plots };
  await writeFile(data, JSON.stringify(newer, null, 2));
  await mkdir(pictures, { recursive: true });
  for (const plot of newer.plots) {
    await writeFile(join(pictures, `performance-${plot.id}.svg`), toSvg(plot));
  }
  const sections = {
    machine: describeMachine({ ...machine, browsers }),
    table: toMarkdown(newer.rows),
    peers: newer.rows
      .filter((row) => findBestPeer(row) !== null)
      .map(describePeers)
      .join('\n'),
    plots: newer.plots.map(describePlot).join('\n\n'),
  };
  let text = await readFile(page, 'utf8');
  for (const [name, content] of Object.entries(sections)) text = replaceSection(text, name, content);
  await writeFile(page, text);
  await run(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), page, data], { cwd: root });
}

async function readData(): Promise<Data> {
  const text = await readFile(data, 'utf8').catch(() => null);
  return text === null ? { machine: null, rows: [], plots: [] } : (JSON.parse(text) as Data);
}

function describeMachine({ cores, memoryGb, system, load, node, browsers }: Machine): string {
  const all = [...Object.values(browsers), `Node ${node.slice(1)}`].join(', ');
  const machine = `a machine with ${cores} cores and ${memoryGb} GB of memory (${system})`;
  return `Measured on ${machine}, with ${all}. ${load} processes wanted a core before the last run; with more than ${cores}, times are longer than on an idle machine.`;
}

function describePeers(row: Row): string {
  return `- ${row.what}: ${toPeers(row)}.`;
}

function describePlot(plot: Plot): string {
  const lines = toGrowth(plot).map((line) => `- ${line}`);
  return `![${plot.title}](pictures/performance-${plot.id}.svg)\n\n${lines.join('\n')}`;
}

function replaceSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to === -1)
    throw new Error(`docs/performance.md has no section between ${start} and ${end}.`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
