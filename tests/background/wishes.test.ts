// A wish takes effect in the turn in which it arrives, whatever the worker is waiting for.

import { expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { signedIn, signingIn, setUpWorker } from '../support/worker-setup.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { issuer } from '../support/scripted-provider.ts';

test('a cancel counts at once, also if the answer arrives while the worker looks for its window', async () => {
  const { worker, window } = await signingIn();
  const looked = deferred<never[]>();
  vi.spyOn(worker.browser.tabs, 'query').mockImplementation(() => looked.promise);
  const cancelled = worker.cancel();
  await worker.rest();
  worker.approve(window);
  await worker.rest();
  looked.resolve([]);
  expect(await cancelled).toEqual({ ok: true });
  await worker.rest();
  expect(worker.session()?.status).toBe('signed-out');
  expect(worker.count('/token')).toBe(0);
});

test('a sign-out counts at once, also if an earlier write of the board hangs', async () => {
  const { worker } = await signedIn();
  await worker.rest();
  const written = deferred<void>();
  const write = vi.spyOn(worker.browser.storage.local, 'set').mockImplementation(() => written.promise);
  onTestFinished(() => write.mockRestore());
  void worker.send({ type: 'use-another-account' });
  await worker.rest();
  void worker.signOut();
  await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason: 'signed-out' });
  expect(worker.api.calls).toEqual([]);
});

test('a page is told of a storage that never answers, before it takes the worker for dead', async () => {
  const { worker } = await signedIn();
  await worker.rest();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(worker.browser.storage.local, 'set').mockImplementation(() => new Promise(() => undefined));
  const commands = [
    { type: 'use-another-account' },
    { type: 'cancel' },
    { type: 'sign-out', everywhere: false },
    { type: 'open' },
  ] as const;
  const replies = commands.map((command) => worker.send(command));
  await vi.advanceTimersByTimeAsync(9_000);
  for (const reply of await Promise.all(replies))
    if (!reply.ok) expect(reply.problem.code).toBe('storage-failed');
});

test('a sign-in that is cancelled while it waits for the former window pushes no request', async () => {
  const metadata = {
    pushed_authorization_request_endpoint: `${issuer}/par`,
    require_pushed_authorization_requests: true,
  };
  const worker = setUpWorker({ script: { metadata } });
  const former = await worker.begin();
  await worker.cancel();
  const pushed = worker.count('/par');
  void worker.send({ type: 'sign-in', providerId: 'scripted' });
  await worker.rest();
  await worker.cancel();
  former.close();
  await worker.rest();
  expect(worker.count('/par')).toBe(pushed);
});
