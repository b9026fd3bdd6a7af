import { beforeEach, describe, expect, test, vi } from 'vitest';
import { withTimeout } from '../../src/concurrency.ts';

const never = () => new Promise<never>(() => undefined);

describe('withTimeout', () => {
  beforeEach(() => void vi.useFakeTimers());
  test('settles as the work does, and leaves no timer behind', async () => {
    await expect(withTimeout(Promise.resolve('done'), 1000, () => 'late')).resolves.toBe('done');
    const failed = withTimeout(Promise.reject(new Error('failed')), 1000, () => 'late');
    await expect(failed).rejects.toThrow('failed');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('resolves with what onTimeout returns when the work takes longer', async () => {
    const waited = withTimeout(never(), 1000, () => 'late');
    await vi.advanceTimersByTimeAsync(1000);
    await expect(waited).resolves.toBe('late');
  });

  test('rejects with what onTimeout throws when the work takes longer', async () => {
    const waited = withTimeout(never(), 1000, () => {
      throw new Error('too late');
    });
    await Promise.all([expect(waited).rejects.toThrow('too late'), vi.advanceTimersByTimeAsync(1000)]);
  });
});
