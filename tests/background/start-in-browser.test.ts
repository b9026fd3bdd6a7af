import { expect, test, vi } from 'vitest';
import { startInBrowser } from '../../src/background/start-in-browser.ts';
import { startWorker } from '../../src/background/worker.ts';
import { createFakeBrowser } from '../support/fake-browser.ts';

vi.mock('../../src/bridge/browser.ts', () => ({ browser: {} }));
vi.mock('../../src/background/worker.ts', () => ({ startWorker: vi.fn<typeof startWorker>() }));

test('the worker sends with the fetch that it started with: a page in Firefox can replace that of its window', async () => {
  vi.stubGlobal('self', globalThis);
  startInBrowser(createFakeBrowser().browser, () => undefined);
  const [, , world] = vi.mocked(startWorker).mock.lastCall ?? [];
  const spy = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', spy);
  expect(await (await world?.fetch('data:,text', {}))?.text()).toBe('text');
  expect(spy).not.toHaveBeenCalled();
});
