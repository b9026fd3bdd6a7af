// @vitest-environment happy-dom

import { beforeEach, expect, test, vi } from 'vitest';
import { afterPaint, nextPaint, wellAfterPaint } from '../../src/popup/after-paint.ts';

let frames: (() => void)[];
let run: ReturnType<typeof vi.fn<() => void>>;

/** Runs the callbacks of the next frame, which come before its paint. */
function beginFrame(): void {
  for (const callback of frames.splice(0)) callback();
}

beforeEach(() => {
  frames = [];
  run = vi.fn<() => void>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
});

test('afterPaint runs in the first task after the next frame', () => {
  afterPaint(run);
  beginFrame();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(run).toHaveBeenCalledOnce();
});

test('a task after the paint is no timer where the browser has tasks, because Firefox holds timers back', () => {
  const tasks: (() => void)[] = [];
  vi.stubGlobal('scheduler', { postTask: (task: () => void) => Promise.resolve(tasks.push(task)) });
  afterPaint(run);
  beginFrame();
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
  for (const task of tasks) task();
  expect(run).toHaveBeenCalledOnce();
});

test('nextPaint resolves in a page that is not painted, after a moment', async () => {
  const painted = nextPaint().then(run);
  vi.advanceTimersByTime(500);
  await painted;
  expect(run).toHaveBeenCalledOnce();
});

test('what can wait runs once, after all that waits for the paint', async () => {
  const order: string[] = [];
  wellAfterPaint(() => order.push('last'));
  void nextPaint().then(() => order.push('first'));
  beginFrame();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(order).toEqual(['first', 'last']);
});
