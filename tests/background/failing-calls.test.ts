// Every call of the browser and of the database may reject, or never be answered. Each scene is played once to learn which
// calls the worker makes in it, and twice more for each of them. The scene ends in a state that the person understands, and
// nothing is stuck.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Command, Reply } from '../../src/session/commands.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { byCode, deviceScript, pending } from '../support/device-scene.ts';
import { forgetTime, stopTime, strayRejections } from '../support/explorer/still-time.ts';
import { FakeManagedStorage, type FakeWindow } from '../support/fake-browser.ts';
import { mannerOfRun } from '../support/fake-storage.ts';
import { hour } from '../support/fault-scene.ts';
import { issuer, type Script } from '../support/scripted-provider.ts';
import { readSeed } from '../support/seed.ts';
import { setUpWorker, type WorkerSetup } from '../support/worker-setup.ts';

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

/** The texts of the browsers, where the worker reads them or a person may. */
const rejections: Readonly<Record<string, string>> = {
  'identity.launchWebAuthFlow': 'Authorization page could not be loaded.',
  'windows.remove': 'No window with id: 1.',
  'windows.update': 'No window with id: 1.',
};

type Worker = ReturnType<typeof setUpWorker>;

/** A played scene. */
interface Play {
  readonly worker: Worker;
  readonly script: Script;
  readonly clock: { nowMs: number };
  readonly managed: FakeManagedStorage;
  /** The replies to the commands so far; null for one that has not been answered. */
  readonly replies: (Reply | null)[];
  send(command: Command): Promise<void>;
  /** Lets the worker do what it can, while `seconds` pass. */
  rest(seconds?: number): Promise<void>;
  /** The window that was opened last, if it is still there. */
  window(): FakeWindow | undefined;
}

interface Scene {
  readonly setup?: WorkerSetup;
  readonly script?: Script;
  readonly policy?: Record<string, unknown>;
  /** The steps before. No call rejects. */
  readonly before?: (play: Play) => Promise<void>;
  readonly act: (play: Play) => Promise<void>;
  /** How the session may end without a reason. */
  readonly ends: readonly ('signed-in' | 'signed-out')[];
  /** How long the next sign-in takes. */
  readonly laterSeconds?: number;
  /** Names an effect that is missing after the next sign-in too. */
  readonly isMissing?: (play: Play) => string | false;
}

const signIn = { type: 'sign-in', providerId: 'scripted' } as const;

/** Sends a command that opens a window, and shows the window if there is one. */
async function openWindow({ worker, send, rest }: Play, command: Command = signIn): Promise<void> {
  const before = worker.windows.length;
  await send(command);
  await rest();
  // A browser that has not ended an earlier flow is given ten seconds.
  for (let seconds = 0; seconds < 10 && worker.windows.length === before; seconds += 1) await rest();
  worker.windows[before]?.appear();
  await rest(0);
}

async function agree({ worker, window, rest }: Play): Promise<void> {
  const open = window();
  if (open !== undefined) worker.approve(open);
  await rest();
}

async function signedIn(play: Play): Promise<void> {
  await openWindow(play);
  await agree(play);
}

const policy = { version: 1, providers: [{ id: 'scripted' }], locked: true };

