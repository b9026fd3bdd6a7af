// The feature's own part of the worker: its props, and the limits of its failures.

import { expect, onTestFinished, test, vi } from 'vitest';
import { startFeatureWorker } from '../../../src/background/feature/feature-worker.ts';
import { maxRequestBytes } from '../../../src/bridge/fetch/protocol.ts';
import { maxRestMs } from '../../../src/bridge/fetch/reading.ts';
import { createCurrentUser } from '../../../src/background/session/current-user.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { Profile } from '../../../src/session/session.ts';
import { apiOrigin } from '../../support/scripted-api.ts';
import { setUpWorker, type Worker, type WorkerSetup } from '../../support/worker-setup.ts';

/** A worker with a feature that records its props and the calls of its listener. */
function setUp() {
  const seen: (string | null)[] = [];
  const given: { props: FeatureWorkerProps | null } = { props: null };
  const startFeature = (props: FeatureWorkerProps) => {
    given.props = props;
    props.onSession((user: Profile | null) => void seen.push(user?.subject ?? null));
  };
  return { worker: setUpRestingWorker({ startFeature }), seen, given };
}

/** A worker that has finished before the next test begins: that may count timers. */
function setUpRestingWorker(setup: WorkerSetup): Worker {
  const worker = setUpWorker(setup);
  onTestFinished(() => worker.rest());
  return worker;
}

test('onSession calls the listener with the signed-in person at the start and at each change of person', async () => {
  const { worker, seen } = setUp();
  await expect.poll(() => seen).toEqual([null]);

  await worker.signIn();
  await expect.poll(() => worker.provider.paths()).toContain('/userinfo');
  await worker.open();
  (await worker.begin({ type: 'use-another-account' })).close();
  await worker.expectSession({ status: 'signed-in', problem: { code: 'cancelled' } });
  expect(seen).toEqual([null, 'ada']);

  worker.script.claims = { sub: 'grace' };
  await worker.agreeTo({ type: 'use-another-account' });
  expect(seen).toEqual([null, 'ada', 'grace']);
  await worker.signOut();
  expect(seen).toEqual([null, 'ada', 'grace', null]);
});

test('a restarted worker calls the listener again', async () => {
  const { worker, seen } = setUp();
  await worker.signIn();
  seen.length = 0;
  worker.restartWorker();
  await expect.poll(() => seen).toEqual(['ada']);
});

test('onSession calls a late listener at once', async () => {
  const { worker, given } = setUp();
  await worker.signIn();
  await worker.expectSession({ profile: { picture: 'https://pictures.example/ada.png' } });
  const seen: (Profile | null)[] = [];
  given.props?.onSession((user) => void seen.push(user));
  expect(seen).toMatchObject([{ subject: 'ada', picture: 'https://pictures.example/ada.png' }]);
});

test("the feature's fetch in the worker works as on a page, and waits for the vault", async () => {
  const { worker, given } = setUp();
  await worker.signIn();
  worker.restartWorker();
  worker.api.answer = () => new Response('the answer', { status: 202 });
  const answer = await given.props?.fetch(new URL(`${apiOrigin}/things`), { method: 'POST', body: 'x' });
  expect(answer).toMatchObject({ status: 202, url: `${apiOrigin}/things` });
  expect(await answer?.text()).toBe('the answer');
  expect(worker.api.calls).toMatchObject([{ method: 'POST', token: 'access-1', body: 'x' }]);
  const refused = { reason: 'origin-not-allowed' };
  await expect(given.props?.fetch('https://evil.example')).rejects.toMatchObject(refused);
});

test("the feature's fetch in the worker has the same maximum request size", async () => {
  const { worker, given } = setUp();
  await worker.signIn();
  const send = (bytes: number) =>
    given.props?.fetch(apiOrigin, { method: 'POST', body: new Uint8Array(bytes) });
  await expect(send(maxRequestBytes + 1)).rejects.toMatchObject({ reason: 'body-too-large' });
  expect(worker.api.calls).toEqual([]);
  expect((await send(maxRequestBytes))?.status).toBe(200);
});

test('a feature that throws is printed on the console, and the worker works', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const fault = new Error('of the feature');
  const others: (string | null)[] = [];
  const worker = setUpRestingWorker({
    startFeature: ({ onSession }) => {
      onSession(() => {
        throw fault;
      });
      onSession((user) => void others.push(user?.subject ?? null));
      throw fault;
    },
  });
  expect((await worker.signIn()).session.status).toBe('signed-in');
  expect(others).toEqual([null, 'ada']);
  const printed = [expect.stringContaining('startFeature'), fault];
  expect(log.mock.calls).toEqual([printed, printed, printed]);
});

/** The feature's fetch with `body` as its response, and the work that keeps the worker running. */
function withAnswer(body: ReadableStream, status = 200) {
  const work: Promise<unknown>[] = [];
  let given: FeatureWorkerProps | null = null;
  startFeatureWorker((props) => (given = props), {
    start: () => Promise.resolve(),
    currentUser: createCurrentUser(),
    authorizedFetch: () => Promise.resolve(new Response(body, { status })),
    keepAlive: (promise) => void work.push(promise),
  });
  return { fetch: (given as unknown as FeatureWorkerProps).fetch, work };
}

test('a request keeps the worker running until its response, and from the first read of the body to the last', async () => {
  let controller!: ReadableStreamDefaultController;
  const body = new ReadableStream({ start: (given) => void (controller = given) });
  const { fetch, work } = withAnswer(body, 206);
  const answer = await fetch(`${apiOrigin}/things`);
  expect(work).toHaveLength(1);
  await expect(work[0]).resolves.toBeInstanceOf(Response);

  const text = answer.text();
  await expect.poll(() => work).toHaveLength(2);
  const over = vi.fn();
  void work[1]?.then(over);
  controller.enqueue(new TextEncoder().encode('all '));
  controller.enqueue(new TextEncoder().encode('of it'));
  await Promise.resolve();
  expect(over).not.toHaveBeenCalled();
  controller.close();
  expect([answer.status, await text]).toEqual([206, 'all of it']);
  await work[1];
  expect(work).toHaveLength(2);
});

test('a cancelled body cancels its source, and a broken source breaks the body', async () => {
  const cancelled = vi.fn();
  const wanted = withAnswer(new ReadableStream({ cancel: cancelled }));
  await (await wanted.fetch(apiOrigin)).body?.cancel('enough');
  expect(cancelled).toHaveBeenCalledWith('enough');

  const fault = new Error('cut');
  const broken = withAnswer(new ReadableStream({ pull: (controller) => controller.error(fault) }));
  const reader = (await broken.fetch(apiOrigin)).body?.getReader();
  await expect(reader?.read()).rejects.toBe(fault);
  await broken.work[1];
});

test('a body that is read once and then dropped keeps the worker running for five minutes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const chunks = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) });
  const { fetch, work } = withAnswer(chunks);
  const reader = (await fetch(apiOrigin)).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  expect(work).toHaveLength(2);
  const over = vi.fn<() => void>();
  void work[1]?.then(over);
  await vi.advanceTimersByTimeAsync(maxRestMs - 1);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);

  expect((await reader?.read())?.done).toBe(false);
  expect(work).toHaveLength(3);
});
