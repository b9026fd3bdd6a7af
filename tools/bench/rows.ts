// The rows of a measurement, and the tables of docs/performance.md.

import { browserNames, type BrowserName } from '../browser/browsers.ts';

/** One row of the table. */
export interface Row {
  /** The row's name. Together with `browser` it is unique. */
  readonly id: string;
  readonly what: string;
  readonly browser: BrowserName;
  readonly unit: 'ms' | 'kB' | 'MB/s' | 'requests';
  readonly value: number;
  /** The floor first, then other marks of the same kind. */
  readonly limits: Readonly<Record<string, number>>;
  /** The value of each library that has one. */
  readonly peers?: Readonly<Record<string, number>>;
}

/** A table with a line for each measurement and floor, and a column for each browser: the value, and the ratio in brackets. */
export function toTable(rows: readonly Row[]): string {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const lines = ids.flatMap((id) => {
    const ofId = browserNames.map((name) => rows.find((row) => row.id === id && row.browser === name));
    const first = ofId.find((row) => row !== undefined);
    return Object.keys(first?.limits ?? {}).map((limit, index) => [
      index === 0 ? (first?.what ?? '') : '',
      limit,
      ...ofId.map((row) => (row === undefined ? '' : toCell(row, limit, index === 0))),
    ]);
  });
  return join([['what', 'limit', 'Chromium', 'Firefox'], ...lines]);
}

/** A table with a line for each library; empty if nothing compares them. */
export function toPeerTable(rows: readonly Row[]): string {
  const shown = rows.filter(({ peers }) => peers !== undefined);
  const names = [...new Set(shown.flatMap(({ peers }) => Object.keys(peers ?? {})))];
  if (names.length === 0) return '';
  const toPeerCell = (row: Row, name: string) => {
    const value = row.peers?.[name];
    return value === undefined ? '–' : toText(row, value);
  };
  return join([
    ['', ...shown.map(({ what }) => what)],
    ['Latchkey', ...shown.map((row) => toText(row, row.value))],
    ...names.map((name) => [name, ...shown.map((row) => toPeerCell(row, name))]),
  ]);
}

function join([head = [], ...lines]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '-'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCell(row: Row, limit: string, hasValue: boolean): string {
  const ratio = `(${toRatio(row, row.limits[limit] ?? Number.NaN).toFixed(2)})`;
  return hasValue ? `${toText(row, row.value)} ${ratio}` : ratio;
}

/** The ratio of the value to the floor; more is worse. */
function toRatio({ unit, value }: Row, limit: number): number {
  return unit === 'MB/s' ? limit / value : value / limit;
}

function toText({ unit }: Row, value: number): string {
  if (unit === 'requests') return String(value);
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