const scenes: Readonly<Record<string, Scene>> = {
  'a sign-in': { act: signedIn, ends: ['signed-in'] },
  "a sign-in that is kept in the browser's memory": {
    setup: { persistence: 'browser' },
    act: signedIn,
    ends: ['signed-in'],
  },
  'a cancel': {
    before: openWindow,
    async act({ send, rest }) {
      await send({ type: 'cancel' });
      await rest();
    },
    ends: ['signed-out'],
  },
  'a sign-in whose window is asked for': {
    before: openWindow,
    async act(play) {
      await play.send({ type: 'show-window' });
      await agree(play);
    },
    ends: ['signed-in'],
  },
  'a sign-in that another worker began': {
    before: openWindow,
    async act({ worker, send, rest }) {
      worker.restartWorker();
      await send({ type: 'open' });
      await rest();
      // It cannot be finished without the person, who closes its window.
      worker.windows[0]?.close();
      await rest(0);
    },
    ends: ['signed-out'],
  },
  'a sign-in after one that another worker began': {
    before: openWindow,
    async act(play) {
      play.worker.restartWorker();
      await signedIn(play);
    },
    ends: ['signed-in'],
  },
  'a renewal': {
    before: signedIn,
    async act({ clock, script, send, rest }) {
      clock.nowMs += hour;
      script.claims = { nonce: undefined };
      await send({ type: 'open' });
      await rest();
      delete script.claims;
    },
    ends: ['signed-in'],
  },
  'a silent renewal': {
    script: { token: { refresh_token: undefined } },
    before: signedIn,
    async act({ worker, clock, send, rest }) {
      clock.nowMs += hour;
      worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
      await send({ type: 'open' });
      await rest();
    },
    ends: ['signed-in'],
  },
  'a sign-out everywhere': {
    script: { metadata: { end_session_endpoint: `${issuer}/logout` } },
    before: signedIn,
    async act(play) {
      await openWindow(play, { type: 'sign-out', everywhere: true });
      const { window, rest } = play;
      const asked = new URL(window()?.url ?? issuer).searchParams;
      window()?.redirect(`${asked.get('post_logout_redirect_uri')}?state=${asked.get('state')}`);
      await rest();
    },
    ends: ['signed-out'],
  },
  'a first start under a policy': {
    policy: { ...policy, managedBy: 'Acme IT' },
    act: ({ send }) => send({ type: 'open' }),
    ends: ['signed-out'],
  },
  'a sign-in whose provider a policy excludes for a while': {
    policy,
    before: openWindow,
    async act({ worker, managed, send, rest }) {
      managed.change({ ...policy, providers: [] });
      await rest();
      managed.change(policy);
      await rest();
      // It asks again if this one could not be told.
      worker.restartWorker();
      await send({ type: 'open' });
      await rest();
      worker.windows[0]?.close();
      await rest(0);
    },
    ends: ['signed-out'],
  },
  'a first start without a policy': {
    policy: {},
    act: ({ send }) => send({ type: 'open' }),
    ends: ['signed-out'],
  },
  'an automatic sign-in': {
    policy: { ...policy, autoSignIn: 'popup' },
    async act({ worker, send, rest }) {
      worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
      await send({ type: 'open' });
      await rest();
    },
    // Without it the person has to click, as ever.
    ends: ['signed-in', 'signed-out'],
  },
  'a sign-out that no automatic sign-in undoes': {
    policy: { ...policy, autoSignIn: 'popup' },
    before: signedIn,
    async act({ send, rest }) {
      await send({ type: 'sign-out', everywhere: false });
      await rest();
    },
    ends: ['signed-out'],
  },
  'a sign-in that allows automatic ones again': {
    policy: { ...policy, autoSignIn: 'popup' },
    async before(play) {
      await signedIn(play);
      await play.send({ type: 'sign-out', everywhere: false });
    },
    act: signedIn,
    ends: ['signed-in'],
  },
  'an update': {
    before: signedIn,
    async act({ worker, send, rest }) {
      worker.closePopup();
      worker.offerUpdate();
      await rest();
      // The next chance, for an update that could not be applied at once.
      await send({ type: 'show-window' });
      await rest();
    },
    ends: ['signed-in'],
    isMissing: ({ worker }) => worker.shown.reloads !== 1 && `there are ${worker.shown.reloads} reloads`,
  },
  'a sign-in with a code': {
    setup: { providers: [byCode] },
    script: deviceScript(pending),
    async act({ send, script, rest }) {
      await send(signIn);
      await rest(5);
      delete script.answers?.['/token'];
      await rest(5);
    },
    ends: ['signed-in'],
    laterSeconds: 5,
  },
};

/** Turns of the event loop in which nothing happens before the worker rests: its database takes some for each answer. */
const quietTurns = 8;

/** Lets `seconds` pass, and waits each time until the worker takes no more steps. */
async function letPass(worker: Worker, clock: Play['clock'], seconds: number): Promise<void> {
  for (let second = 0; second <= seconds; second += 1) {
    if (second > 0) {
      clock.nowMs += 1_000;
      vi.advanceTimersByTime(1_000);
    }
    let before = -1;
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (quiet === quietTurns - 1) vi.advanceTimersByTime(0);
      const steps = worker.steps() + worker.provider.requests.length;
      if (steps !== before) quiet = 0;
      before = steps;
    }
  }
}

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

