// What may go wrong in each scene of tests/support/scenes.ts: every call of the browser and of the database may reject, or never be
// answered, the worker may be killed at each step, and a listener may be left. The scene ends in a state that the user
// understands, and nothing is stuck.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/session/problem.ts';
import { settledView } from '../../src/session/view.ts';
import { toLabel } from '../support/explorer/gated-browser.ts';
import { forgetTime, stopTime } from '../support/explorer/still-time.ts';
import { isLong } from '../support/extent.ts';
import {
  CountedCalls,
  failEach,
  onlyFaults,
  strayFaults,
  type Failure,
  type Faults,
} from '../support/failing-calls.ts';
import { mannerOfRun } from '../support/fake-storage.ts';
import { followListeners } from '../support/listeners.ts';
import { openWindow, playScene, policy, scenes, signedIn, type Play, type Scene } from '../support/scenes.ts';
import { readSeed } from '../support/seed.ts';

/** The calls of the browser that these scenes make. A call that is not listed, or that no scene makes, fails a test. */
const knownCalls = [
  'action.openPopup',
  'action.setBadgeBackgroundColor',
  'action.setBadgeText',
  'action.setIcon',
  'action.setTitle',
  'database',
  'identity.launchWebAuthFlow',
  'management.getSelf',
  'runtime.getContexts',
  'runtime.getPlatformInfo',
  'storage.local.get',
  'storage.local.set',
  'storage.managed.get',
  'storage.session.get',
  'storage.session.remove',
  'storage.session.set',
  'tabs.query',
  'windows.create',
  'windows.remove',
  'windows.update',
];

/** The texts of the browsers, where the worker reads them or a user may. */
const rejections: Readonly<Record<string, string>> = {
  'identity.launchWebAuthFlow': 'Authorization page could not be loaded.',
  'windows.remove': 'No window with id: 1.',
  'windows.update': 'No window with id: 1.',
};

/** Plays a scene in which a call may fail. Adds the calls that it makes. */
async function playAndFail(scene: Scene, failure: Failure | null = null) {
  const calls = new CountedCalls(failure);
  const played = await playScene(scene, {
    runCall: (path, args, effect, closeWindow) =>
      calls.run(toLabel(path, args), effect, () => {
        // A window that cannot be closed or raised has been closed.
        if (path.startsWith('windows.')) closeWindow();
        if (path === 'database') throw new ProblemError('storage-failed');
        if (path in rejections) throw new Error(rejections[path]);
      }),
  });
  return { ...played, calls: calls.made };
}

const icons = {
  'signed-in': 'latchkey',
  'signing-in': 'latchkey-signing-in',
  'signed-out': 'latchkey-signed-out',
};

/** Codes that tell the user nothing. */
const noReasons = ['unexpected', 'worker-unreachable'];

/** Calls that nothing can replace. While one hangs, a sign-in waits for its window, or a window stays open. */
const irreplaceable = ['identity.launchWebAuthFlow', 'windows.remove'];

/** The faults at the end of a play, before anything else happens. */
function findFaults(
  { ends }: Scene,
  { worker, replies, window }: Play,
  failure: Failure | null = null,
): Faults {
  const isIrreplaceable = failure?.way === 'hangs' && irreplaceable.includes(failure.call);
  const session = worker.session();
  const problem = session === undefined || session.status === 'signing-in' ? null : session.problem;
  const reasons = replies.flatMap((reply) => (reply === null || reply.ok ? [] : reply.problem.code));
  if (problem !== null) reasons.push(problem.code);
  const isAsItShould = reasons.length > 0 || ends.some((status) => status === session?.status);
  return [
    ...strayFaults(),
    replies.includes(null) && 'a command is never answered',
    reasons.some((code) => noReasons.includes(code)) && `the user is told: ${reasons.join(', ')}`,
    !isAsItShould && !isIrreplaceable && `it ends ${session?.status}`,
    session !== undefined &&
      worker.toolbar.icon !== icons[session.status] &&
      `the toolbar shows ${worker.toolbar.icon}`,
    window()?.isOpen === true &&
      problem?.window !== 'left-open' &&
      !isIrreplaceable &&
      'its window stays open',
  ];
}

