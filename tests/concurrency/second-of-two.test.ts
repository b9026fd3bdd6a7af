// The second of two, wherever one waits for, joins or follows another: it gets what it was promised, the older result does
// not replace the newer one, a failure of the first is not its own, and nothing of the first is in its way.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAuthWindow } from '../../src/background/provider/window.ts';
import { createProviderAccess } from '../../src/background/provider/provider.ts';
import { createToolbar } from '../../src/background/toolbar.ts';
import { createDatabase } from '../../src/background/record/database.ts';
import { createLife, createWatch } from '../../src/bridge/line/line.ts';
import { once, pause } from '../../src/concurrency.ts';
import { signedOut, toSignedIn } from '../../src/session/view.ts';
import { deferred } from '../support/deferred.ts';
import { lookUp } from '../support/english.ts';
import { createFakeBrowser, FakeManagedStorage, FakeStorageArea } from '../support/fake-browser.ts';
import { createFakeLocks } from '../support/fake-locks.ts';
import { ada } from '../support/fake-observer.ts';
import { settled } from '../support/port-pair.ts';
import { createScriptedProvider, provider as scripted, type Script } from '../support/scripted-provider.ts';
import { soon } from '../support/soon.ts';
import { setUpWorker } from '../support/worker-setup.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

const failure = new Error('It fails.');
const toolbarName = lookUp('extensionName');

function setUpLocks() {
  const addUser = createFakeLocks();
  const [page, worker] = [addUser(), addUser()];
  const request = vi.spyOn(page.locks, 'request');
  return { page, worker, request, watch: createWatch(page.locks) };
}

function setUpAccess(script: Script = {}) {
  const provider = createScriptedProvider(script);
  return { ...provider, access: createProviderAccess(scripted, provider.client.world, createDatabase()) };
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

  async 'provider: two callers share a request for newer keys, and the next one sends another'() {
    const { access, paths } = setUpAccess();
    await Promise.all([access.keys('fresh'), access.keys('fresh')]);
    await access.keys('fresh');
    expect(paths().filter((path) => path === '/keys')).toHaveLength(2);
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
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ icon: 'signed-in' });
    await settled();
    expect(toolbar).toMatchObject({ icon: 'latchkey', title: lookUp('toolbarSignedIn', [toolbarName]) });
  },

  async 'policy: of two changes the second holds, although the browser answers to the first last'() {
    const managed = new FakeManagedStorage();
    // There is none yet, and nothing waits for one.
    managed.installType = 'development';
    const worker = setUpWorker({ managed });
    await worker.open();
    const slow = deferred<Record<string, unknown>>();
    const policyBy = (managedBy: string) => ({ version: 1, providers: [{ id: 'scripted' }], managedBy });
    vi.spyOn(managed, 'get').mockImplementationOnce(() => slow.promise);
    managed.change(policyBy('First'));
    managed.change(policyBy('Second'));
    await worker.rest();
    slow.resolve(policyBy('First'));
    await worker.boardWhere(({ managedBy }) => managedBy === 'Second');
    await worker.rest();
    expect(worker.readBoard()).toMatchObject({ managedBy: 'Second' });
  },
};

test.for(Object.entries(rows))('%s', ([, row]) => row());
