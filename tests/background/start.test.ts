// A starting worker makes a page wait as little as possible.

import { expect, test, vi } from 'vitest';
import { signOutMarkKey } from '../../src/background/storage.ts';
import { deferred } from '../support/deferred.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { issuer } from '../support/scripted-provider.ts';
import { adaIsSignedIn, signedIn, setUpWorker } from '../support/worker-setup.ts';

test('a worker that starts writes nothing before something happens: windows of other pages wake it too', async () => {
  const { worker } = await signedIn();
  // The toolbar follows the board.
  await expect
    .poll(() => worker.memory.items.get('toolbar'))
    .toMatchObject({ button: { icon: 'signed-in' } });
  worker.restartWorker();
  const writes: unknown[] = [];
  for (const area of [worker.local, worker.memory])
    area.onChanged.addListener((change) => writes.push(change));
  await worker.rest();
  expect(writes).toEqual([]);
});

test.each(['sign-in', 'sign-out'])(
  'a worker that starts after a %s leaves the board as it is',
  async (after) => {
    const { worker } = await signedIn({ metadata: { end_session_endpoint: `${issuer}/logout` } });
    if (after === 'sign-out') await worker.signOut();
    expect(worker.readBoard()?.providers).toMatchObject([{ endsSession: true }]);
    await worker.rest();
    const written = worker.watchBoards();
    worker.restartWorker();
    expect(await worker.open()).toEqual({ ok: true });
    expect(written).toEqual([]);
  },
);

test('a worker that starts accepts no page before it could write the board', async () => {
  const { worker } = await signedIn();
  await worker.rest();
  worker.local.failure = new Error('The disk is full.');
  worker.restartWorker({ name: 'Another name' });
  const refused = { ok: false, problem: { code: 'storage-failed' } };
  for (let pages = 0; pages < 2; pages += 1) expect(await worker.open()).toMatchObject(refused);
  worker.local.failure = null;
  expect(await worker.open()).toEqual({ ok: true });
  expect(worker.readBoard()).toMatchObject({
    providers: [{ name: 'Another name' }],
    session: { status: 'signed-in' },
  });
});

test('a worker that starts asks for all that it needs before it knows the policy', async () => {
  const managed = new FakeManagedStorage();
  managed.installType = 'development';
  const worker = setUpWorker({ managed });
  await worker.signIn();
  const asked = new Set<string>();
  const mayAnswer = deferred<void>();
  for (const [name, area] of Object.entries({ local: worker.local, memory: worker.memory })) {
    const { get } = area;
    area.get = async (keys) => {
      asked.add(name);
      if (name === 'local') await mayAnswer.promise;
      return get.call(area, keys);
    };
  }
  worker.disk.gate = () => {
    asked.add('database');
    return Promise.resolve();
  };
  worker.restartWorker();
  const reply = worker.open();
  await expect.poll(() => [...asked].toSorted()).toEqual(['database', 'local', 'memory']);
  mayAnswer.resolve();
  expect(await reply).toEqual({ ok: true });
});

test('a worker that is woken before a click restores the session, and leaves a notice alone', async () => {
  const worker = setUpWorker();
  (await worker.begin()).close();
  await worker.untilSettled();
  expect(worker.session()).toMatchObject({ problem: { code: 'cancelled' } });
  const written = worker.watchBoards();
  worker.restartWorker({ name: 'Another name' });
  expect(await worker.send({ type: 'prepare' })).toEqual({ ok: true });
  await expect
    .poll(() => written)
    .toMatchObject([{ providers: [{ name: 'Another name' }], session: { problem: { code: 'cancelled' } } }]);
});

test('a board that was cleared under a living worker is there again when a page opens', async () => {
  const { worker } = await signedIn();
  await worker.rest();
  const board = worker.readBoard();
  worker.local.items.clear();
  expect(await worker.open()).toEqual({ ok: true });
  expect(worker.readBoard()).toEqual(board);
});

test.each(['x', { version: 0 }, { version: 2, session: 'x' }])(
  'a board that is damaged or of another version, %j, is written anew by the next worker',
  async (board) => {
    const { worker } = await signedIn();
    worker.local.items.set('board', board);
    await worker.reopen();
    await worker.expectSession(adaIsSignedIn);
  },
);

test('sessions on the device need nothing of the browser’s memory', async () => {
  const worker = setUpWorker();
  worker.memory.failure = new Error('The memory is broken.');
  expect((await worker.signIn()).session).toMatchObject({ status: 'signed-in', problem: null });
});

test('a mark of a sign-out that cannot be removed refuses no start', async () => {
  const { worker } = await signedIn();
  await worker.rest();
  worker.local.items.set(signOutMarkKey, true);
  const remove = vi
    .spyOn(worker.browser.storage.local, 'remove')
    .mockRejectedValue(new Error('The disk is full.'));
  await worker.reopen();
  expect(worker.session()?.status).toBe('signed-out');
  expect((await worker.signIn()).session.status).toBe('signed-in');
  // It must not end the new session.
  remove.mockRestore();
  await worker.openAfter(24 * 3_600_000);
  await worker.rest();
  await worker.reopen();
  expect(worker.session()?.status).toBe('signed-in');
});
