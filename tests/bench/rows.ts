// The rows of the table, and their text for a terminal and for a page.

import type { BrowserName } from '../../tools/browser/browsers.ts';

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
  /** The value of each peer, or why it has none. */
  readonly peers: Readonly<Record<string, number | string>>;
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

const heads = ['what', 'where', 'Latchkey', 'limit', 'ratio', 'best peer'];

export function toColumns(rows: readonly Row[]): string {
  const lines = [heads, ...rows.flatMap(toLines)];
  const widths = heads.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A table with a line for each measurement and limit, and a column for each browser: the value, and the ratio in brackets. */
export function toMarkdown(rows: readonly Row[]): string {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const names = Object.keys(browsers) as BrowserName[];
  const lines = ids.flatMap((id) => {
    const ofId = names.map((name) => rows.find((row) => row.id === id && row.browser === name));
    const first = ofId.find((row) => row !== undefined);
    return Object.keys(first?.limits ?? {}).map((limit, index) => [
      index === 0 ? (first?.what ?? '') : '',
      limit,
      ...ofId.map((row) => (row === undefined ? '' : toCell(row, limit, index === 0))),
    ]);
  });
  return toTable([['what', 'limit', ...names.map((name) => browsers[name])], ...lines]);
}

/** The measurements that have a value for most libraries, in Chromium. */
const compared = ['popup-awake', 'popup-asleep', 'click-warm', 'redirect', 'size-worker', 'size-popup'];

/** A table with a line for each peer. */
export function toPeerTable(rows: readonly Row[]): string {
  const shown = compared.flatMap((id) => rows.filter((row) => row.id === id && row.browser === 'chrome'));
  const peers = [...new Set(shown.flatMap((row) => Object.keys(row.peers)))];
  const cells = (row: Row, value: number | string | undefined) =>
    typeof value === 'number' ? toText(row, value) : '–';
  return toTable([
    ['', ...shown.map(({ what }) => what)],
    ['Latchkey', ...shown.map((row) => cells(row, row.value))],
    ...peers.map((peer) => [peer, ...shown.map((row) => cells(row, row.peers[peer]))]),
  ]);
}

function toTable([head = [], ...lines]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCell(row: Row, limit: string, hasValue: boolean): string {
  const ratio = `(${toRatio(row, row.limits[limit] ?? Number.NaN).toFixed(2)})`;
  return hasValue ? `${toText(row, row.value)} ${ratio}` : ratio;
}

/** The peers that have a value, the best first. */
function rankPeers({ unit, peers }: Row): readonly (readonly [name: string, value: number])[] {
  const measured = Object.entries(peers).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  return measured.toSorted(([, one], [, other]) => (unit === 'MB/s' ? other - one : one - other));
}

const browsers: Readonly<Record<BrowserName, string>> = { chrome: 'Chromium', firefox: 'Firefox' };

/** The cells of a line for each limit; the first line has the rest. */
function toLines(row: Row): readonly (readonly string[])[] {
  const first = [row.what, browsers[row.browser], toText(row, row.value)];
  // If no peer has a value, the first one says why.
  const [best] = [...rankPeers(row), ...Object.entries(row.peers)];
  return Object.entries(row.limits).map((limit, index) => [
    ...(index === 0 ? first : first.map(() => '')),
    toNamed(row, limit),
    toRatio(row, limit[1]).toFixed(2),
    index === 0 && best !== undefined ? toNamed(row, best) : '',
  ]);
}

/** How often the value needs what the limit needs; more is worse. */
function toRatio({ unit, value }: Row, limit: number): number {
  return unit === 'MB/s' ? limit / value : value / limit;
}

function toNamed(row: Row, [name, value]: readonly [string, number | string]): string {
  return `${name}: ${typeof value === 'string' ? value : toText(row, value)}`;
}

function toText({ unit }: Row, value: number): string {
  if (unit === 'requests') return String(value);
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
