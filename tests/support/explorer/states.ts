// The states in which the worker is found.

import { events } from './events.ts';
import { nothing, Stage, type Remains, type StageOptions } from './stage.ts';

const hourMs = 60 * 60_000;

/** What earlier workers left, made once. */
const remains = new Map<string, Promise<Remains>>();

const once = (name: string, make: () => Promise<Remains>) => {
  const made = remains.get(name) ?? make();
  remains.set(name, made);
  return made;
};

const installed = () =>
  once('installed', async () => {
    const stage = new Stage(nothing);
    stage.wake();
    stage.fake.install();
    await stage.drain();
    // Metadata and keys are in the cache, as they are whenever a popup was open before.
    stage.send({ type: 'open' });
    await stage.drain();
    return stage.remains();
  });

const signedIn = () =>
  once('signed in', async () => {
    const stage = new Stage(await installed());
    await launch(stage);
    await events['window appears'](stage);
    await stage.drain();
    await events['Ada agrees'](stage);
    await stage.drain();
    if (stage.board()?.session.status !== 'signed-in') throw new Error('Ada could not be signed in.');
    return stage.remains();
  });

async function launch(stage: Stage): Promise<void> {
  stage.send({ type: 'sign-in', providerId: 'scripted' });
  await stage.drain();
}

/** Another stage of the same worker's story that goes on: `act` happens in it. */
async function after(found: Remains, options: StageOptions, act: (stage: Stage) => Promise<void>) {
  const stage = new Stage(found, options);
  await act(stage);
  return stage;
}

export const states = {
  'signed out': async (options) => new Stage(await installed(), options),
  'signed in as Ada': async (options) => new Stage(await signedIn(), options),
  'signed in as Ada, tokens stale': async (options) => {
    const found = await signedIn();
    return new Stage({ ...found, nowMs: found.nowMs + hourMs }, options);
  },
  'signed in as Ada, tokens stale, worker awake': async (options) => {
    const found = await signedIn();
    return after({ ...found, nowMs: found.nowMs + hourMs }, options, async (stage) => {
      stage.wake();
      stage.fake.install('update');
      await stage.drain();
    });
  },
  'signed out with a revocation pending': async (options) =>
    new Stage(
      await once('revocation pending', async () => {
        const stage = new Stage(await signedIn());
        stage.isOnline = false;
        stage.send({ type: 'sign-out', everywhere: false });
        await stage.drain();
        return stage.remains();
      }),
      options,
    ),
  'signing in, no window yet': async (options) => after(await installed(), options, launch),
  'signing in, window open': async (options) =>
    after(await installed(), options, async (stage) => {
      await launch(stage);
      await events['window appears'](stage);
      await stage.drain();
    }),
  'changing from Ada to another account, window open': async (options) =>
    after(await signedIn(), options, async (stage) => {
      stage.send({ type: 'use-another-account' });
      await stage.drain();
      await events['window appears'](stage);
      await stage.drain();
    }),
  'asking Ada for more scope, window open': async (options) =>
    after(await signedIn(), options, async (stage) => {
      stage.send({ type: 'request-scope', scope: 'calendar' });
      await stage.drain();
      await events['window appears'](stage);
      await stage.drain();
    }),
  'signing in with a window that its worker did not outlive': async (options) =>
    after(await installed(), options, async (stage) => {
      await launch(stage);
      await events['window appears'](stage);
      await stage.drain();
      await stage.kill();
    }),
} satisfies Record<string, (options: StageOptions) => Promise<Stage>>;

export type StateName = keyof typeof states;

export const stateNames = Object.keys(states) as StateName[];
