// The storage areas and their events.

import type { Probe, Row } from '../row.ts';

type AreaName = 'local' | 'session';

/**
 * Notes each event: `a: 1 → 2, b: 3 →`. Firefox begins to report changes some time after a listener was added, so this writes
 * until it does.
 */
async function watchArea({ browser, watch, until }: Probe, name: AreaName): Promise<void> {
  const toText = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));
  const heard: unknown[] = [];
  watch(browser.storage[name].onChanged, ({ first, ...changes }) => {
    if (first !== undefined) heard.push(first);
    const lines = Object.entries(changes).map(
      ([key, { oldValue, newValue }]) => `${key}: ${toText(oldValue)} → ${toText(newValue)}`,
    );
    return lines.length === 0 ? null : lines.toSorted().join(', ');
  });
  let first = 0;
  await until(async () => {
    await browser.storage[name].set({ first: (first += 1) });
    return heard.length > 0;
  });
}

/** The same behaviour in both areas. */
function inBothAreas(row: (name: AreaName) => Row): Row[] {
  return [row('local'), row('session')];
}

async function fresh({ browser }: Probe, name: AreaName): Promise<void> {
  await browser.storage[name].remove(['a', 'b', 'end', 'first']);
}

/** Sets a value last, whose event comes after all events before. */
async function end({ browser, noted }: Probe, name: AreaName): Promise<void> {
  await browser.storage[name].set({ end: true });
  await noted('end:  → true');
}

export const storageRows: readonly Row[] = [
  ...inBothAreas((name) => ({
    behaviour: `storage.${name} tells of each change, before or after set resolves`,
    async run(probe) {
      await fresh(probe, name);
      await watchArea(probe, name);
      await probe.settles('set', probe.browser.storage[name].set({ a: 1 }));
      await probe.noted('a:  → 1');
      await probe.settles('set', probe.browser.storage[name].set({ a: 2 }));
      await probe.noted('a: 1 → 2');
    },
    notes:
      name === 'local'
        ? {
            chromium: ['a:  → 1', 'set resolves', 'a: 1 → 2', 'set resolves'],
            firefox: ['set resolves', 'a:  → 1', 'set resolves', 'a: 1 → 2'],
          }
        : ['a:  → 1', 'set resolves', 'a: 1 → 2', 'set resolves'],
  })),
  ...inBothAreas((name) => ({
    behaviour: `storage.${name} tells of an unchanged value in Firefox alone`,
    async run(probe) {
      await fresh(probe, name);
      await probe.browser.storage[name].set({ a: { b: [1] } });
      await watchArea(probe, name);
      await probe.browser.storage[name].set({ a: { b: [1] } });
      await end(probe, name);
    },
    notes: { chromium: ['end:  → true'], firefox: ['a: {"b":[1]} → {"b":[1]}', 'end:  → true'] },
  })),
  ...inBothAreas((name) => ({
    behaviour: `storage.${name} tells of two keys at once, and of what is removed`,
    async run(probe) {
      await fresh(probe, name);
      await watchArea(probe, name);
      await probe.browser.storage[name].set({ a: 1, b: 2 });
      await probe.browser.storage[name].remove(['a', 'b']);
      await probe.browser.storage[name].remove('a');
      await end(probe, name);
    },
    notes: ['a:  → 1, b:  → 2', 'a: 1 → , b: 2 → ', 'end:  → true'],
  })),
  ...inBothAreas((name) => ({
    behaviour: `storage.${name} answers in the order of its calls`,
    async run({ browser: { storage }, settles, ...probe }) {
      await fresh({ browser: { storage }, settles, ...probe } as Probe, name);
      await Promise.all([
        settles('first set', storage[name].set({ a: 1 })),
        settles('get', storage[name].get('a')),
        settles('second set', storage[name].set({ a: 2 })),
        settles('remove', storage[name].remove('a')),
        settles('last get', storage[name].get(['a', 'b'])),
      ]);
    },
    notes: [
      'first set resolves',
      'get resolves with {"a":1}',
      'second set resolves',
      'remove resolves',
      'last get resolves with {}',
    ],
  })),
  ...inBothAreas((name) => ({
    behaviour: `storage.${name} keeps copies of values, in Chromium of what JSON can hold`,
    async run(probe) {
      await fresh(probe, name);
      const value = { list: [1, undefined], none: undefined, nan: Number.NaN, date: new Date(0), nested: {} };
      await probe.settles('set', probe.browser.storage[name].set({ a: value }));
      value.list.push(2);
      const { a } = await probe.browser.storage[name].get('a');
      const { list, date, ...rest } = a as typeof value;
      probe.note(`list ${list.length}: ${JSON.stringify(list)}`);
      probe.note(`date: ${Object.prototype.toString.call(date)}`);
      probe.note(`rest: ${Object.keys(rest).toSorted().join(', ')}, ${String(rest.nan)}`);
    },
    notes: {
      chromium: ['set resolves', 'list 2: [1,null]', 'date: [object Object]', 'rest: nested, undefined'],
      firefox: ['set resolves', 'list 2: [1,null]', 'date: [object Date]', 'rest: nan, nested, none, NaN'],
    },
  })),
  {
    behaviour: 'without a policy the managed storage is empty in Chromium, and rejects in Firefox',
    run: ({ browser, settles }) =>
      settles('get', browser.storage.managed?.get([]) ?? Promise.resolve('missing')),
    notes: {
      chromium: ['get resolves with {}'],
      firefox: ['get rejects: Managed storage manifest not found'],
    },
  },
];
