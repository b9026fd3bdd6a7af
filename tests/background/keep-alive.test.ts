import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeepAlive } from '../../src/background/keep-alive.ts';
import { deferred } from '../support/deferred.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('createKeepAlive calls the browser every 20 s while any work is open, and not otherwise', async () => {
  const touch = vi.fn<() => void>();
  const keepAlive = createKeepAlive(touch);
  expect(vi.getTimerCount()).toBe(0);

  const [one, other] = [deferred<void>(), deferred<void>()];
  keepAlive(one.promise);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(touch).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(touch).toHaveBeenCalledTimes(1);

  keepAlive(other.promise);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(touch).toHaveBeenCalledTimes(2);

  one.resolve();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(touch).toHaveBeenCalledTimes(3);

  other.reject(new Error('Failed.'));
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);

  keepAlive(deferred<void>().promise);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(touch).toHaveBeenCalledTimes(4);
});
