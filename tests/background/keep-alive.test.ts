import { beforeEach, expect, test, vi } from 'vitest';
import { createWork } from '../../src/background/work.ts';
import { deferred } from '../support/deferred.ts';

beforeEach(() => void vi.useFakeTimers());
function setUp() {
  const touch = vi.fn<() => void>();
  return { touch, work: createWork(touch) };
}

test('the browser is called every 20 s while short pieces of work follow each other', async () => {
  const { touch, work } = setUp();
  for (let count = 0; count < 4; count += 1) {
    const piece = deferred<void>();
    void work.track(piece.promise);
    await vi.advanceTimersByTimeAsync(15_000);
    piece.resolve();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(touch).toHaveBeenCalledTimes(4);
});

test('a thousand short pieces of work cost one call', async () => {
  const { touch, work } = setUp();
  for (let count = 0; count < 1000; count += 1) await work.track(Promise.resolve());
  expect(touch).toHaveBeenCalledTimes(1);
});

test('a wait for the user does not call the browser, and the rest of the work does', async () => {
  const { touch, work } = setUp();
  const [window, redemption] = [deferred<void>(), deferred<void>()];
  void work.track(work.waitForUser(window.promise).then(() => redemption.promise));
  await vi.advanceTimersByTimeAsync(20_000);
  touch.mockClear();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([touch.mock.calls.length, vi.getTimerCount(), work.isIdle()]).toEqual([0, 0, false]);

  const renewal = deferred<void>();
  void work.track(renewal.promise);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(touch).toHaveBeenCalledTimes(2);
  renewal.resolve();

  window.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(touch).toHaveBeenCalledTimes(5);
  redemption.resolve();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([vi.getTimerCount(), work.isIdle()]).toEqual([0, true]);
});