/** The faults of the sign-in that follows. */
async function findLaterFaults(scene: Scene, played: Play): Promise<Faults> {
  forgetTime();
  // One that could not be closed.
  played.window()?.close();
  await played.rest(0);
  await signedIn(played);
  await played.rest(scene.laterSeconds);
  const session = played.worker.session();
  const works = session?.status === 'signed-in' && session.problem === null;
  return [
    !works && `the next sign-in ends ${JSON.stringify(session)}`,
    ...strayFaults().map((fault) => `${fault}, later`),
    scene.isMissing?.(played) ?? false,
  ];
}

/** Calls that only show the worker's state, or tell support. They are tried again, each time in the same way. */
const isAside = (call: string) => /^action\.|(?: journal| toolbar)$/.test(call);

/** The faults of a minute after it, in which the user signs out. */
async function findMinuteFaults({ worker, rest, send, replies }: Play): Promise<Faults> {
  await rest(50);
  const before = replies.length;
  await send({ type: 'sign-out', everywhere: false });
  await rest();
  const status = worker.session()?.status;
  // A timer that was started before is over after this.
  await rest(40);
  const calls = worker.shown.calls;
  await rest(60);
  return [
    replies[before]?.ok !== true && `the sign-out is answered with ${JSON.stringify(replies[before])}`,
    status !== 'signed-out' && `the user who has signed out is ${status}`,
    worker.shown.calls !== calls && 'the worker keeps itself awake',
  ];
}

beforeEach(stopTime);

describe('a call that fails', () => {
  /** The calls that each scene makes, and how often. */
  const made = new Map<string, ReadonlyMap<string, number>>();

  beforeAll(async () => {
    const startTime = stopTime();
    for (const [title, scene] of Object.entries(scenes)) {
      made.set(title, (await playAndFail(scene)).calls);
    }
    startTime();
  });

  test('is one that these scenes make, and they make all that are known', () => {
    const paths = [...made.values()].flatMap((calls) => [...calls.keys()].map((call) => call.split(' ')[0]));
    expect([...new Set(paths)].toSorted()).toEqual(knownCalls);
  });

  test('is understood in each scene that goes well', async () => {
    for (const scene of Object.values(scenes)) {
      const played = await playScene(scene);
      expect(onlyFaults([...findFaults(scene, played), ...(await findLaterFaults(scene, played))])).toEqual(
        [],
      );
    }
  });

  /** `npm test` tries every second call, or every fourth like Firefox, where the worker hardly differs. The seed says which. */
  const isTried = (_call: unknown, index: number) =>
    isLong || (index + readSeed()) % (mannerOfRun === 'chromium' ? 2 : 4) === 0;

  const ways = ['rejects', 'hangs'] as const;
  const rows = ways.flatMap((way) => Object.entries(scenes).map(([title, scene]) => ({ way, title, scene })));

  test.for(rows)(
    'and $way leaves $title in a state that the user understands',
    async ({ way, title, scene }) => {
      const calls = [...(made.get(title) ?? [])]
        .filter(isTried)
        .map(([call, times]) => [call, isAside(call) ? 1 : times] as const);
      const faults = await failEach(calls, way, async (failure) => {
        const played = await playAndFail(scene, failure);
        if (way === 'hangs') await played.rest(10);
        const isMade = (played.calls.get(failure.call) ?? 0) >= failure.count;
        return [
          !isMade && 'the worker does not make this call',
          ...findFaults(scene, played, failure),
          ...(way === 'hangs' ? await findMinuteFaults(played) : []),
          ...(await findLaterFaults(scene, played)),
        ];
      });
      expect(faults).toEqual({});
    },
  );
});

/** The scenes that one worker plays, with what the next one does only afterwards. */
const ofOneWorker = Object.entries(scenes).filter(([, { act }]) => !String(act).includes('restartWorker'));

/** `npm test` kills at every third step. */
const stride = isLong ? 1 : 3;

/** A worker that plays them begins when nothing is under way. */
const fromRest = ofOneWorker.filter(([, { before }]) => before !== openWindow);

