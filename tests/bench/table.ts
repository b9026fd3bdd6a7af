// Writes rows as text: as columns for a terminal, and as a table in Markdown.

import {
  findBestPeer,
  toRatio,
  type Line,
  type Place,
  type Plot,
  type Reference,
  type Row,
} from './results.ts';

const places: Readonly<Record<Place, string>> = { chrome: 'Chromium', firefox: 'Firefox', node: 'Node' };

interface Cells {
  readonly what: string;
  readonly place: string;
  readonly value: string;
  readonly limit: string;
  readonly ratio: string;
  readonly peer: string;
}

const heads: Cells = {
  what: 'what',
  place: 'where',
  value: 'Latchkey',
  limit: 'limit',
  ratio: 'ratio',
  peer: 'best peer',
};
const columns = ['what', 'place', 'value', 'limit', 'ratio', 'peer'] as const;

export function toColumns(rows: readonly Row[]): string {
  const table = [heads, ...rows.flatMap(toCells)];
  const widths = columns.map((column) => Math.max(...table.map((cells) => cells[column].length)));
  return table
    .map((cells) =>
      columns
        .map((column, index) => cells[column].padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function toMarkdown(rows: readonly Row[]): string {
  const [head, ...body] = [heads, ...rows.flatMap(toCells)].map(
    (cells) => `| ${columns.map((column) => cells[column].replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return [head, `|${' --- |'.repeat(columns.length)}`, ...body].join('\n');
}

/** One line for each limit; the first line has the rest. */
function toCells(row: Row): readonly Cells[] {
  return row.limits.map((limit, index) => {
    const ratio = toRatio(row, row.value, limit.value);
    return {
      what: index === 0 ? row.what : '',
      place: index === 0 ? places[row.place] : '',
      value: index === 0 ? toText(row, row.value) : '',
      limit: `${limit.name}: ${toText(row, limit.value)}`,
      ratio: ratio === null ? '' : ratio.toFixed(2),
      peer: index === 0 ? toBestPeer(row) : '',
    };
  });
}

/** The best peer, or why no peer has a value. */
function toBestPeer(row: Row): string {
  const best = findBestPeer(row);
  if (best !== null) return toNamed(row, best);
  const [first] = row.peers;
  return first === undefined || 'value' in first ? '' : `${first.name}: ${first.reason}`;
}

/** Every peer of a row with its value, or with the reason why it has none. */
export function toPeers(row: Row): string {
  return row.peers
    .map((peer) => ('value' in peer ? toNamed(row, peer) : `${peer.name}: ${peer.reason}`))
    .join('; ');
}

function toNamed(row: Row, { name, value }: Reference): string {
  return `${name}: ${toText(row, value)}`;
}

function toText({ unit }: Row, value: number): string {
  if (unit === 'requests') return String(value);
  const digits = unit === 'exponent' || value < 10 ? 2 : value < 100 ? 1 : 0;
  const text = value.toFixed(digits);
  return unit === 'exponent' ? text : `${text} ${unit}`;
}

/** A line for each line of a plot, with its exponent: 0 is flat, 1 is linear. */
export function toGrowth({ size, value, lines }: Plot): readonly string[] {
  const [sizeName = size, sizeUnit = ''] = size.split(', ');
  const [, valueUnit = ''] = value.split(', ');
  const toSize = (count: number) => `${count.toLocaleString('en-US')} ${sizeUnit || sizeName}`;
  const toValue = (one: number) => `${one < 10 ? one.toFixed(1) : one.toFixed(0)} ${valueUnit}`;
  return lines.flatMap((line) => {
    const [first, last] = [line.points[0], line.points.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [from, to] = [
      `${toSize(first[0])}: ${toValue(first[1])}`,
      `${toSize(last[0])}: ${toValue(last[1])}`,
    ];
    return [`${line.name}: ${from} → ${to}, exponent ${toExponent(line).toFixed(2)}`];
  });
}

/** The exponent of the growth between the two largest sizes, where fixed costs matter least. */
function toExponent({ points }: Line): number {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return NaN;
  return Math.log(last[1] / before[1]) / Math.log(last[0] / before[0]);
}
