// The same steps again and again in one worker: it keeps no more in memory than after the first times.

import { beforeEach, expect, test, vi } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { hour, signedIn, type Scene } from '../support/worker-setup.ts';
import { countKept } from '../support/kept.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { provider as scripted } from '../support/scripted-provider.ts';

/** Enough that one that is kept each time shows: what Node itself keeps and drops is less than half of it. */
const times = 20;

const newScene = (settings: Partial<Provider> = {}) =>
  signedIn(
    {
      claims: { picture: 'https://pictures.example/ada.png' },
      metadata: { dpop_signing_alg_values_supported: ['ES256'] },
    },
    { providers: [{ ...scripted, apiOrigins: [apiOrigin], ...settings }] },
  );

async function signInAgain({ worker }: Scene): Promise<void> {
  await worker.signOut();
  await worker.rest();
  expect((await worker.signIn()).session.status).toBe('signed-in');
  await worker.rest();
}

/** `firstTimes` fill what has a maximum, such as the secrets that are remembered. */
const steps: [string, firstTimes: number, Partial<Provider>, (scene: Scene) => Promise<unknown>][] = [
  [
    'renewals',
    110,
    {},
    async ({ worker, script }) => {
      script.claims = { nonce: undefined };
      await worker.openAfter(hour);
      await worker.rest();
    },
  ],
  [
    'renewals that fail',
    110,
    {},
    async ({ worker, clock, script }) => {
      const answer = { error: 'temporarily_unavailable', error_description: `no ${clock.nowMs}` };
      script.answers = { '/token': Response.json(answer, { status: 400 }) };
      await worker.openAfter(hour);
      await worker.rest();
      // The lines for the console are the scene's.
      worker.told.splice(0);
    },
  ],
  ["a feature's requests", 20, {}, async ({ worker }) => (await worker.fetch(`${apiOrigin}/things`)).text()],
  ['sign-ins', 30, { dpop: 'required' }, signInAgain],
  [
    'sign-ins that are cancelled',
    30,
    {},
    async ({ worker }) => {
      await worker.beginShown();
      await worker.cancel();
      await worker.rest();
    },
  ],
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  // The platform keeps such a signal until its time is over.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

test.each(steps)('%s leave nothing behind in the worker', async (_title, firstTimes, settings, step) => {
  const scene = await newScene(settings);
  const counts: number[] = [];
  for (const repeats of [firstTimes, times, times]) {
    for (let time = 0; time < repeats; time += 1) await step(scene);
    // The worker looks for a sign-in window for some seconds.
    await vi.advanceTimersByTimeAsync(60_000);
    forgetRecords(scene);
    counts.push(await countKept());
  }
  const growth = counts.slice(1).map((count, index) => count - (counts[index] ?? 0));
  // An object that is kept each time is kept in both turns.
  expect(Math.min(...growth), `kept: ${counts.join(', ')}`).toBeLessThan(times / 2);
});

/** Empties what the fakes have written down for the tests. */
function forgetRecords({ worker }: Scene): void {
  const records: readonly (readonly unknown[])[] = [
    worker.provider.requests,
    worker.api.calls,
    worker.windows,
    worker.loads,
    worker.silence.urls,
  ];
  for (const record of records) (record as unknown[]).length = 0;
  vi.clearAllMocks();
}
