// Limits the code that you read to follow the worker through its trips. `npm run trips` prints the figures.

import { beforeAll, expect, test, vi } from 'vitest';
import { apiOrigin } from '../support/scripted-api.ts';
import { provider } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';
import { trace } from './trace.ts';

const worker = setUpWorker({ providers: [{ ...provider, apiOrigins: [apiOrigin] }] });
const fetchText = async () => (await worker.fetch(`${apiOrigin}/me`)).text();

beforeAll(async () => {
  await worker.open();
  await worker.rest();
});

// Seconds after a click the worker looks for its window once more, which on a busy machine would fall into any trip.
const startTimer = setTimeout;
vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => startTimer(run, ms < 1_000 ? ms : 2 ** 31 - 1));

/** Each trip begins where the one before has ended. The figures limit its functions and its changes of file. */
const trips: readonly (readonly [string, number, number, () => Promise<unknown>])[] = [
  ['click', 366, 311, () => worker.signIn()],
  ['fetch', 127, 93, fetchText],
  [
    'renewal',
    298,
    226,
    () => {
      worker.clock.nowMs += 3_600_000;
      return fetchText();
    },
  ],
  ['sign-out', 209, 180, () => worker.signOut()],
  ['start', 277, 271, () => worker.reopen()],
];

test.for(trips)('%s', async ([, functions, changesOfFile, run], { task }) => {
  const trip = await trace(async () => {
    await run();
    await worker.rest();
  });
  task.meta.trip = trip;
  expect(trip.files).toBeGreaterThan(10);
  expect(trip.functions).toBeLessThanOrEqual(functions);
  expect(trip.changesOfFile).toBeLessThanOrEqual(changesOfFile);
});
