// The feature's half in the worker: what it gets, and what its faults cannot do.

import { expect, test, vi } from 'vitest';
import { startFeatureWorker } from '../../../src/background/feature/feature-worker.ts';
import { maxRequestBytes } from '../../../src/bridge/fetch/protocol.ts';
import { createCurrentUser } from '../../../src/background/session/current-user.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import startShipped from '../../../src/feature/worker.ts';
import type { Profile } from '../../../src/session/session.ts';
import { provider as scripted, type Script } from '../../support/scripted-provider.ts';
import { apiOrigin } from '../../support/scripted-api.ts';
import { setUpWorker } from '../../support/worker-setup.ts';

const provider = { ...scripted, apiOrigins: [apiOrigin] };

/** A worker with a feature that notes who it is told of, and what it got. */
function setUp(script: Script = {}) {
  const told: (string | null)[] = [];
  const given: { props: FeatureWorkerProps | null } = { props: null };
  const startFeature = (props: FeatureWorkerProps) => {
    given.props = props;
    props.onSession((user: Profile | null) => void told.push(user?.subject ?? null));
  };
  return { worker: setUpWorker({ script, providers: [provider], startFeature }), told, given };
}

type Worker = ReturnType<typeof setUpWorker>;

async function signInAs(subject: string, worker: Worker, script: Script): Promise<void> {
  script.claims = { sub: subject };
  await worker.send({ type: 'use-another-account' });
  worker.approve(await worker.nextWindow());
  await worker.boardWhere(
    ({ session }) => session.status === 'signed-in' && session.profile.subject === subject,
  );
}

test('it is told who is signed in: once at the start, and then at each change of person', async () => {
  const script: Script = {};
  const { worker, told } = setUp(script);
  await expect.poll(() => told).toEqual([null]);

  await worker.signIn();
  await expect.poll(() => worker.provider.paths()).toContain('/userinfo');
  await worker.send({ type: 'open' });
  await worker.send({ type: 'use-another-account' });
  (await worker.nextWindow()).close();
  await worker.boardWhere(({ session }) => session.status === 'signed-in' && session.problem !== null);
  expect(told).toEqual([null, 'ada']);

  await signInAs('grace', worker, script);
  expect(told).toEqual([null, 'ada', 'grace']);
  await worker.send({ type: 'sign-out', everywhere: false });
  expect(told).toEqual([null, 'ada', 'grace', null]);
});

test('a worker that starts again tells it again, and wakes nobody for it', async () => {
  const { worker, told } = setUp();
  await worker.signIn();
  told.length = 0;
  worker.restartWorker();
  await expect.poll(() => told).toEqual(['ada']);
});

test('whoever listens late is told at once', async () => {
  const { worker, given } = setUp();
  await worker.signIn();
  await worker.boardWhere(
    ({ session }) => session.status === 'signed-in' && session.profile.picture !== null,
  );
  const told: (Profile | null)[] = [];
  given.props?.onSession((user) => void told.push(user));
  expect(told).toMatchObject([{ subject: 'ada', picture: 'https://pictures.example/ada.png' }]);
});

test('it fetches as a page does, and waits for the vault', async () => {
  const { worker, given } = setUp();
  await worker.signIn();
  worker.restartWorker();
  worker.api.answer = () => new Response('the answer', { status: 202 });
  const answer = await given.props?.fetch(new URL(`${apiOrigin}/things`), { method: 'POST', body: 'x' });
  expect([answer?.status, answer?.url, await answer?.text()]).toEqual([
    202,
    `${apiOrigin}/things`,
    'the answer',
  ]);
  expect(worker.api.calls).toMatchObject([{ method: 'POST', token: 'access-1', body: 'x' }]);
  await expect(given.props?.fetch('https://evil.example')).rejects.toMatchObject({
    reason: 'origin-not-allowed',
  });
});

test('its requests have the same largest size', async () => {
  const { worker, given } = setUp();
  await worker.signIn();
  const send = (bytes: number) =>
    given.props?.fetch(apiOrigin, { method: 'POST', body: new Uint8Array(bytes) });
  await expect(send(maxRequestBytes + 1)).rejects.toMatchObject({ reason: 'body-too-large' });
  expect(worker.api.calls).toEqual([]);
  expect((await send(maxRequestBytes))?.status).toBe(200);
});

test('a feature that throws is named, and the worker works', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const fault = new Error('of the feature');
  const others: (string | null)[] = [];
  const worker = setUpWorker({
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
  expect(log.mock.calls).toEqual(
    Array.from({ length: 3 }, () => [expect.stringContaining('src/feature/worker.ts'), fault]),
  );
  log.mockRestore();
});

test('the one that is shipped does nothing', () => {
  const props = { fetch: vi.fn(), onSession: vi.fn() };
  startShipped(props);
  expect(props.fetch).not.toHaveBeenCalled();
  expect(props.onSession).not.toHaveBeenCalled();
});

/** The fetch of a half whose requests are answered with `answer`, and the work that keeps the worker running. */
function withAnswer(answer: Promise<Response>) {
  const work: Promise<unknown>[] = [];
  let given: FeatureWorkerProps | null = null;
  startFeatureWorker((props) => (given = props), {
    start: () => Promise.resolve(),
    currentUser: createCurrentUser(),
    authorizedFetch: () => answer,
    keepAlive: (promise) => void work.push(promise),
  });
  return { fetch: (given as unknown as FeatureWorkerProps).fetch, work };
}

test('the worker is kept running until there is an answer, and from the first read of its body to the last', async () => {
  let controller!: ReadableStreamDefaultController;
  const body = new ReadableStream({ start: (given) => void (controller = given) });
  const { fetch, work } = withAnswer(Promise.resolve(new Response(body, { status: 206 })));
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

test('a body that is not wanted any more is cancelled, and one that breaks off breaks off', async () => {
  const cancelled = vi.fn();
  const wanted = withAnswer(Promise.resolve(new Response(new ReadableStream({ cancel: cancelled }))));
  await (await wanted.fetch(apiOrigin)).body?.cancel('enough');
  expect(cancelled).toHaveBeenCalledWith('enough');

  const fault = new Error('cut');
  const broken = withAnswer(
    Promise.resolve(new Response(new ReadableStream({ pull: (controller) => controller.error(fault) }))),
  );
  const reader = (await broken.fetch(apiOrigin)).body?.getReader();
  await expect(reader?.read()).rejects.toBe(fault);
  await expect(broken.work[1]).rejects.toBe(fault);
});
