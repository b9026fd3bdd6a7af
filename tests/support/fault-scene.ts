// Scenes of the worker, as most tests need them, and how they go on.

import { expect } from 'vitest';
import { setUpWorker, type Worker, type WorkerSetup } from './worker-setup.ts';
import type { FakeWindow } from './fake-browser.ts';
import type { Script } from './scripted-provider.ts';

export const discovery = '/.well-known/openid-configuration';
export const hour = 3_600_000;
export const html = () =>
  new Response('<html>Please accept our terms', { headers: { 'content-type': 'text/html' } });
export const status = (code: number, headers: HeadersInit = {}) =>
  new Response('', { status: code, headers });

/** A worker, its provider's script and its clock, which only the test moves. */
interface Scene {
  readonly worker: Worker;
  readonly script: Script;
  readonly clock: { nowMs: number };
}

export function setUpScene(script: Script = {}, setup: WorkerSetup = {}): Scene {
  const worker = setUpWorker({ ...setup, script });
  return { worker, script, clock: worker.clock };
}

/** A scene in which Ada is signed in. */
export async function signedIn(script: Script = {}, setup: WorkerSetup = {}): Promise<Scene> {
  const scene = setUpScene(script, setup);
  expect((await scene.worker.signIn()).session.status).toBe('signed-in');
  return scene;
}

/** A scene with a running sign-in, whose window is open. */
export async function signingIn(
  scene: Scene = setUpScene(),
): Promise<Scene & { readonly window: FakeWindow }> {
  const window = await scene.worker.beginShown();
  return { ...scene, window };
}

export const interrupted = { status: 'signed-out', problem: { code: 'interrupted' } };
export const expired = {
  status: 'signed-out',
  problem: { code: 'expired' },
  accounts: [{ subject: 'ada' }],
};
export const adaIsSignedIn = { status: 'signed-in', profile: { subject: 'ada' }, problem: null };

/** Opens the popup every ten seconds until the board's session matches: after a failed renewal the next one waits. */
export async function openUntil(
  { worker }: Pick<Scene, 'worker' | 'clock'>,
  expected: object,
): Promise<void> {
  await expect
    .poll(async () => {
      await worker.openAfter(10_000);
      return worker.session();
    })
    .toMatchObject(expected);
}

/** The user closes the popup that the worker has opened, and then the update that was offered is applied. */
export async function expectUpdate(worker: Worker): Promise<void> {
  await expect
    .poll(async () => {
      worker.closePopup();
      await worker.showWindow();
      return worker.shown.reloads;
    })
    .toBe(1);
}

export async function expectSignInToWork({ worker }: Pick<Scene, 'worker'>): Promise<void> {
  expect((await worker.signIn()).session).toMatchObject({ status: 'signed-in', problem: null });
}
