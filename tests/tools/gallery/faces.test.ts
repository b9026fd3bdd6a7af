import { describe, expect, test } from 'vitest';
import { toFaces } from '../../../tools/gallery/faces.ts';
import { parseBoard } from '../../../src/bridge/session/board.ts';
import { causes, problemCodes, type Problem } from '../../../src/session/problem.ts';
import { createDiagnosis } from '../../../src/oidc/why.ts';
import { settledView } from '../../../src/session/view.ts';
import { redirectUris } from '../../../tools/redirect-uris.ts';

const nowMs = Date.parse('2030-01-01T12:00:00Z');
const faces = toFaces(nowMs, 'https://pictures.example/ada.png');
const ids = faces.map(({ id }) => id);
const sessions = faces.flatMap(({ view }) => (view.status === 'ready' ? [view.board.session] : []));
const problems = sessions.flatMap(
  (session): Problem | readonly Problem[] => settledView(session).problem ?? [],
);

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
    const wheres = ['signed-out', 'returning', ...(code === 'expired' ? [] : ['signed-in'])];
    for (const where of wheres) expect(ids).toContain(`${code}-${where}`);
  });

  test.each(causes)('has a face for the diagnosis %s', (cause) => {
    expect(ids.filter((id) => id.startsWith(`diagnosis-${cause}-`))).not.toEqual([]);
  });

  test('has a face for every status', () => {
    const statuses = faces.map(({ view }) =>
      view.status === 'ready' ? view.board.session.status : view.status,
    );
    expect(new Set(statuses)).toEqual(new Set(['starting', 'signed-out', 'signing-in', 'signed-in']));
  });

  test('names what to register where the worker does', () => {
    const registration = { redirectUri: 'uri', clientId: 'client', origin: 'origin' };
    for (const { diagnosis } of problems) {
      if (diagnosis === undefined) continue;
      const { register } = createDiagnosis(diagnosis.cause, diagnosis.certainty, registration);
      expect([diagnosis.cause, diagnosis.register === null]).toEqual([diagnosis.cause, register === null]);
    }
  });

  test('names a redirect URI as long as the longest, which is that of Firefox', () => {
    const identity = { browser_specific_settings: { gecko: { id: 'sign-in@acme.example' } }, key: 'MIIB' };
    const found = problems.filter(({ diagnosis }) => diagnosis?.cause === 'redirect-uri');
    expect(found.map(({ diagnosis }) => diagnosis?.register?.length)).toEqual(
      found.map(() => redirectUris(identity, 'demo').firefox.length),
    );
  });
});
