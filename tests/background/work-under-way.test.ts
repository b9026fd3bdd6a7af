// Each kind of work keeps the worker running. An update of the extension waits for it, and for everything else that it would disturb.

import { beforeEach, expect, test, vi } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { byCode, deviceScript, pending } from '../support/device-scene.ts';
import {
  adaIsSignedIn,
  discovery,
  expectUpdate,
  hour,
  signedIn,
  signingIn,
  type WorkerSetup,
  setUpWorker,
  type Scene,
  type Worker,
} from '../support/worker-setup.ts';
import type { FakeWindow } from '../support/fake-browser.ts';
import { settled } from '../support/port-pair.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { provider as scripted } from '../support/scripted-provider.ts';
import { ProblemError } from '../../src/session/problem.ts';

const minute = 60_000;
/** With a picture the profile is complete, so UserInfo is not requested. */
const complete = () => ({ claims: { picture: 'https://pictures.example/ada.png' } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

/** The calls of the browser's API in the next minute whose only purpose is to keep the worker running. */
async function callsInAMinute({ shown }: Worker): Promise<number> {
  const before = shown.calls;
  await vi.advanceTimersByTimeAsync(minute);
  return shown.calls - before;
}

async function expectReloads({ shown, rest }: Worker, reloads: number): Promise<void> {
  await rest();
  expect(shown.reloads).toBe(reloads);
}

/** Makes the provider's `path` hang until `late` is resolved. `asked` resolves with the first request. */
function hang(scene: Scene, path: string) {
  const [late, asked] = [deferred<Response>(), deferred<void>()];
  scene.script.answers = {
    [path]: () => {
      asked.resolve();
      return late.promise;
    },
  };
  return { late, asked: asked.promise };
}

/** A scene in which Ada is signed in, and everything that her sign-in has begun has ended. */
async function settledIn(setup: WorkerSetup = {}): Promise<Scene> {
  const scene = await signedIn(complete(), setup);
  await expect.poll(() => scene.worker.shown.popups).toBe(1);
  scene.worker.closePopup();
  await settled();
  return scene;
}

async function withStaleTokens(): Promise<Scene> {
  const scene = await settledIn();
  scene.clock.nowMs += hour;
  return scene;
}

/** Begins a piece of work that hangs. Resolves with what ends it. */
type Begin = () => Promise<{ scene: Scene; end: () => void }>;

const hangingAt =
  (path: string, prepare: () => Promise<Scene> | Scene, begin: (scene: Scene) => unknown): Begin =>
  async () => {
    const scene = await prepare();
    const { late, asked } = hang(scene, path);
    await begin(scene);
    await asked;
    return { scene, end: () => late.resolve(new Response()) };
  };

/** A request of a feature whose API answers late. */
const requesting =
  (place: 'page' | 'worker'): Begin =>
  async () => {
    let inWorker: typeof fetch | undefined;
    const scene = await signedIn(complete(), { startFeature: ({ fetch }) => void (inWorker = fetch) });
    const late = deferred<Response>();
    scene.worker.api.answer = () => late.promise;
    const answer = (place === 'page' ? scene.worker.fetch : inWorker!)(`${apiOrigin}/things`);
    await expect.poll(() => scene.worker.api.calls).toHaveLength(1);
    const end = () => {
      late.resolve(new Response('done'));
      void answer.then((response) => response.text());
    };
    return { scene, end };
  };

const works: Readonly<Record<string, Begin>> = {
  'a renewal that a popup has started': hangingAt('/token', withStaleTokens, ({ worker }) => worker.open()),
  async 'a renewal for a feature’s page that has closed'() {
    const scene = await withStaleTokens();
    const { late, asked } = hang(scene, '/token');
    void scene.worker.fetch(`${apiOrigin}/things`).catch(() => undefined);
    await asked;
    scene.worker.page.end();
    await settled();
    return { scene, end: () => late.resolve(new Response()) };
  },
  'a request of the provider’s metadata before the window': hangingAt(discovery, setUpWorker, ({ worker }) =>
    worker.send({ type: 'sign-in', providerId: 'scripted' }),
  ),
  async 'the revocation of a token that could not be stored'() {
    const { scene, end } = await hangingAt('/revoke', signingIn, ({ worker }) => {
      worker.disk.failure = new ProblemError('storage-failed');
      worker.approve(worker.windows[0]!);
    })();
    const mend = () => {
      scene.worker.disk.failure = null;
      end();
    };
    return { scene, end: mend };
  },
  async 'a code that waits for the user'() {
    const scene = setUpWorker({ script: deviceScript(pending), providers: [byCode] });
    await scene.worker.send({ type: 'sign-in', providerId: 'scripted' });
    return { scene, end: () => void scene.worker.cancel() };
  },
  async 'a silent sign-in'() {
    const scene = await signedIn({ ...complete(), token: { refresh_token: undefined } });
    const late = deferred<string>();
    scene.worker.silence.answer = () => late.promise;
    await scene.worker.openAfter(hour);
    await expect.poll(() => scene.worker.silence.urls).toHaveLength(1);
    return { scene, end: () => late.reject(new Error('Authorization page could not be loaded.')) };
  },
  'a request of a feature’s page': requesting('page'),
  'a request of a feature’s worker': requesting('worker'),
  async 'a request of a feature’s worker whose body is still to come'() {
    let inWorker: typeof fetch | undefined;
    const scene = await signedIn(complete(), { startFeature: ({ fetch }) => void (inWorker = fetch) });
    await scene.worker.rest();
    let controller!: ReadableStreamDefaultController; // Set by `start`, which the constructor of the stream calls.
    const body = new ReadableStream({ start: (given) => void (controller = given) });
    const answer = inWorker!(`${apiOrigin}/things`, { method: 'POST', body });
    const end = () => {
      controller.close();
      void answer.then((response) => response.text());
    };
    return { scene, end };
  },
};

test.each(Object.entries(works))(
  '%s keeps the worker running, and delays an update',
  async (_title, begin) => {
    const { scene, end } = await begin();
    const { worker } = scene;
    expect(await callsInAMinute(worker)).toBe(3);
    // An open page would delay it as well.
    worker.closePopup();
    worker.offerUpdate();
    await expectReloads(worker, 0);
    end();
    await settled();
    await expect.poll(() => callsInAMinute(worker)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    await expectUpdate(worker);
  },
);

test.each<[string, () => Promise<{ worker: Worker; window: FakeWindow }>]>([
  ['sign-in', signingIn],
  [
    'sign-out',
    async () => {
      const metadata = { end_session_endpoint: `${scripted.issuer}/logout` };
      const { worker } = await signedIn({ ...complete(), metadata });
      return { worker, window: await worker.beginShown({ type: 'sign-out', everywhere: true }) };
    },
  ],
])('an open %s window delays an update, and does not keep the worker running', async (_title, open) => {
  const { worker, window } = await open();
  await expect.poll(() => callsInAMinute(worker)).toBe(0);
  worker.offerUpdate();
  await expectReloads(worker, 0);
  window.close();
  await expectUpdate(worker);
});

test('an update is applied at once while the extension is not in use, and once for two offers', async () => {
  const { worker } = await settledIn();
  worker.offerUpdate();
  worker.offerUpdate();
  await expectReloads(worker, 1);
});

test('an update waits while a page of the extension is open, and is applied once', async () => {
  const { worker } = await settledIn();
  worker.shown.pagesOpen = 1;
  worker.offerUpdate();
  await worker.open();
  await expectReloads(worker, 0);
  worker.shown.pagesOpen = 0;
  await worker.open();
  await expect.poll(() => worker.shown.reloads).toBe(1);
  await worker.showWindow();
  await expectReloads(worker, 1);
});

test('an update leaves the popup open that shows the end of a sign-in', async () => {
  const { worker, window } = await signingIn();
  worker.offerUpdate();
  worker.approve(window);
  await worker.expectSession(adaIsSignedIn);
  await expect.poll(() => worker.shown.popups).toBe(1);
  await worker.showWindow();
  await expectReloads(worker, 0);
});

test('an update waits for work that begins while the open pages are counted', async () => {
  const scene = await withStaleTokens();
  const { worker } = scene;
  const { asked } = hang(scene, '/token');
  vi.spyOn(worker.browser.runtime, 'getContexts').mockImplementationOnce(async () => {
    await worker.open();
    await asked;
    return [];
  });
  worker.offerUpdate();
  await asked;
  await expectReloads(worker, 0);
});

test('renewed tokens that cannot be stored are used, and delay an update', async () => {
  const { worker, script } = await withStaleTokens();
  script.answers = {
    '/token': () => {
      worker.disk.failure = new ProblemError('storage-failed');
      return Response.json({ access_token: 'access-2', token_type: 'Bearer', refresh_token: 'refresh-2' });
    },
  };
  await worker.open();
  await worker.expectSession({ status: 'signed-in', problem: null });
  worker.offerUpdate();
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
