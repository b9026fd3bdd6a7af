// A page finds the board in the area of the configuration, or in the one that a policy has chosen.

import { expect, test } from 'vitest';
import { eitherArea } from '../../../src/bridge/session/either-area.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

test('a page reads the area of the configuration, and the other one only if that has no board', async () => {
  const [local, session] = [new FakeStorageArea(), new FakeStorageArea()];
  const area = eitherArea(local, session);
  session.items.set('board', 'in memory');
  expect(await area.get('board')).toEqual({ board: 'in memory' });
  local.items.set('board', 'on the device');
  expect(await area.get('board')).toEqual({ board: 'on the device' });
});

test('a page hears of a board that is written in either area', async () => {
  const [local, session] = [new FakeStorageArea('local'), new FakeStorageArea('session')];
  const area = eitherArea(local, session);
  const heard: unknown[] = [];
  area.onChanged.addListener((changes) => void heard.push(changes['board']?.newValue));
  await local.set({ board: 1 });
  await session.set({ board: 2 });
  await expect.poll(() => heard.toSorted()).toEqual([1, 2]);
});
