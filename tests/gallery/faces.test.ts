import { expect, test } from 'vitest';
import { toFaces } from '../../src/gallery/faces.ts';
import { parseBoard } from '../../src/bridge/session/board.ts';
import { causes, problemCodes } from '../../src/session/problem.ts';

const nowMs = Date.parse('2030-01-01T12:00:00Z');
const faces = toFaces(nowMs, 'https://pictures.example/ada.png');
const ids = faces.map(({ id }) => id);

test('every face has a name of its own that an address can bear', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => encodeURIComponent(id) !== id)).toEqual([]);
});

test('every face shows a board that the popup would accept', () => {
  const boards = faces.flatMap(({ view }) => (view.status === 'ready' ? [view.board] : []));
  expect(boards.length).toBeGreaterThan(0);
  expect(boards.map(parseBoard)).toEqual(boards);
});

test.each(problemCodes)('%s has a face signed out, with a person who returns, and signed in', (code) => {
  for (const where of ['signed-out', 'returning', 'signed-in']) expect(ids).toContain(`${code}-${where}`);
});

test.each(causes)('a sign-in page that failed because of %s has a face, be it known or guessed', (cause) => {
  for (const certainty of ['known', 'guess']) expect(ids).toContain(`diagnosis-${cause}-${certainty}`);
});

test('every status has a face', () => {
  const statuses = faces.map(({ view }) =>
    view.status === 'ready' ? view.board.session.status : view.status,
  );
  expect(new Set(statuses)).toEqual(new Set(['starting', 'signed-out', 'signing-in', 'signed-in']));
});
