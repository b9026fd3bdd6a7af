// An update of the extension: the browser offers it, and the worker applies it when that disturbs no one.

import { expect, test, vi } from 'vitest';
import { adaIsSignedIn, hour, type setUpScene, signedIn, signingIn } from '../support/fault-scene.ts';
import { settled } from '../support/port-pair.ts';
import type { WorkerSetup } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpScene>['worker'];

/** A scene in which Ada is signed in, and everything that her sign-in has begun has ended. */
async function settledIn(setup: WorkerSetup = {}) {
  // With a picture the profile is complete, so UserInfo is not requested.
  const scene = await signedIn({ claims: { picture: 'https://pictures.example/ada.png' } }, setup);
  await expect.poll(() => scene.worker.shown.popups).toBe(1);
  scene.worker.closePopup();
  await settled();
  return scene;
}

/** Nothing more happens, and the extension was reloaded this often. */
async function expectReloads({ shown, send }: Worker, reloads: number): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await send({ type: 'show-window' });
    await settled();
  }
  expect(shown.reloads).toBe(reloads);
}

test('an update is applied at once while the extension is not in use', async () => {
  const { worker } = await settledIn();
  worker.offerUpdate();
  await expect.poll(() => worker.shown.reloads).toBe(1);
  await expectReloads(worker, 1);
});

test('an update waits while a page of the extension is open', async () => {
  const { worker } = await settledIn();
  worker.shown.pagesOpen = 1;
  worker.offerUpdate();
  await worker.open();
  await expectReloads(worker, 0);
  worker.shown.pagesOpen = 0;
  await worker.open();
  await expect.poll(() => worker.shown.reloads).toBe(1);
  await expectReloads(worker, 1);
});

test('an update leaves the popup open that shows the end of a sign-in', async () => {
  const { worker, window } = await signingIn();
  worker.offerUpdate();
  worker.approve(window);
  await worker.expectSession(adaIsSignedIn);
  await expect.poll(() => worker.shown.popups).toBe(1);
  await expectReloads(worker, 0);
});

test('an update waits for work that begins while the open pages are counted', async () => {
  const { worker, script, clock } = await settledIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => new Promise<Response>(() => undefined) };
  vi.spyOn(worker.browser.runtime, 'getContexts').mockImplementationOnce(async () => {
    await worker.open();
    await expect.poll(() => worker.count('/token')).toBe(2);
    return [];
  });
  worker.offerUpdate();
  await expect.poll(() => worker.count('/token')).toBe(2);
  await expectReloads(worker, 0);
});

test('with sessions in memory an update is left to the browser', async () => {
  const { worker } = await settledIn({ persistence: 'browser' });
  worker.offerUpdate();
  await worker.open();
  await expectReloads(worker, 0);
  await worker.signOut();
  await expectReloads(worker, 0);
});
