import { describe, expect, test } from 'vitest';
import { toFaces } from '../../src/gallery/faces.ts';
import { parseBoard } from '../../src/bridge/session/board.ts';
import { causes, problemCodes } from '../../src/session/problem.ts';

const nowMs = Date.parse('2030-01-01T12:00:00Z');
const faces = toFaces(nowMs, 'https://pictures.example/ada.png');
const ids = faces.map(({ id }) => id);

describe('toFaces', () => {
  test('gives every face a unique id that needs no escaping in a URL', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => encodeURIComponent(id) !== id)).toEqual([]);
  });

  test('shows only boards that the popup accepts', () => {
    const boards = faces.flatMap(({ view }) => (view.status === 'ready' ? [view.board] : []));
    expect(boards.length).toBeGreaterThan(0);
    expect(boards.map(parseBoard)).toEqual(boards);
  });

  test.each(problemCodes)('has faces for %s: signed out, with a last account, and signed in', (code) => {
    for (const where of ['signed-out', 'returning', 'signed-in']) expect(ids).toContain(`${code}-${where}`);
  });

  test.each(causes)('has faces for the diagnosis %s: known, and guessed', (cause) => {
    for (const certainty of ['known', 'guess']) expect(ids).toContain(`diagnosis-${cause}-${certainty}`);
  });

  test('has a face for every status', () => {
    const statuses = faces.map(({ view }) =>
      view.status === 'ready' ? view.board.session.status : view.status,
    );
    expect(new Set(statuses)).toEqual(new Set(['starting', 'signed-out', 'signing-in', 'signed-in']));
  });
});
