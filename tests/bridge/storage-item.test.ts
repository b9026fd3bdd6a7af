import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createStorageItem } from '../../src/bridge/storage-item.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';

function setUp() {
  const area = new FakeStorageArea();
  return { area, item: createStorageItem(area, 'count', v.object({ count: v.number() })) };
}

describe('createStorageItem', () => {
  test('reads what was written, under its own key', async () => {
    const { area, item } = setUp();
    await item.write({ count: 1 });
    expect(await item.read()).toEqual({ count: 1 });
    expect([...area.items.keys()]).toEqual(['count']);
  });

  test('reads null before the first write and after the removal', async () => {
    const { item } = setUp();
    expect(await item.read()).toBeNull();
    await item.write({ count: 1 });
    await item.remove();
    expect(await item.read()).toBeNull();
  });

  test.each([['text'], [null], [{}], [{ count: 'one' }]])(
    'reads null for %j, which does not fit the schema',
    async (stored) => {
      const { area, item } = setUp();
      area.items.set('count', stored);
      expect(await item.read()).toBeNull();
    },
  );
});
