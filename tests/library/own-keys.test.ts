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

test('a listener hears of Latchkey’s items alone', async () => {
  const { area, own } = setUp();
  const heard: unknown[] = [];
  own.onChanged.addListener((changes) => void heard.push(changes));
  await area.set({ board: 'changed by the extension' });
  await own.set({ board: 1 });
  await expect.poll(() => heard).toEqual([{ board: { newValue: 1 } }]);
});
