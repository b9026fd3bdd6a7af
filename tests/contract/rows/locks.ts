// Locks, also when the page or worker that holds one ends.

import type { Act, Probe, Row } from '../row.ts';

export const lockRows: readonly Row[] = [
  {
    behaviour: 'a lock has one holder, and goes to the next when its callback has settled',
    async run({ locks, note }) {
      let release: () => void = () => undefined;
      const first = locks.request('contract', () => {
        note('first holds');
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      });
      const second = locks.request('contract', () => note('second holds'));
      await locks.request('contract another', () => note('another lock is free'));
      note('first releases');
      release();
      await Promise.all([first.then(() => note('first is done')), second]);
    },
    notes: ['first holds', 'another lock is free', 'first releases', 'first is done', 'second holds'],
  },
  {
    behaviour: 'several share a lock, and one that does not waits for them',
    async run({ locks, note }) {
      const releases: (() => void)[] = [];
      const hold = (what: string) =>
        locks.request('contract', { mode: 'shared' }, () => {
          note(`${what} holds`);
          return new Promise<void>((resolve) => void releases.push(resolve));
        });
      const [first, second] = [hold('first'), hold('second')];
      const exclusive = locks.request('contract', () => note('exclusive holds'));
      const late = locks.request('contract', { mode: 'shared' }, () => note('late holds'));
      await locks.request('contract another', () => undefined);
      note('both release');
      for (const release of releases) release();
      await Promise.all([first, second, exclusive, late]);
    },
    notes: ['first holds', 'second holds', 'both release', 'exclusive holds', 'late holds'],
  },
  {
    behaviour: 'the lock of a page that ends goes to the worker',
    async run(probe) {
      await probe.outside('a page opens that holds a lock');
      await inherit(probe, 'contract page', 'the other page closes');
    },
    notes: ['not yet', 'request resolves with granted'],
  },
  {
    behaviour: 'the lock of a worker that ends goes to the page',
    in: 'page',
    async run(probe) {
      await probe.ask('holds a lock');
      await inherit(probe, 'contract worker', 'the worker ends');
    },
    notes: ['not yet', 'request resolves with granted'],
  },
];

/** Gets a lock once its holder has ended, and not before. */
async function inherit({ locks, note, settles, outside }: Probe, lock: string, end: Act): Promise<void> {
  const request = locks.request(lock, () => 'granted');
  const granted = settles('request', request);
  await locks.request('contract another', () => note('not yet'));
  await outside(end);
  await granted;
}
