// The listeners of the worker. One that is left keeps what it belongs to, and goes on hearing:
// each is removed when its part ends. Those of the worker itself stay as long as it lives.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxWaitMs } from '../../src/background/policy/managed-storage.ts';
import { byCode, deviceScript, pending } from '../support/device-scene.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { count } from '../support/fault-scene.ts';
import { followListeners } from '../support/listeners.ts';
import { rest } from '../support/rest.ts';
import { setUpWorker, type WorkerSetup } from '../support/worker-setup.ts';

/** The files whose listeners stay as long as the worker lives. */
const asLongAsTheWorker = [
  'background/listeners.ts',
  'background/policy/managed-storage.ts',
  // Of the feature.
  'background/session/current-user.ts',
  // Of the parts that follow the session, and of the update that waits for the end of all work.
  'background/session/store.ts',
  'background/session/tasks.ts',
  // Of the revocations, which follow the record.
  'background/vault/records.ts',
  // Of the lines from the pages.
  'bridge/line/serve-lines.ts',
];

let listeners: ReturnType<typeof followListeners>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  listeners = followListeners();
});
afterEach(() => {
  listeners.stop();
  vi.useRealTimers();
});

const policy = { version: 1, providers: [{ id: 'scripted' }] };

/** A worker that has started, with what it listens to as long as it lives. */
async function started({ script = {}, ...setup }: WorkerSetup = {}) {
  const clock = { nowMs: Date.now() };
  script.nowMs = () => clock.nowMs;
  const worker = setUpWorker({ script, ...setup });
  const pass = async (ms: number) => {
    clock.nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
    await rest(worker);
  };
  await pass(0);
  return { worker, script, pass, atStart: listeners.left() };
}

type Scene = Awaited<ReturnType<typeof started>>;

const signOut = ({ worker }: Scene) => worker.send({ type: 'sign-out', everywhere: false });

/** A sign-in whose window is open, or whose code is shown. */
async function signingIn({ worker, pass }: Scene) {
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  await pass(0);
  worker.windows.at(-1)?.appear();
  await pass(0);
}

const scenes: [title: string, play: (scene: Scene) => Promise<unknown>, setup?: WorkerSetup][] = [
  ['a sign-in and a sign-out', async (scene) => [await scene.worker.signIn(), await signOut(scene)]],
  [
    'a sign-in that is cancelled',
    async (scene) => {
      await signingIn(scene);
      await scene.worker.send({ type: 'show-window' });
      await scene.worker.send({ type: 'cancel' });
    },
  ],
  [
    'a renewal',
    async (scene) => {
      await scene.worker.signIn();
      scene.script.claims = { nonce: undefined };
      await scene.pass(3_600_000);
      await scene.worker.send({ type: 'open' });
      await scene.pass(0);
      await signOut(scene);
    },
  ],
  [
    'a code that the person enters',
    async (scene) => {
      await signingIn(scene);
      await scene.pass(5_000);
      delete scene.script.answers?.['/token'];
      await scene.pass(5_000);
      await signOut(scene);
    },
    { providers: [byCode], script: deviceScript(pending) },
  ],
  [
    'a code that is cancelled',
    async (scene) => {
      await signingIn(scene);
      await scene.pass(5_000);
      await scene.worker.send({ type: 'cancel' });
    },
    { providers: [byCode], script: deviceScript(pending) },
  ],
];

test.each(scenes)('%s leaves no listener behind', async (_title, play, setup) => {
  const scene = await started(setup);
  expect(asLongAsTheWorker).toEqual(expect.arrayContaining(Object.keys(scene.atStart)));
  await play(scene);
  await scene.pass(60_000);
  expect(listeners.left()).toEqual(scene.atStart);
});

test('a code that waits for the person is followed by one listener, however often the provider was asked', async () => {
  const scene = await started({ providers: [byCode], script: deviceScript(pending) });
  await signingIn(scene);
  for (let asked = 0; asked < 3; asked += 1) await scene.pass(5_000);
  expect(count(scene.worker, '/token')).toBe(3);
  expect(listeners.left()).toEqual({ ...scene.atStart, 'concurrency/pause.ts': 1 });
});

describe('the wait for a policy leaves no listener behind', () => {
  /** A worker in a browser with this policy, at its first start or after an earlier worker. */
  async function waiting(first: object, isFirst: boolean) {
    const managed = new FakeManagedStorage();
    managed.policy = isFirst ? { ...first } : policy;
    const scene = await started({ managed });
    if (!isFirst) {
      managed.policy = { ...first };
      // Those of the worker before are gone with it.
      listeners.stop();
      listeners = followListeners();
      scene.worker.restartWorker();
      void scene.worker.send({ type: 'open' });
      await scene.pass(0);
    }
    return { managed, ...scene };
  }

  const ends: readonly (readonly [
    string,
    object,
    (scene: Awaited<ReturnType<typeof waiting>>) => unknown,
  ])[] = [
    ['is there at once', policy, () => undefined],
    ['comes in time', {}, ({ managed }) => managed.change(policy)],
    ['does not come', {}, ({ pass }) => pass(maxWaitMs)],
    [
      'comes when nothing waits for it',
      {},
      async ({ managed, pass }) => {
        await pass(maxWaitMs);
        managed.change(policy);
      },
    ],
  ];

  describe.each([
    ['the first start', true],
    ['a later start', false],
  ])('at %s, if the policy', (_title, isFirst) => {
    test.each(ends)('%s', async (_what, first, end) => {
      const scene = await waiting(first, isFirst);
      await end(scene);
      await scene.pass(0);
      // One of the browser's event, and one of the policy, which follows each change.
      expect(listeners.left()['background/policy/managed-storage.ts']).toBe(2);
    });
  });
});
