// The listeners of the worker. One that is left keeps what it belongs to, and goes on hearing:
// each is removed when its part ends. Those of the worker itself stay as long as it lives.

import { afterAll, beforeEach, expect, test } from 'vitest';
import { stopTime } from '../support/explorer/still-time.ts';
import { followListeners } from '../support/listeners.ts';
import { playScene, policy, scenes, type Scene } from '../support/scenes.ts';

/** The files whose listeners stay as long as the worker lives. */
const asLongAsTheWorker = [
  'background/worker.ts',
  'background/policy/policy.ts',
  // Of the feature.
  'background/feature/feature-worker.ts',
  // Of the parts that follow the session, and of the update that waits for the end of all work.
  'background/session/store.ts',
  'background/work.ts',
  // Of the revocations, which follow the record.
  'background/record/records.ts',
  // Of the lines from the pages.
  'bridge/line/serve-lines.ts',
];

afterAll(stopTime());

let listeners: ReturnType<typeof followListeners>;
beforeEach(() => {
  listeners = followListeners();
  return () => listeners.stop();
});

/** The listeners that are left a minute after a scene. */
async function leftBy(scene: Scene): Promise<Readonly<Record<string, number>>> {
  listeners.stop();
  listeners = followListeners();
  const { send, rest } = await playScene(scene);
  await send({ type: 'sign-out', everywhere: false });
  await rest(60);
  return listeners.left();
}

/** Where another worker takes over, those of the first are gone with it. */
const isOfOneWorker = ([, { act }]: [string, Scene]) => !String(act).includes('restartWorker');

test.each(Object.entries(scenes).filter(isOfOneWorker))(
  '%s leaves no listener behind',
  async (_title, scene) => {
    const idle = await leftBy({ ...scene, before: async () => undefined, act: async () => undefined });
    expect(asLongAsTheWorker).toEqual(expect.arrayContaining(Object.keys(idle)));
    expect(await leftBy(scene)).toEqual(idle);
  },
);

test('a code that waits for the user is followed by one listener, however often the provider was asked', async () => {
  const { setup = {}, script = {} } = scenes['a sign-in with a code']!;
  const waiting = (seconds: number): Scene => ({
    setup,
    script,
    async act({ send, rest }) {
      await send({ type: 'sign-in', providerId: 'scripted' });
      await rest(seconds);
    },
    ends: [],
  });
  await playScene(waiting(1));
  const { 'concurrency.ts': first } = listeners.left();
  listeners.stop();
  listeners = followListeners();
  const { worker } = await playScene(waiting(16));
  expect(worker.count('/token')).toBe(3);
  expect([first, listeners.left()['concurrency.ts']]).toEqual([1, 1]);
});

test('a policy that comes while the worker waits for it leaves no listener of the wait behind', async () => {
  const scene: Scene = {
    policy: {},
    async act({ send, rest, managed }) {
      const opened = send({ type: 'open' });
      await rest();
      managed.change(policy);
      await opened;
    },
    ends: [],
  };
  // One of the browser's event, and one of the policy, which follows each change.
  expect((await leftBy(scene))['background/policy/policy.ts']).toBe(2);
});
