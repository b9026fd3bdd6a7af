// The worker is killed at each step: before a call of the outside world, or before the call returns. The same expectations
// hold after every one of them.

import { expect, test } from 'vitest';
import type { Board } from '../../src/bridge/session/board.ts';
import {
  plainSettings,
  plainToken,
  plainUser,
  provider as scripted,
  type Script,
} from '../support/scripted-provider.ts';
import { isSettled } from '../support/boards.ts';
import { sent } from '../support/fault-scene.ts';
import { isLong } from '../support/extent.ts';
import { rest } from '../support/rest.ts';
import { setUpWorker } from '../support/worker-setup.ts';

/** `npm test` kills at every third step. */
const stride = isLong ? 1 : 3;

type Worker = ReturnType<typeof setUpWorker>;

interface Scene {
  readonly worker: Worker;
  readonly clock: { nowMs: number };
  /** The board when the worker died. */
  lastSeen?: Board | null;
}

/** A worker under a clock that moves only when the test moves it, so that every run takes the same steps. */
function setUpScene(name: string): Scene {
  const clock = { nowMs: Date.now() };
  const isPlain = name.endsWith('plain OAuth 2');
  const script: Script = {
    nowMs: () => clock.nowMs,
    claims: { picture: 'https://pictures.example/ada.png' },
    ...(isPlain && { token: { ...plainToken, refresh_token: undefined, expires_in: undefined } }),
  };
  const provider = isPlain ? { ...scripted, ...plainSettings } : scripted;
  return { worker: setUpWorker({ script, providers: [provider] }), clock };
}

/** Resolves when `act` has ended or the worker is dead. */
async function run(worker: Worker, act: () => Promise<unknown>): Promise<void> {
  await Promise.race([act(), worker.death()]);
}

interface Act {
  prepare(scene: Scene): Promise<void>;
  act(scene: Scene): Promise<void>;
}

const ordinaryActs = {
  'a sign-in': {
    prepare: async () => undefined,
    async act({ worker }) {
      await worker.send({ type: 'sign-in', providerId: 'scripted' });
      const window = await worker.nextWindow();
      window.appear();
      worker.approve(window);
      await worker.boardWhere(isSettled);
      await rest(worker);
    },
  },
  'a renewal': {
    async prepare({ worker, clock }) {
      await worker.signIn();
      clock.nowMs += 60 * 60_000;
    },
    async act({ worker }) {
      await worker.send({ type: 'open' });
      await rest(worker);
    },
  },
  'a sign-out': {
    async prepare({ worker }) {
      await worker.signIn();
    },
    async act({ worker }) {
      await worker.send({ type: 'sign-out', everywhere: false });
      await rest(worker);
    },
  },
} satisfies Record<string, Act>;

const acts: Readonly<Record<string, Act>> = {
  ...ordinaryActs,
  'a sign-in with plain OAuth 2': ordinaryActs['a sign-in'],
  'the check of a token of plain OAuth 2': ordinaryActs['a renewal'],
  'a sign-out with plain OAuth 2': ordinaryActs['a sign-out'],
};

/** The number of steps of an act without a death. */
async function countSteps(name: string): Promise<number> {
  const scene = setUpScene(name);
  await acts[name]?.prepare(scene);
  scene.worker.restartMortalWorker(Infinity);
  await acts[name]?.act(scene);
  return scene.worker.steps();
}

/** Runs an act with a worker that dies at `lastStep`, and opens the popup with the next worker. */
async function actAndDie(name: string, lastStep: number): Promise<Scene> {
  const scene = setUpScene(name);
  await acts[name]?.prepare(scene);
  scene.worker.restartMortalWorker(lastStep);
  await run(scene.worker, () => acts[name]?.act(scene) ?? Promise.resolve());
  scene.lastSeen = scene.worker.readBoard();
  scene.worker.restartWorker();
  await scene.worker.send({ type: 'open' });
  await scene.worker.boardWhere(isSettled);
  await rest(scene.worker);
  return scene;
}

async function killAnywhereInSignIn(name: string): Promise<void> {
  const steps = await countSteps(name);
  expect(steps).toBeGreaterThan(20);
  const outcomes = new Set<string>();
  for (let last = 1; last <= steps; last += stride) {
    const { worker, lastSeen } = await actAndDie(name, last);
    const { session } = worker.readBoard() ?? {};
    outcomes.add(session?.status ?? 'none');
    if (session?.status === 'signed-out') {
      // A person who was shown as signed in stays signed in.
      expect(lastSeen?.session.status, `killed at step ${last}`).not.toBe('signed-in');
      expect([null, 'interrupted']).toContain(session.problem?.code ?? null);
      expect((await worker.signIn()).session, `killed at step ${last}`).toMatchObject({
        status: 'signed-in',
      });
    } else {
      expect(session, `killed at step ${last}`).toMatchObject({ status: 'signed-in', problem: null });
    }
    // A code is never redeemed a second time.
    const codes = sent(worker, 'code_verifier');
    expect(new Set(codes).size).toBe(codes.length);
  }
  expect(outcomes).toEqual(new Set(['signed-out', 'signed-in']));
}

test('a worker that is killed anywhere in a sign-in leaves a complete session or none, and the next sign-in works', async () => {
  await killAnywhereInSignIn('a sign-in');
}, 60_000);

test('the same holds in a sign-in with plain OAuth 2', async () => {
  await killAnywhereInSignIn('a sign-in with plain OAuth 2');
}, 60_000);

test.each([
  ['a renewal', 'ada'],
  ['the check of a token of plain OAuth 2', String(plainUser.id)],
])(
  'a worker that is killed anywhere in %s keeps the session',
  async (name, subject) => {
    const steps = await countSteps(name);
    expect(steps).toBeGreaterThan(10);
    for (let last = 1; last <= steps; last += stride) {
      const { worker } = await actAndDie(name, last);
      expect(worker.readBoard()?.session, `killed at step ${last}`).toMatchObject({
        status: 'signed-in',
        problem: null,
        profile: { subject },
      });
    }
  },
  60_000,
);

test.each([
  ['a sign-out', 'refresh-1'],
  ['a sign-out with plain OAuth 2', 'access-1'],
])(
  'a worker that is killed anywhere in %s has signed out or not begun, and the token is revoked in the end',
  async (name, token) => {
    const steps = await countSteps(name);
    expect(steps).toBeGreaterThan(10);
    const outcomes = new Set<string>();
    for (let last = 1; last <= steps; last += stride) {
      const { worker, lastSeen } = await actAndDie(name, last);
      const { session } = worker.readBoard() ?? {};
      outcomes.add(session?.status ?? 'none');
      if (session?.status === 'signed-out') {
        await expect
          .poll(() => sent(worker, 'token'), { message: `killed at step ${last}` })
          .toContain(token);
        worker.restartWorker();
        await worker.send({ type: 'open' });
        expect(worker.readBoard()?.session.status, `killed at step ${last}`).toBe('signed-out');
      } else {
        // A person who was shown as signed out stays signed out.
        expect(lastSeen?.session.status, `killed at step ${last}`).toBe('signed-in');
        expect(sent(worker, 'token'), `killed at step ${last}`).toEqual([]);
      }
    }
    expect(outcomes).toEqual(new Set(['signed-out', 'signed-in']));
  },
  60_000,
);
