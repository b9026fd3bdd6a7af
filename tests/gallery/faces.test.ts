import { describe, expect, test } from 'vitest';
import { toFaces } from '../../src/gallery/faces.ts';
import { parseBoard } from '../../src/bridge/session/board.ts';
import { causes, problemCodes, type Problem } from '../../src/session/problem.ts';
import { createDiagnosis } from '../../src/oidc/diagnosis.ts';
import { settledSession } from '../../src/session/session.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';

const nowMs = Date.parse('2030-01-01T12:00:00Z');
const faces = toFaces(nowMs, 'https://pictures.example/ada.png');
const ids = faces.map(({ id }) => id);
const sessions = faces.flatMap(({ view }) => (view.status === 'ready' ? [view.board.session] : []));
const problems = sessions.flatMap(
  (session): Problem | readonly Problem[] => settledSession(session).problem ?? [],
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

  test('pairs codes and diagnoses as the worker does', () => {
    const pairs = problems.flatMap(({ code, diagnosis }) =>
      diagnosis === undefined ? [] : [`${code}: ${diagnosis.cause}, ${diagnosis.certainty}`],
    );
    // As in tests/oidc/diagnose.test.ts.
    expect(pairs).toEqual([
      'provider-misconfigured: redirect-uri, known',
      'provider-misconfigured: redirect-uri, guess',
      'provider-misconfigured: client, known',
      'provider-misconfigured: client, guess',
      'provider-misconfigured: request, known',
      'provider-misconfigured: request, guess',
      'provider-misconfigured: page-missing, known',
      'provider-unreachable: page-down, known',
      'provider-unreachable: page-down, guess',
      'provider-unreachable: network, guess',
    ]);
  });

  test('names what to register where the worker does', () => {
    const registration = { redirectUri: 'uri', clientId: 'client' };
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

  test('gives each code a detail of its own, and none to a code that never has one', () => {
    const detailsOf = new Map<string, Set<string | null>>(problemCodes.map((code) => [code, new Set()]));
    for (const { code, detail, diagnosis } of problems) {
      if (diagnosis === undefined) detailsOf.get(code)?.add(detail);
    }
    expect([...detailsOf].filter(([, details]) => details.size !== 1)).toEqual([]);
    const bare = problemCodes.filter((code) => detailsOf.get(code)?.has(null));
    expect(bare).toEqual(['cancelled', 'interrupted', 'offline']);
    expect(new Set([...detailsOf.values()].flatMap((details) => [...details])).size).toBeGreaterThan(10);
  });

  test('has a face for a window that has not opened yet, and one for a window that is not found', () => {
    const refusals = new Map(faces.map(({ id, refusal }) => [id, refusal]));
    const missing = {
      code: 'sign-in-page-failed',
      detail: 'No window proves to be the one of this sign-in.',
    };
    expect(refusals.get('signing-in-window-not-opened')).toEqual(missing);
    expect(refusals.get('signing-in-window-not-found')).toEqual({ ...missing, window: 'left-open' });
  });

  test('shows no session that has ended as one that goes on, and each with its account', () => {
    const ended = sessions.filter((session) => settledSession(session).problem?.code === 'expired');
    expect(ended.length).toBeGreaterThan(0);
    for (const session of ended) {
      expect(session).toMatchObject({ status: 'signed-out', lastAccount: { subject: 'subject-1' } });
    }
  });
});
