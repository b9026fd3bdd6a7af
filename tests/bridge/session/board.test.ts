import { expect, test, vi } from 'vitest';
import { createBoardStore, parseBoard } from '../../../src/bridge/session/board.ts';
import { firstBoard } from '../../support/first-board.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

const board = firstBoard([]);
const other = { ...board, managed: true };

test('a board that is stored is not written again, unless the write of another one may have been done', async () => {
  const area = new FakeStorageArea();
  await createBoardStore(area).write(board);
  const set = vi.spyOn(area, 'set');
  const boards = createBoardStore(area);
  await boards.read();
  await boards.write(board);
  expect(set).not.toHaveBeenCalled();
  area.failure = new Error('Too late.');
  await expect(boards.write(other)).rejects.toThrow('Too late.');
  area.failure = null;
  for (const next of [board, board, other]) await boards.write(next);
  expect(set.mock.calls).toEqual([other, board, other].map((written) => [{ board: written }]));
});

test.each([
  [undefined],
  [null],
  ['board'],
  [{}],
  [{ ...board, version: 2 }],
  [{ ...board, session: { status: 'admin' } }],
  [{ ...board, session: { ...board.session, problem: { code: 'made-up', detail: null } } }],
  [{ ...board, providers: 'all' }],
])('parseBoard rejects %j', (stored) => {
  expect(parseBoard(stored)).toBeNull();
});
