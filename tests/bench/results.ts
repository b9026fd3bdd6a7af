// The results of the measurements: rows of the table, and the lines of the plots.

import type { BrowserName } from '../../tools/browser/browsers.ts';

/** Where a row was measured: a browser, or Node where no browser is needed. */
export type Place = BrowserName | 'node';

type Unit = 'ms' | 'kB' | 'MB' | 'MB/s' | 'requests' | 'exponent';

/** A value to compare with, by the name of what has it. */
export interface Reference {
  readonly name: string;
  readonly value: number;
}

/** A peer's value, or why it has none. */
export type Peer = Reference | { readonly name: string; readonly reason: string };

/** One row of the table. */
export interface Row {
  /** The row's name in the results. Together with `place` it is unique. */
  readonly id: string;
  readonly what: string;
  readonly place: Place;
  readonly unit: Unit;
  readonly value: number;
  /** The physical limit first, then other marks of the same kind. */
  readonly limits: readonly Reference[];
  readonly peers: readonly Peer[];
}

/** One line of a plot: points of size and value, in the order of the size. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [size: number, value: number])[];
}

/** How a value grows with a size. Both axes are logarithmic, so a straight line of slope 1 is linear growth. */
export interface Plot {
  readonly id: string;
  readonly title: string;
  readonly place: Place;
  /** The title of the horizontal axis, with its unit. */
  readonly size: string;
  /** The title of the vertical axis, with its unit. */
  readonly value: string;
  readonly lines: readonly Line[];
}

export interface Measured {
  readonly rows: readonly Row[];
  readonly plots: readonly Plot[];
}

export function join(measured: readonly Measured[]): Measured {
  return {
    rows: measured.flatMap(({ rows }) => rows),
    plots: measured.flatMap(({ plots }) => plots),
  };
}

/** Replaces the older results of the same rows and plots, and keeps the others. */
export function merge(older: Measured, newer: Measured): Measured {
  return { rows: mergeById(older.rows, newer.rows), plots: mergeById(older.plots, newer.plots) };
}

interface Identified {
  readonly id: string;
  readonly place: Place;
}

function mergeById<Item extends Identified>(older: readonly Item[], newer: readonly Item[]): readonly Item[] {
  const isSame = (one: Identified) => (other: Identified) => one.id === other.id && one.place === other.place;
  return [
    ...older.map((item) => newer.find(isSame(item)) ?? item),
    ...newer.filter((item) => !older.some(isSame(item))),
  ];
}

/** The ids of the rows, in the order of the table. */
const order: readonly string[] = [
  'popup-awake',
  'popup-asleep',
  'policy-first',
  'policy-later',
  'policy-unpacked-first',
  'policy-unpacked-later',
  'click-warm',
  'click-asleep',
  'click-pressed',
  'click-first',
  'redirect',
  'requests-sign-in',
  'requests-renewal',
  'requests-idle',
  'expiry',
  'worker-woken',
  'fetch-one',
  'fetch-many',
  'fetch-large',
  'size-worker',
  'size-popup',
  'memory-renewals',
  'memory-calls',
  'parsers',
  'parsers-exponent',
];

const places: readonly Place[] = ['chrome', 'firefox', 'node'];

/** Sorts rows for the table: those of one id side by side. */
export function sortRows(rows: readonly Row[]): readonly Row[] {
  const rank = ({ id, place }: Row) =>
    (order.includes(id) ? order.indexOf(id) : order.length) * places.length + places.indexOf(place);
  return rows.toSorted((one, other) => rank(one) - rank(other));
}

/** How often `value` needs what the limit needs; more is worse. Null where the two cannot be divided. */
export function toRatio({ unit }: Row, value: number, limit: number): number | null {
  if (value === 0 || limit === 0) return null;
  return unit === 'MB/s' ? limit / value : value / limit;
}

/** The best of the peers that have a value, or null. */
export function findBestPeer({ unit, peers }: Row): Reference | null {
  const measured = peers.flatMap((peer) => ('value' in peer ? [peer] : []));
  const better = unit === 'MB/s' ? (value: number) => -value : (value: number) => value;
  return measured.toSorted((one, other) => better(one.value) - better(other.value))[0] ?? null;
}
