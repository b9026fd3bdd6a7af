// @vitest-environment happy-dom
// Every call of the browser that the popup makes may reject. Each scene is played once to learn its calls, and once more
// for each of them, which then rejects. The popup says what failed, or shows the same as ever, and the next try works.

import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { detail } from '../../src/session/detail.ts';
import { findBoardArea } from '../../src/bridge/session/board-area.ts';
import { createLine, type Transport } from '../../src/bridge/line/line.ts';
import { observeSession } from '../../src/bridge/session/observer.ts';
import { watchBoard } from '../../src/bridge/session/page-board.ts';
import { App } from '../../src/popup/App.tsx';
import { PageContext } from '../../src/popup/page.ts';
import type { View } from '../../src/session/view.ts';
import { english as text, whatHappened } from '../support/english.ts';
import {
  collectRejections,
  CountedCalls,
  failEach,
  strayFaults,
  strayRejections,
  type Failure,
} from '../support/failing-calls.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';
import { createFakeLocks } from '../support/fake-locks.ts';
import { adaSignedIn, signedOut, toBoard } from '../support/fake-observer.ts';
import { toPage } from '../support/page.ts';
import { settled } from '../support/port-pair.ts';

const fake = vi.hoisted(() => ({ browser: {} }));
vi.mock('../../src/bridge/browser.ts', () => fake); // -- the polyfill refuses to load outside a browser

/** The calls that these scenes make. A call that is not listed, or that no scene makes, fails a test. */
const knownCalls = [
  'clipboard.writeText',
  'permissions.request',
  'runtime.getBackgroundPage',
  'runtime.getBrowserInfo',
  'runtime.getPlatformInfo',
  'storage.local.get',
  'storage.session.get',
  'userAgentData.getHighEntropyValues',
];

interface Scene {
  readonly session: View;
  /** Opens the page of Chromium, which says more of itself. */
  readonly isChromium?: boolean;
  /** The buttons that the user presses in turn. */
  readonly presses: readonly string[];
}

const forbidden = {
  ...signedOut,
  problem: { code: 'host-permission-missing', detail: detail`provider.example` },
} as const;

const copyReport = ['#account-button', '[role="menuitem"][data-action="copy-report"]'];

const scenes: Readonly<Record<string, Scene>> = {
  'a page that opens': { session: signedOut, presses: [] },
  'a sign-in': { session: signedOut, presses: ['[data-provider="demo"]'] },
  'a permission': { session: forbidden, presses: ['[data-action="allow-hosts"], [data-provider="demo"]'] },
  'a copied detail': { session: forbidden, presses: ['[data-action="copy-detail"]'] },
  'a report': { session: adaSignedIn, presses: copyReport },
  'a report in Chromium': { session: adaSignedIn, isChromium: true, presses: copyReport },
};

/** Lets everything settle that needs no timer. */
const settle = () => act(settled);

/** Plays a scene in which a call may fail. */
async function play(scene: Scene, failure: Failure | null = null) {
  const calls = new CountedCalls(failure);
  const call = calls.run.bind(calls);
  const toArea = (name: string) => {
    const area = new FakeStorageArea();
    const { onChanged } = area;
    const get = (key: string) => call(`storage.${name}.get`, () => area.get(key));
    return { area, own: { get, onChanged } };
  };
  const [local, session] = [toArea('local'), toArea('session')];
  const runtime = {
    id: 'latchkey',
    getURL: (path: string) => `chrome-extension://latchkey/${path}`,
    getManifest: () => ({ name: 'Latchkey', version: '1', host_permissions: ['https://provider.example/*'] }),
    getPlatformInfo: () => call('runtime.getPlatformInfo', () => ({ os: 'linux', arch: 'x86-64' })),
    getBrowserInfo: () => call('runtime.getBrowserInfo', () => ({ name: 'Firefox', version: '153' })),
  };
  Object.assign(fake.browser, {
    storage: { local: local.own, session: session.own },
    permissions: { request: () => call('permissions.request', () => true) },
    i18n: { getUILanguage: () => 'en' },
    runtime,
  });
  const getHighEntropyValues = () => call('userAgentData.getHighEntropyValues', () => ({}));
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, {
      clipboard: { value: { writeText: () => call('clipboard.writeText', () => undefined) } },
      userAgentData: { value: scene.isChromium === true ? { getHighEntropyValues } : undefined },
    }),
  );
  session.area.items.set('board', toBoard(scene.session));

  const area = findBoardArea({ local: local.own, session: session.own });
  const carry: Transport = (_request, _transfer, receive) => {
    queueMicrotask(() => receive({ ok: true }));
    return () => undefined;
  };
  const line = createLine(() => call('runtime.getBackgroundPage', () => carry), createFakeLocks()().locks);
  const observer = observeSession({ board: watchBoard(area), line });
  render(
    <PageContext value={toPage()}>
      <App observer={observer} />
    </PageContext>,
  );
  await settle();
  const press = async () => {
    for (const button of scene.presses) {
      fireEvent.click(document.querySelector(button) ?? document.body);
      await settle();
    }
    return document.body.textContent;
  };
  const shown = await press();
  const made = new Map(calls.made);
  return { calls: made, shown, again: await press() };
}

/** Whether the popup says that something has failed. */
function isExplained(shown: string): boolean {
  const failures = [whatHappened('worker-unreachable'), text('report_failed'), text('problem_copyFailed')];
  return failures.some((failure) => shown.includes(failure));
}

describe('a call of the browser that rejects', () => {
  /** How the scenes are without a rejection. */
  const usual = new Map<string, Awaited<ReturnType<typeof play>>>();
  const end = () => {
    cleanup();
    vi.unstubAllGlobals();
    strayRejections.length = 0;
  };

  beforeAll(async () => {
    // Loaded on demand, which takes longer than everything else.
    await import('../../src/bridge/report/write-report.ts');
    for (const [title, scene] of Object.entries(scenes)) {
      usual.set(title, await play(scene));
      end();
    }
  });

  afterAll(collectRejections());

  test('is one that these scenes make, and they make all that are known', () => {
    const calls = [...usual.values()].flatMap((scene) => [...scene.calls.keys()]);
    expect([...new Set(calls)].toSorted()).toEqual(knownCalls);
  });

  test.for(Object.entries(scenes))('is reported by %s, or does no harm', async ([title, scene]) => {
    const { calls, shown, again } = usual.get(title) ?? (await play(scene));
    const faults = await failEach(calls, 'rejects', async (failure) => {
      const played = await play(scene, failure);
      const found = [
        ...strayFaults(),
        played.shown !== shown && !isExplained(played.shown) && `the popup shows: ${played.shown}`,
        played.again !== again && `after the next try it shows: ${played.again}`,
      ];
      end();
      return found;
    });
    expect(faults).toEqual({});
  });
});
