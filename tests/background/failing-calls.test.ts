// Every call of the browser and of the database may reject, or never be answered. Each scene is played once to learn which
// calls the worker makes in it, and twice more for each of them. The scene ends in a state that the user understands, and
// nothing is stuck.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/session/problem.ts';
import { forgetTime, stopTime, strayRejections } from '../support/explorer/still-time.ts';
import { mannerOfRun } from '../support/fake-storage.ts';
import { playScene, scenes, signedIn, type Play, type Scene } from '../support/scenes.ts';
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
  'windows.remove',
  'windows.update',
];

/** The texts of the browsers, where the worker reads them or a user may. */
const rejections: Readonly<Record<string, string>> = {
  'identity.launchWebAuthFlow': 'Authorization page could not be loaded.',
  'windows.remove': 'No window with id: 1.',
  'windows.update': 'No window with id: 1.',
};

/** The name of a call, with the item of a storage. */
function toLabel(path: string, [argument]: readonly unknown[]): string {
  if (!path.startsWith('storage.') || argument === undefined) return path;
  const isItems = typeof argument === 'object' && !Array.isArray(argument);
  return `${path} ${[isItems ? Object.keys(argument ?? {}) : argument].flat().join(' ')}`;
}

/** A call that fails: the `count`th of its name. */
interface Failure {
  readonly way: 'rejects' | 'hangs';
  readonly call: string;
  readonly count: number;
}

/** Plays a scene in which a call may fail. Adds the calls that it makes. */
async function playAndFail(scene: Scene, failure: Failure | null = null) {
  const calls = new Map<string, number>();
  const played = await playScene(scene, {
    async runCall(path, args, effect, closeWindow) {
      const label = toLabel(path, args);
      const made = (calls.get(label) ?? 0) + 1;
      calls.set(label, made);
      if (label !== failure?.call || made !== failure.count) return effect();
      if (failure.way === 'hangs') return new Promise(() => undefined);
      // A window that cannot be closed or raised has been closed.
      if (path.startsWith('windows.')) closeWindow();
      if (path === 'database') throw new ProblemError('storage-failed');
      throw new Error(rejections[path] ?? `${path} fails.`);
    },
  });
  return { ...played, calls };
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
): readonly (string | false)[] {
  const isIrreplaceable = failure?.way === 'hangs' && irreplaceable.includes(failure.call);
  const session = worker.session();
  const problem = session === undefined || session.status === 'signing-in' ? null : session.problem;
  const reasons = replies.flatMap((reply) => (reply === null || reply.ok ? [] : reply.problem.code));
  if (problem !== null) reasons.push(problem.code);
  const isAsItShould = reasons.length > 0 || ends.some((status) => status === session?.status);
  return [
    ...strayRejections.map((reason) => `an unhandled rejection: ${String(reason)}`),
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
async function findLaterFaults(scene: Scene, played: Play): Promise<readonly (string | false)[]> {
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
    ...strayRejections.map((reason) => `an unhandled rejection, later: ${String(reason)}`),
    scene.isMissing?.(played) ?? false,
  ];
}

/** Calls that only show the worker's state, or tell support. They are tried again, each time in the same way. */
const isAside = (call: string) => /^action\.|(?: journal| toolbar)$/.test(call);

/** The faults of a minute after it, in which the user signs out. */
async function findMinuteFaults({ worker, rest, send, replies }: Play): Promise<readonly (string | false)[]> {
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

afterAll(stopTime());

describe('a call that fails', () => {
  /** The calls that each scene makes, and how often. */
  const made = new Map<string, ReadonlyMap<string, number>>();

  beforeAll(async () => {
    for (const [title, scene] of Object.entries(scenes)) {
      made.set(title, (await playAndFail(scene)).calls);
    }
  });

  test('is one that these scenes make, and they make all that are known', () => {
    const paths = [...made.values()].flatMap((calls) => [...calls.keys()].map((call) => call.split(' ')[0]));
    expect([...new Set(paths)].toSorted()).toEqual(knownCalls);
  });

  test('is understood in each scene that goes well', async () => {
    for (const scene of Object.values(scenes)) {
      const played = await playScene(scene);
      const faults = [...findFaults(scene, played), ...(await findLaterFaults(scene, played))];
      expect(faults.filter((fault) => fault !== false)).toEqual([]);
    }
  });

  /** The worker hardly differs in Firefox, so a run like Firefox tries every second call. The seed says which. */
  const isTried = (index: number) => mannerOfRun === 'chromium' || (index + readSeed()) % 2 === 0;

  const ways = ['rejects', 'hangs'] as const;
  const rows = ways.flatMap((way) => Object.entries(scenes).map(([title, scene]) => ({ way, title, scene })));

  test.for(rows)(
    'and $way leaves $title in a state that the user understands',
    async ({ way, title, scene }) => {
      const faults: [string, readonly string[]][] = [];
      for (const [index, [call, times]] of [...(made.get(title) ?? [])].entries()) {
        if (!isTried(index)) continue;
        for (let count = 1; count <= (isAside(call) ? 1 : times); count += 1) {
          const failure = { way, call, count };
          const played = await playAndFail(scene, failure);
          if (way === 'hangs') await played.rest(10);
          const isMade = (played.calls.get(call) ?? 0) >= count;
          const found = [
            !isMade && 'the worker does not make this call',
            ...findFaults(scene, played, failure),
            ...(way === 'hangs' ? await findMinuteFaults(played) : []),
            ...(await findLaterFaults(scene, played)),
          ].filter((fault) => fault !== false);
          if (found.length > 0) faults.push([`${call} (${count})`, found]);
        }
      }
      expect(Object.fromEntries(faults)).toEqual({});
    },
  );
});
