import { expect, test } from 'vitest';
import { findBestPeer, merge, sortRows, toRatio, type Plot, type Row } from './results.ts';

const row: Row = {
  id: 'popup',
  what: 'popup opened → painted',
  place: 'chrome',
  unit: 'ms',
  value: 60,
  limits: [{ name: 'static HTML', value: 40 }],
  peers: [],
};
const plot: Plot = { id: 'keys', title: 'Keys', place: 'node', size: 'keys', value: 'ms', lines: [] };

test('merge replaces the same row of the same place, keeps the others in their order, and appends new ones', () => {
  const other = { ...row, id: 'worker' };
  const inFirefox = { ...row, place: 'firefox' as const };
  const again = { ...row, value: 50 };
  const merged = merge({ rows: [row, other], plots: [] }, { rows: [inFirefox, again], plots: [plot] });
  expect(merged).toEqual({ rows: [again, other, inFirefox], plots: [plot] });
});

test('a ratio above 1 is worse than the limit, for a time as well as for a speed', () => {
  expect(toRatio(row, 60, 40)).toBe(1.5);
  expect(toRatio({ ...row, unit: 'MB/s' }, 40, 60)).toBe(1.5);
});

test('nothing has a ratio to a limit of zero', () => {
  expect(toRatio({ ...row, unit: 'requests' }, 3, 0)).toBeNull();
});

test('the best peer is the one with the least time or the highest speed, among those with a value', () => {
  const peers = [
    { name: 'slow', value: 9 },
    { name: 'none', reason: 'needs its service' },
    { name: 'quick', value: 3 },
  ];
  expect(findBestPeer({ ...row, peers })).toEqual({ name: 'quick', value: 3 });
  expect(findBestPeer({ ...row, unit: 'MB/s', peers })).toEqual({ name: 'slow', value: 9 });
  expect(findBestPeer({ ...row, peers: peers.slice(1, 2) })).toBeNull();
});

test('sortRows puts the rows of both browsers side by side, in the order of the table', () => {
  const rows = [
    { ...row, id: 'size-popup', place: 'node' as const },
    { ...row, id: 'popup-asleep', place: 'firefox' as const },
    { ...row, id: 'popup-awake' },
    { ...row, id: 'popup-asleep' },
  ];
  expect(sortRows(rows).map(({ id, place }) => `${id} ${place}`)).toEqual([
    'popup-awake chrome',
    'popup-asleep chrome',
    'popup-asleep firefox',
    'size-popup node',
  ]);
});