test.for(fromRest)(
  'a worker that is killed anywhere in %s leaves a whole session or none',
  { timeout: 60_000 },
  async ([, scene]) => {
    const whole = await playScene(scene, { lastStep: Infinity });
    const steps = whole.worker.steps();
    expect(steps).toBeGreaterThan(10);
    const statuses = new Set<string>();
    for (let lastStep = 1; lastStep <= steps; lastStep += stride) {
      const played = await playScene(scene, { lastStep });
      const { status, faults } = await goOn(scene, played);
      expect(faults, `killed at step ${lastStep}`).toEqual([]);
      statuses.add(status);
    }
    // It has not begun, or has ended.
    expect(statuses).toEqual(new Set([whole.begins, scene.ends[0]]));
  },
);

/** Opens the popup with the next worker. Returns how that ends, and what is wrong then. */
async function goOn({ ends: [end] }: Scene, played: Play) {
  const { worker, begins } = played;
  const shown = worker.session();
  const isCodeShown = shown?.status === 'signing-in' && Boolean(shown.device);
  worker.restartWorker();
  await played.send({ type: 'open' });
  await played.rest(15);
  const session = worker.readBoard()!.session;
  const { status } = session;
  const code = settledView(session).problem?.code ?? 'interrupted';
  const redeemed = worker.sent('code_verifier');
  const revoked = worker.revoked().slice(played.revokedBefore);
  const hadToken = begins === 'signed-in';
  const { deviceCode } = await worker.held();
  if (status === 'signed-out' && !hadToken) await signedIn(played);
  const faults = onlyFaults([
    code !== 'interrupted' && `the user is told ${code}`,
    shown?.status === end && status !== end && `the user who was ${end} is ${status}`,
    isCodeShown && status !== 'signed-in' && 'a code that was shown is forgotten',
    deviceCode !== null && 'a code is left',
    new Set(redeemed).size < redeemed.length && 'a code is redeemed twice',
    // A request that killed the worker is sent again.
    status === 'signed-in' && revoked.length > 0 && `${revoked[0]} is revoked`,
    status === 'signed-out' && hadToken && new Set(revoked).size !== 1 && 'no token is revoked',
    !hadToken && worker.session()?.status !== 'signed-in' && 'the next sign-in fails',
  ]);
  return { status, faults };
}

// A listener that is left keeps what it belongs to, and goes on hearing: each is removed when its part ends. Those of the worker
// itself stay as long as it lives.
describe('listeners', () => {
  /** The files whose listeners stay as long as the worker lives. */
  const asLongAsTheWorker = [
    'background/worker.ts',
    'parts/policy.ts',
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

  let listeners: ReturnType<typeof followListeners>;
  beforeEach(() => {
    listeners = followListeners();
    return () => listeners.stop();
  });

  /** The listeners that are left `seconds` after a scene. */
  async function leftBy(scene: Scene, seconds = 0): Promise<Readonly<Record<string, number>>> {
    listeners.stop();
    listeners = followListeners();
    const { rest } = await playScene(scene);
    await rest(seconds);
    return listeners.left();
  }

  const signsOut = (scene: Scene): Scene => ({
    ...scene,
    async act(play) {
      await scene.act(play);
      await play.send({ type: 'sign-out', everywhere: false });
    },
  });

  test.for(ofOneWorker)('%s leaves no listener behind', async ([, scene]) => {
    const idleScene = { ...scene, before: async () => undefined, act: async () => undefined };
    const idle = await leftBy(signsOut(idleScene), 60);
    expect(asLongAsTheWorker).toEqual(expect.arrayContaining(Object.keys(idle)));
    expect(await leftBy(signsOut(scene), 60)).toEqual(idle);
  });

  test('a code that waits for the user is followed by one listener, however often the provider was asked', async () => {
    const act = ({ send }: Play) => send({ type: 'sign-in', providerId: 'scripted' });
    const waiting: Scene = { ...scenes['a sign-in with a code']!, act };
    const counts = [];
    for (const seconds of [1, 16]) counts.push((await leftBy(waiting, seconds))['concurrency.ts']);
    expect(counts).toEqual([1, 1]);
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
    expect((await leftBy(scene, 60))['parts/policy.ts']).toBe(2);
  });
});
