import { describe, expect, test } from 'vitest';
import type { BoardView } from '../../src/bridge/session/observer.ts';
import { toFaces } from '../../src/gallery/faces.ts';
import { FaceObserver } from '../../src/gallery/observer.ts';
import type { Command } from '../../src/session/commands.ts';

const views = new Map(toFaces(0, '').map(({ id, view }) => [id, view]));

function expectView(id: string): BoardView {
  const view = views.get(id);
  if (view === undefined) throw new Error(`There is no face ${id}.`);
  return view;
}

const cancelled = { status: 'signed-out', problem: { code: 'cancelled' } };

describe('FaceObserver', () => {
  test.each<[string, Command[], object]>([
    ['first-run', [{ type: 'open' }], { status: 'signed-out' }],
    ['first-run', [{ type: 'sign-in', providerId: 'demo' }], { status: 'signing-in', providerId: 'demo' }],
    ['first-run', [{ type: 'sign-in', providerId: 'demo' }, { type: 'cancel' }], cancelled],
    ['signing-in', [{ type: 'show-window' }], { status: 'signing-in' }],
    [
      'signing-in-over-session',
      [{ type: 'cancel' }],
      { status: 'signed-in', problem: { code: 'cancelled' } },
    ],
    [
      'signed-in',
      [{ type: 'use-another-account' }],
      { status: 'signing-in', before: { status: 'signed-in' } },
    ],
    ['signed-in', [{ type: 'sign-out', everywhere: false }], { status: 'signed-out', providerSession: null }],
    [
      'signed-in',
      [{ type: 'sign-out', everywhere: true }],
      { status: 'signed-out', providerSession: { status: 'ending' } },
    ],
  ])('changes the session of the face %s as the worker would, on %j', async (id, commands, session) => {
    const observer = new FaceObserver(expectView(id));
    for (const command of commands) expect(await observer.send(command)).toEqual({ ok: true });
    expect(observer.getSnapshot()).toMatchObject({ status: 'ready', board: { session } });
  });

  test('calls a listener after each command until it unsubscribes', async () => {
    const observer = new FaceObserver(expectView('first-run'));
    let calls = 0;
    const unsubscribe = observer.subscribe(() => (calls += 1));
    await observer.send({ type: 'sign-in', providerId: 'demo' });
    unsubscribe();
    await observer.send({ type: 'cancel' });
    expect(calls).toBe(1);
  });

  test('changes nothing when it refuses a command', async () => {
    const problem = { code: 'worker-unreachable', detail: null } as const;
    const observer = new FaceObserver(expectView('first-run'), problem);
    const before = observer.getSnapshot();
    expect(await observer.send({ type: 'sign-in', providerId: 'demo' })).toEqual({ ok: false, problem });
    expect(observer.getSnapshot()).toBe(before);
  });

  test('refuses nothing but to show the window, if the window is missing', async () => {
    const problem = { code: 'sign-in-page-failed', detail: null } as const;
    const observer = new FaceObserver(expectView('signing-in'), problem);
    expect(await observer.send({ type: 'show-window' })).toEqual({ ok: false, problem });
    expect(await observer.send({ type: 'cancel' })).toEqual({ ok: true });
    expect(observer.getSnapshot()).toMatchObject({ board: { session: cancelled } });
  });
});
