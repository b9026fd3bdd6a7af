// The requests of an hour in which nobody does anything, counted on a clock that the measurement moves.

import { mock } from 'node:test';
import { setUpWorker } from '../support/worker-setup.ts';
import type { Measured } from './results.ts';

const hourMs = 60 * 60 * 1_000;

export async function measureIdleHour(): Promise<Measured> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() });
  try {
    const worker = setUpWorker();
    const { session } = await whileTimePasses(worker.signIn());
    if (session.status !== 'signed-in') throw new Error(`The worker is ${session.status}.`);
    await passTime(1_000, 10);
    const before = worker.provider.requests.length;
    await passTime(hourMs, 1_000);
    return {
      rows: [
        {
          id: 'requests-idle',
          what: 'requests in an hour idle, signed in',
          place: 'node',
          unit: 'requests',
          value: worker.provider.requests.length - before,
          limits: [{ name: 'nothing', value: 0 }],
          peers: [],
        },
      ],
      plots: [],
    };
  } finally {
    mock.timers.reset();
  }
}

/** Lets the time pass in steps, with everything that each step begins. */
async function passTime(ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    mock.timers.tick(stepMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
  const state = { isOver: false };
  const ended = work.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) await passTime(1, 1);
  return ended;
}
