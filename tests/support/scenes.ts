// Scenes with a worker: what happens, and how it ends. tests/background/scenes.test.ts plays each with everything that may go
// wrong. Time must stand still: `stopTime`.

import { vi } from 'vitest';
import type { Command, Reply } from '../../src/session/commands.ts';
import { byCode, deviceScript, pending } from './device-scene.ts';
import { forgetTime } from './explorer/still-time.ts';
import { FakeManagedStorage, type FakeWindow } from './fake-browser.ts';
import { hour, setUpWorker, type WorkerSetup, type Worker } from './worker-setup.ts';
import { payOrigin } from './scripted-api.ts';
import { issuer, plainSettings, plainToken, provider as scripted, type Script } from './scripted-provider.ts';
import { turns } from './turns.ts';

/** A played scene. */
export interface Play {
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
  /** The session after the steps before, and how many revocations were sent in them. */
  begins: string;
  revokedBefore: number;
}

export interface Scene {
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
export async function openWindow({ worker, send, rest }: Play, command: Command = signIn): Promise<void> {
  const before = worker.windows.length;
  await send(command);
  await rest();
  // A browser that hasn't ended an earlier flow gets ten seconds.
  for (let seconds = 0; seconds < 10 && worker.windows.length === before; seconds += 1) await rest();
  worker.windows[before]?.appear();
  await rest(0);
}

/** Sends a command, and lets the worker do what it can. */
const sends =
  (command: Command) =>
  async ({ send, rest }: Play) => {
    await send(command);
    await rest();
  };

async function agree({ worker, window, rest }: Play): Promise<void> {
  const open = window();
  if (open !== undefined) worker.approve(open);
  await rest();
}

export async function signedIn(play: Play): Promise<void> {
  await openWindow(play);
  await agree(play);
}

/** A provider of plain OAuth 2, whose token lasts. */
const plain = {
  setup: { providers: [{ ...scripted, ...plainSettings }] },
  script: { token: { ...plainToken, refresh_token: undefined, expires_in: undefined } },
};

/** An API with a token of its own. */
const pay = { name: null, origins: [payOrigin], scope: 'pay', resource: null, audience: null };

const signOut = sends({ type: 'sign-out', everywhere: false });

async function renewal({ clock, script, send, rest }: Play): Promise<void> {
  clock.nowMs += hour;
  script.claims = { nonce: undefined };
  await send({ type: 'open' });
  await rest();
  delete script.claims;
}

export const policy = { version: 1, providers: [{ id: 'scripted' }], locked: true };

export const scenes: Readonly<Record<string, Scene>> = {
  'a sign-in': { act: signedIn, ends: ['signed-in'] },
  "a sign-in that is kept in the browser's memory": {
    setup: { persistence: 'browser' },
    act: signedIn,
    ends: ['signed-in'],
  },
  'a cancel': { before: openWindow, act: sends({ type: 'cancel' }), ends: ['signed-out'] },
  'a sign-in whose window becomes a tab': {
    setup: { manner: 'chromium' },
    before: openWindow,
    async act(play) {
      play.window()?.becomeTab();
      await play.rest();
      await agree(play);
    },
    ends: ['signed-in'],
  },
  'a sign-in whose window a click has closed': {
    setup: { manner: 'chromium' },
    before: openWindow,
    async act(play) {
      const { worker, rest } = play;
      play.window()?.cannotLoad();
      for (let seconds = 0; seconds < 20 && worker.windows.length === 1; seconds += 1) await rest();
      worker.windows[1]?.appear();
      await agree(play);
    },
    ends: ['signed-in'],
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
      // It can't finish without the user, who closes its window.
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
  'a sign-in with plain OAuth 2': { ...plain, act: signedIn, ends: ['signed-in'] },
  'a renewal': { before: signedIn, act: renewal, ends: ['signed-in'] },
  'the check of a token of plain OAuth 2': { ...plain, before: signedIn, act: renewal, ends: ['signed-in'] },
  'a sign-out': { before: signedIn, act: signOut, ends: ['signed-out'] },
  'a sign-out with plain OAuth 2': { ...plain, before: signedIn, act: signOut, ends: ['signed-out'] },
  'a silent renewal': {
    script: { token: { refresh_token: undefined } },
    before: signedIn,
    async act({ worker, clock, send, rest }) {
      clock.nowMs += hour;
      worker.silence.answer = worker.provider.approve;
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
      // If the change couldn't be delivered, the next worker asks for the policy.
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
      worker.silence.answer = worker.provider.approve;
      await send({ type: 'open' });
      await rest();
    },
    // Without it the user has to click, as always.
    ends: ['signed-in', 'signed-out'],
  },
  'a sign-out that no automatic sign-in undoes': {
    policy: { ...policy, autoSignIn: 'popup' },
    before: signedIn,
    act: signOut,
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
  "a request for an API's token": {
    setup: { providers: [{ ...scripted, apis: [pay] }] },
    before: signedIn,
    async act({ worker, script, rest }) {
      script.claims = { nonce: undefined };
      void worker.fetch(`${payOrigin}/bills`).then(
        (response) => response.text(),
        () => undefined,
      );
      await rest();
      delete script.claims;
    },
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
async function letPass(worker: Worker, seconds: number): Promise<void> {
  for (let second = 0; second <= seconds; second += 1) {
    if (second > 0) {
      worker.clock.nowMs += 1_000;
      vi.advanceTimersByTime(1_000);
    }
    let before = -1;
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      await turns(1);
      if (quiet === quietTurns - 1) vi.advanceTimersByTime(0);
      const steps = worker.steps() + worker.provider.requests.length;
      if (steps !== before) quiet = 0;
      before = steps;
    }
  }
}

/** How the worker may fare in a scene, after the steps before. */
interface Fate {
  /** Makes the calls of the worker. `closeWindow` closes the newest window, as the user does. */
  readonly runCall?: <T>(
    path: string,
    args: readonly unknown[],
    effect: () => Promise<T>,
    closeWindow: () => void,
  ) => Promise<T>;
  /** The step at which the worker dies that plays it. */
  readonly lastStep?: number;
}

/** Plays a scene. */
export async function playScene(scene: Scene, { runCall, lastStep }: Fate = {}): Promise<Play> {
  forgetTime();
  let isArmed = false;
  const script: Script = { ...scene.script, answers: { ...scene.script?.answers } };
  const managed = new FakeManagedStorage();
  managed.policy = scene.policy ?? {};
  const worker = setUpWorker({
    ...scene.setup,
    script,
    ...(scene.policy !== undefined && { managed }),
    runCall: (path, args, effect) =>
      isArmed && runCall ? runCall(path, args, effect, () => worker.windows.at(-1)?.close()) : effect(),
  });
  const replies: (Reply | null)[] = [];
  const play: Play = {
    worker,
    script,
    clock: worker.clock,
    managed,
    replies,
    rest: (seconds = 1) => letPass(worker, seconds),
    async send(command) {
      const index = replies.push(null) - 1;
      void worker.send(command).then((reply) => (replies[index] = reply));
      for (let second = 0; second <= 10 && replies[index] === null; second += 1) await letPass(worker, 1);
    },
    window: () => {
      const last = worker.windows.at(-1);
      return last?.isOpen ? last : undefined;
    },
    begins: 'signed-out',
    revokedBefore: 0,
  };
  isArmed = scene.before === undefined;
  await letPass(worker, 0);
  await scene.before?.(play);
  isArmed = true;
  play.begins = worker.session()?.status ?? 'signed-out';
  play.revokedBefore = worker.revoked().length;
  if (lastStep !== undefined) worker.restartMortalWorker(lastStep);
  await scene.act(play);
  isArmed = false;
  return play;
}