/** Plays a scene, and returns the calls that it makes. */
async function playScene(scene: Scene, failure: Failure | null = null) {
  const calls = new Map<string, number>();
  let isArmed = scene.before === undefined;
  const clock = { nowMs: 1_800_000_000_000 };
  const script: Script = { ...scene.script, answers: { ...scene.script?.answers }, nowMs: () => clock.nowMs };
  const managed = new FakeManagedStorage();
  managed.policy = scene.policy ?? {};
  const worker = setUpWorker({
    ...scene.setup,
    script,
    ...(scene.policy !== undefined && { managed }),
    async runCall(path, args, effect) {
      const label = toLabel(path, args);
      if (!isArmed) return effect();
      const made = (calls.get(label) ?? 0) + 1;
      calls.set(label, made);
      if (label !== failure?.call || made !== failure.count) return effect();
      if (failure.way === 'hangs') return new Promise(() => undefined);
      // A window that cannot be closed or raised has been closed.
      if (path.startsWith('windows.')) worker.windows.at(-1)?.close();
      if (path === 'database') throw new ProblemError('storage-failed');
      throw new Error(rejections[path] ?? `${path} fails.`);
    },
  });
  const replies: (Reply | null)[] = [];
  const play: Play = {
    worker,
    script,
    clock,
    managed,
    replies,
    rest: (seconds = 1) => letPass(worker, clock, seconds),
    async send(command) {
      const index = replies.push(null) - 1;
      void worker.send(command).then((reply) => (replies[index] = reply));
      for (let second = 0; second <= 10 && replies[index] === null; second += 1)
        await letPass(worker, clock, 1);
    },
    window: () => {
      const last = worker.windows.at(-1);
      return last?.isOpen ? last : undefined;
    },
  };
  await letPass(worker, clock, 0);
  await scene.before?.(play);
  isArmed = true;
  await scene.act(play);
  isArmed = false;
  return { ...play, calls };
}

const icons = {
  'signed-in': 'latchkey',
  'signing-in': 'latchkey-signing-in',
  'signed-out': 'latchkey-signed-out',
};

/** Codes that tell the person nothing. */
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
  const session = worker.readBoard()?.session;
  const problem = session === undefined || session.status === 'signing-in' ? null : session.problem;
  const reasons = replies.flatMap((reply) => (reply === null || reply.ok ? [] : reply.problem.code));
  if (problem !== null) reasons.push(problem.code);
  const isAsItShould = reasons.length > 0 || ends.some((status) => status === session?.status);
  return [
    ...strayRejections.map((reason) => `an unhandled rejection: ${String(reason)}`),
    replies.includes(null) && 'a command is never answered',
    reasons.some((code) => noReasons.includes(code)) && `the person is told: ${reasons.join(', ')}`,
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
  const session = played.worker.readBoard()?.session;
  const works = session?.status === 'signed-in' && session.problem === null;
  return [
    !works && `the next sign-in ends ${JSON.stringify(session)}`,
    ...strayRejections.map((reason) => `an unhandled rejection, later: ${String(reason)}`),
    scene.isMissing?.(played) ?? false,
  ];
}

/** Calls that only show the worker's state, or tell support. They are tried again, each time in the same way. */
const isAside = (call: string) => /^action\.|(?: journal| toolbar)$/.test(call);

/** The faults of a minute after it, in which the person signs out. */
async function findMinuteFaults({ worker, rest, send, replies }: Play): Promise<readonly (string | false)[]> {
  await rest(50);
  const before = replies.length;
  await send({ type: 'sign-out', everywhere: false });
  await rest();
  const status = worker.readBoard()?.session.status;
  // A timer that was started before is over after this.
  await rest(40);
  const calls = worker.shown.calls;
  await rest(60);
  return [
    replies[before]?.ok !== true && `the sign-out is answered with ${JSON.stringify(replies[before])}`,
    status !== 'signed-out' && `the person who has signed out is ${status}`,
    worker.shown.calls !== calls && 'the worker keeps itself awake',
  ];
}

describe('a call that fails', () => {
  /** The calls that each scene makes, and how often. */
  const made = new Map<string, ReadonlyMap<string, number>>();
  let letTimeGo: () => void;

  beforeAll(async () => {
    letTimeGo = stopTime();
    for (const [title, scene] of Object.entries(scenes)) {
      forgetTime();
      made.set(title, (await playScene(scene)).calls);
    }
  });
  afterAll(() => letTimeGo());

  test('is one that these scenes make, and they make all that are known', () => {
    const paths = [...made.values()].flatMap((calls) => [...calls.keys()].map((call) => call.split(' ')[0]));
    // Firefox says itself that there is no policy.
    const known = knownCalls.filter((path) => mannerOfRun === 'chromium' || path !== 'management.getSelf');
    expect([...new Set(paths)].toSorted()).toEqual(known);
  });

  test('is understood in each scene that goes well', async () => {
    for (const scene of Object.values(scenes)) {
      forgetTime();
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
    'and $way leaves $title in a state that the person understands',
    async ({ way, title, scene }) => {
      const faults: [string, readonly string[]][] = [];
      for (const [index, [call, times]] of [...(made.get(title) ?? [])].entries()) {
        if (!isTried(index)) continue;
        for (let count = 1; count <= (isAside(call) ? 1 : times); count += 1) {
          forgetTime();
          const failure = { way, call, count };
          const played = await playScene(scene, failure);
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
