import { expect, test } from 'vitest';
import { singleFlight } from '../../src/concurrency.ts';
import { deferred } from '../support/deferred.ts';

test('calls during a run join it, whatever their arguments', async () => {
  const asked: string[] = [];
  const answer = deferred<string>();
  const ask = singleFlight((name: string) => (asked.push(name), answer.promise));
  const both = Promise.all([ask('first'), ask('second')]);
  answer.resolve('once');
  expect(await both).toEqual(['once', 'once']);
  expect(asked).toEqual(['first']);
});

test.each([
  ['succeeded', async () => 'ok'],
  ['failed', () => Promise.reject(new Error('offline'))],
])('a call after a run that %s starts another', async (_title, work) => {
  let runs = 0;
  const ask = singleFlight(() => ((runs += 1), work()));
  await ask().catch(() => undefined);
  await ask().catch(() => undefined);
  expect(runs).toBe(2);
});
