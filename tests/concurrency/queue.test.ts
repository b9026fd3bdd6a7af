import { expect, test } from 'vitest';
import { createQueue } from '../../src/concurrency.ts';
import { deferred } from '../support/deferred.ts';

test('a queue starts the next work when the one before has ended', async () => {
  const queue = createQueue();
  const first = deferred<string>();
  const started: string[] = [];
  const ended = Promise.all([
    queue(() => (started.push('first'), first.promise)),
    queue(async () => (started.push('second'), 'b')),
  ]);
  await Promise.resolve();
  expect(started).toEqual(['first']);
  first.resolve('a');
  expect(await ended).toEqual(['a', 'b']);
  expect(started).toEqual(['first', 'second']);
});

test('work that fails rejects for its own caller, and the next work runs', async () => {
  const queue = createQueue();
  const failed = queue(() => Promise.reject(new Error('full disk')));
  const next = queue(async () => 'next');
  await expect(failed).rejects.toThrow('full disk');
  expect(await next).toBe('next');
});
