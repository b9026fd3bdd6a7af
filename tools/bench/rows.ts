// The rows of a measurement, and the table of docs/performance.md.

import { browserNames, type BrowserName } from '../browser/browsers.ts';

/** One row of the table, in one browser. */
export interface Row {
  readonly what: string;
  readonly browser: BrowserName;
  readonly unit: 'ms' | 'kB' | 'MB/s' | 'requests';
  readonly value: number;
  /** The floor first, then other marks of the same kind. */
  readonly limits: Readonly<Record<string, number>>;
}

/** A table with a line for each measurement and floor, and a column for each browser: the value, and the ratio in brackets. */
export function toTable(rows: readonly Row[]): string {
  const lines = [...new Set(rows.map(({ what }) => what))].flatMap((what) => {
    const same = rows.filter((row) => row.what === what);
    return Object.keys(same[0]?.limits ?? {}).map((limit, index) => [
      index === 0 ? what : '',
      limit,
      ...browserNames.map((name) => {
        const row = same.find(({ browser }) => browser === name);
        return row === undefined ? '' : `${index === 0 ? `${toText(row)} ` : ''}(${toRatio(row, limit)})`;
      }),
    ]);
  });
  const head = ['what', 'limit', 'Chromium', 'Firefox'];
  return [head, head.map(() => '-'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The ratio of the value to the floor; more is worse. */
function toRatio({ unit, value, limits }: Row, limit: string): string {
  const floor = limits[limit] ?? Number.NaN;
  return (unit === 'MB/s' ? floor / value : value / floor).toFixed(2);
}

function toText({ unit, value }: Row): string {
  if (unit === 'requests') return String(value);
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
