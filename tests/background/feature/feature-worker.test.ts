// The feature's own part of the worker: its props, and the limits of its failures.

import { expect, onTestFinished, test, vi } from 'vitest';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';
import type { Profile } from '../../../src/session/view.ts';
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

test('onSession calls the listener with the signed-in user at the start and at each change of user', async () => {
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
