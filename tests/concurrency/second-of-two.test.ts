// The second of two, wherever one waits for, joins or follows another: it gets what it was promised, the older result does
// not replace the newer one, a failure of the first is not its own, and nothing of the first is in its way.

import { expect, test, vi } from 'vitest';
import { createAuthWindow } from '../../src/background/provider/window.ts';
import { createToolbar } from '../../src/background/toolbar.ts';
import { createLife, createWatch } from '../../src/bridge/line/line.ts';
import { once, pause } from '../../src/concurrency.ts';
import { signedOut, toSignedIn } from '../../src/session/view.ts';
import { deferred } from '../support/deferred.ts';
import { lookUp } from '../support/english.ts';
import { createFakeBrowser, FakeStorageArea } from '../support/fake-browser.ts';
import { createFakeLocks } from '../support/fake-locks.ts';
import { ada } from '../support/fake-observer.ts';
import { settled } from '../support/port-pair.ts';
import { provider as scripted } from '../support/scripted-provider.ts';
import { soon } from '../support/soon.ts';

const failure = new Error('It fails.');
const toolbarName = lookUp('extensionName');

function setUpLocks() {
  const addUser = createFakeLocks();
  const [page, worker] = [addUser(), addUser()];
  const request = vi.spyOn(page.locks, 'request');
  return { page, worker, request, watch: createWatch(page.locks) };
}

function setUpWindow() {
  const launch = vi.fn<(details: object) => Promise<string>>();
  const tabs = { query: async () => [], remove: async () => undefined };
  const browser = { identity: { launchWebAuthFlow: launch }, tabs, runtime: {} };
  const { open, cancel } = createAuthWindow(browser, new FakeStorageArea(), (flow) => flow);
  const evidence = () => ({ state: 'state', requestUri: null, origin: scripted.issuer });
  return { launch, cancel, open: () => open(scripted.issuer, evidence(), () => true) };
}

const rows: Readonly<Record<string, () => Promise<void>>> = {
  async 'once: the second caller shares a rejected promise, and nothing is made again'() {
    const make = vi.fn(() => Promise.reject(failure));
    const value = once(make);
    const results = await Promise.allSettled([value(), value()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(make).toHaveBeenCalledOnce();
  },

  async 'pause: one abort ends both of two, and a third does not begin'() {
    const controller = new AbortController();
    const pauses = [pause(1e6, controller.signal), pause(1e6, controller.signal)];
    controller.abort();
    const ended = Promise.all([...pauses, pause(1e6, controller.signal)]);
    await expect(ended).resolves.toHaveLength(3);
  },

  async 'life: the second caller shares the lock of the first'() {
    const { page, request } = setUpLocks();
    const life = createLife(page.locks);
    const [one, other] = await Promise.all([life(), life()]);
    expect(one).toBe(other);
    expect(request).toHaveBeenCalledOnce();
  },

  async 'watch: two watches of one lock ask for it once, and both are told'() {
    const { worker, request, watch } = setUpLocks();
    const name = await createLife(worker.locks)();
    const told = [vi.fn(), vi.fn()];
    for (const one of told) watch(name, one);
    worker.end();
    await settled();
    for (const one of told) expect(one).toHaveBeenCalledOnce();
    expect(request).toHaveBeenCalledOnce();
  },

  async 'watch: a second one of a holder that has gone is told too'() {
    const { worker, watch } = setUpLocks();
    const name = await createLife(worker.locks)();
    const told = [vi.fn(), vi.fn()] as const;
    watch(name, told[0]);
    worker.end();
    await settled();
    watch(name, told[1]);
    await settled();
    expect(told[1]).toHaveBeenCalledOnce();
  },

  async 'flows: the second waits for the end of the first, whatever that is'() {
    for (const end of ['resolve', 'reject'] as const) {
      const { launch, open, cancel } = setUpWindow();
      const first = deferred<string>();
      launch.mockReturnValueOnce(first.promise).mockResolvedValueOnce('the second');
      open().catch(() => undefined);
      await settled();
      await cancel();
      const second = open();
      await settled();
      expect(launch).toHaveBeenCalledOnce();
      first[end](failure as Error & string);
      expect(await second).toBe('the second');
    }
  },

  async 'toolbar: a second state that comes while the first is drawn is drawn after it'() {
    const { browser, memory, toolbar } = createFakeBrowser();
    const drawn = deferred<void>();
    const { setTitle } = browser.action;
    const titles = vi.spyOn(browser.action, 'setTitle').mockImplementationOnce(async (details) => {
      await drawn.promise;
      return setTitle(details);
    });
    const shown = createToolbar(browser, memory, soon);
    shown.show(signedOut);
    await expect.poll(() => titles.mock.calls).toHaveLength(1);
    shown.show(toSignedIn(ada, 0));
    await new Promise((resolve) => setTimeout(resolve));
    drawn.resolve();
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: { icon: 'signed-in' } });
    await settled();
    expect(toolbar).toMatchObject({ icon: 'latchkey', title: lookUp('toolbarSignedIn', [toolbarName]) });
  },
};

test.for(Object.entries(rows))('%s', ([, row]) => row());
