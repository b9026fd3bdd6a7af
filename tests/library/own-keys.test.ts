import { expect, test } from 'vitest';
import { withOwnKeys } from '../../src/library/own-keys.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';

function setUp() {
  const area = new FakeStorageArea();
  area.items.set('board', 'the extension’s own');
  return { area, own: withOwnKeys(area) };
}

test('an item of Latchkey does not replace an item of the extension that has the same name', async () => {
  const { area, own } = setUp();
  expect(await own.get('board')).toEqual({});
  await own.set({ board: 1, journal: 2 });
  expect([...area.items]).toEqual([
    ['board', 'the extension’s own'],
    ['latchkey:board', 1],
    ['latchkey:journal', 2],
  ]);
  expect(await own.get('board')).toEqual({ board: 1 });
  await own.remove('board');
  expect([...area.items.keys()]).toEqual(['board', 'latchkey:journal']);
});

test('a listener hears of Latchkey’s items alone, until it is removed', async () => {
  const { area, own } = setUp();
  const heard: unknown[] = [];
  const listener = (changes: object) => void heard.push(changes);
  own.onChanged.addListener(listener);
  await area.set({ board: 'changed by the extension' });
  await own.set({ board: 1 });
  await expect.poll(() => heard).toEqual([{ board: { newValue: 1 } }]);
  own.onChanged.removeListener(listener);
  await own.set({ board: 2 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toHaveLength(1);
  expect(area.listeners.size).toBe(0);
});

test('a listener that was never added can be removed', () => {
  const { own } = setUp();
  expect(() => own.onChanged.removeListener(() => undefined)).not.toThrow();
});
