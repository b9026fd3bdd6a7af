import { browser } from 'latchkey/browser';
import { fakeFeatureWorker } from 'latchkey/testing';
import { expect, test, vi } from 'vitest';
import startFeature from '../src/feature/worker.ts';

vi.mock('latchkey/browser', () => ({ browser: { action: { setBadgeText: vi.fn() } } }));

test('the badge counts the tasks, and is empty without a user', async () => {
  const worker = fakeFeatureWorker({
    fetch: async () => Response.json({ tasks: [{ text: 'A' }, { text: 'B' }] }),
  });
  startFeature(worker.props);
  worker.signIn();
  await expect.poll(() => browser.action.setBadgeText).toHaveBeenLastCalledWith({ text: '2' });
  worker.signOut();
  await expect.poll(() => browser.action.setBadgeText).toHaveBeenLastCalledWith({ text: '' });
});
