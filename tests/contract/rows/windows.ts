// The sign-in window: identity.launchWebAuthFlow, and the windows and tabs that go with it.

import type { Act, Notes, Probe, ProviderPage, Row } from '../row.ts';

/** A popup window that a row waits for. */
interface Watched {
  id(): number;
  /** Resolves when it is gone, and notes it only then: a browser tells of a closed window and of its flow in any order. */
  closes(): Promise<void>;
}

/** Notes that a popup window opens. */
function watchWindow({ browser, watch, note }: Probe): Watched {
  let opened = 0;
  watch(browser.windows.onCreated, ({ id, type }) => {
    if (id === undefined || type !== 'popup') return null;
    opened = id;
    return 'the window opens';
  });
  const gone = new Promise<void>((resolve) => {
    watch(browser.windows.onRemoved, (id) => {
      if (id === opened) resolve();
      return null;
    });
  });
  return {
    id: () => opened,
    async closes() {
      await gone;
      note('the window has closed');
    },
  };
}

function launch({ browser, at }: Probe, page: ProviderPage, interactive = true): Promise<unknown> {
  return browser.identity.launchWebAuthFlow({ url: at(page), interactive }).then(withoutHost);
}

/** Launches a silent flow that waits for an answer after the first page has loaded. */
async function launchWaiting({ browser, at }: Probe, page: ProviderPage, limitMs: number): Promise<unknown> {
  const details = {
    url: at(page),
    interactive: false,
    abortOnLoadForNonInteractive: false,
    timeoutMsForNonInteractive: limitMs,
  };
  return withoutHost(await browser.identity.launchWebAuthFlow(details));
}

const isFirefox = ({ browser }: Probe) => 'getBrowserInfo' in browser.runtime;

/** Resolves with the id of the window's tab when it shows the page. */
async function findTab({ browser, until, at }: Probe, window: Watched, page: ProviderPage): Promise<number> {
  let found: number | undefined;
  await until(async () => {
    const tabs = await browser.tabs.query({ windowType: 'popup' });
    found = tabs.find(({ windowId, url }) => windowId === window.id() && url === at(page))?.id;
    return found !== undefined;
  });
  return found ?? 0;
}

/** Starts a flow whose page asks, and waits for its window. */
async function openWindow(probe: Probe): Promise<{ readonly window: Watched; readonly flow: Promise<void> }> {
  const window = watchWindow(probe);
  const flow = probe.settles('the flow', launch(probe, 'asks'));
  await probe.noted('the window opens');
  return { window, flow };
}

/** Waits for the end of a flow, and closes its window if it has one. */
async function closeIfItOpens({ browser, noted }: Probe, flow: Promise<void>, window: Watched) {
  const opened = noted('the window opens').then(() => browser.windows.remove(window.id()));
  await Promise.race([flow, opened]);
  await flow;
}

/** The extension's id is another one in each installation. */
function withoutHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).pathname + new URL(url).search;
}

const unknownId = 999_999;

const asksText =
  "User interaction required. Try setting `abortOnLoadForNonInteractive` and `timeoutMsForNonInteractive` if multiple navigations are required, or if code is used for redirects in the authorization page after it's loaded.";

const unknownText =
  'Type error for parameter details (Unexpected properties: abortOnLoadForNonInteractive, timeoutMsForNonInteractive) for identity.launchWebAuthFlow.';

/** A click after which Chromium ends the flow, and Firefox doesn't. */
const rowOfClick = (act: Act): Row => ({
  behaviour: `the window closes in Chromium alone when ${act}`,
  async run(probe) {
    const { window, flow } = await openWindow(probe);
    await findTab(probe, window, 'asks');
    await probe.outside(act);
    if (isFirefox(probe)) await probe.outside('the user closes the window');
    await flow;
    await window.closes();
  },
  notes: {
    chromium: [
      'the window opens',
      'the flow rejects: Authorization page could not be loaded.',
      'the window has closed',
    ],
    firefox: [
      'the window opens',
      'the flow rejects: User cancelled or denied access.',
      'the window has closed',
    ],
  },
});

/** What a row notes in each browser, which has its own words for a flow whose window was closed. */
const withClosed = (toNotes: (closed: string) => Notes) => ({
  chromium: toNotes('the flow rejects: The user did not approve access.'),
  firefox: toNotes('the flow rejects: User cancelled or denied access.'),
});

/** A page that Chromium shows no window for, and at which it ends the flow. Firefox shows it until the user closes the window. */
const endsInChromiumAlone = (page: ProviderPage): Pick<Row, 'run' | 'notes'> => ({
  async run(probe) {
    const window = watchWindow(probe);
    const flow = probe.settles('the flow', launch(probe, page));
    await closeIfItOpens(probe, flow, window);
  },
  notes: {
    chromium: ['the flow rejects: Authorization page could not be loaded.'],
    firefox: ['the window opens', 'the flow rejects: User cancelled or denied access.'],
  },
});

export const windowRows: readonly Row[] = [
  {
    behaviour: 'a redirect settles the flow before its window is gone',
    async run(probe) {
      watchWindow(probe);
      probe.watch(probe.browser.windows.onRemoved, () => 'the window closes');
      const flow = probe.settles('the flow', launch(probe, 'asks'));
      await probe.noted('the window opens');
      await probe.outside('the user agrees');
      await flow;
      await probe.noted('the window closes');
    },
    notes: ['the window opens', 'the flow resolves with /contract?code=1', 'the window closes'],
  },
  {
    behaviour: 'a window that the user closes rejects the flow',
    async run(probe) {
      const { window, flow } = await openWindow(probe);
      await probe.outside('the user closes the window');
      await flow;
      await window.closes();
    },
    notes: withClosed((closed) => ['the window opens', closed, 'the window has closed']),
  },
  {
    behaviour: 'a window that the extension closes rejects the flow in the same words',
    async run(probe) {
      const { window, flow } = await openWindow(probe);
      const removed = probe.browser.windows.remove(window.id());
      await flow;
      await window.closes();
      // Sometimes before the others, and sometimes after them.
      await probe.settles('remove', removed);
    },
    notes: withClosed((closed) => ['the window opens', closed, 'the window has closed', 'remove resolves']),
  },
  {
    behaviour: 'a page that cannot load ends the flow in Chromium, and opens a window in Firefox',
    ...endsInChromiumAlone('cannot load'),
  },
  {
    behaviour: 'a window that its page closes rejects the flow as if the user had closed it',
    async run(probe) {
      const window = watchWindow(probe);
      await probe.settles('the flow', launch(probe, 'closes itself'));
      await window.closes();
    },
    notes: withClosed((closed) => ['the window opens', closed, 'the window has closed']),
  },
  {
    behaviour: 'an answer in the body of a form settles the flow without what it says',
    // Firefox opens a window for it, and Chromium if the page is slow.
    run: (probe) => probe.settles('the flow', launch(probe, 'posts its answer')),
    notes: ['the flow resolves with /contract'],
  },
  {
    behaviour: 'a page for which the browser asks for a password ends the flow in Chromium',
    ...endsInChromiumAlone('has the browser ask'),
  },
  {
    behaviour: 'a flow whose page hangs blocks the next one in Chromium alone',
    async run(probe) {
      const window = watchWindow(probe);
      const flow = probe.settles('the flow', launch(probe, 'hangs'));
      await probe.settles('a silent flow', launch(probe, 'redirects', false));
      await probe.settles('the next flow', launch(probe, 'redirects'));
      await probe.outside('the page that hangs fails');
      await closeIfItOpens(probe, flow, window);
      await probe.settles('the flow after it', launch(probe, 'redirects'));
    },
    notes: {
      chromium: [
        'a silent flow resolves with /contract?code=1',
        'the next flow rejects: Only one web auth flow is allowed at a time.',
        'the flow rejects: Authorization page could not be loaded.',
        'the flow after it resolves with /contract?code=1',
      ],
      firefox: [
        'a silent flow resolves with /contract?code=1',
        'the next flow resolves with /contract?code=1',
        'the window opens',
        'the flow rejects: User cancelled or denied access.',
        'the flow after it resolves with /contract?code=1',
      ],
    },
  },
  {
    behaviour: 'a second flow beside a window is refused in Chromium, and ends both in Firefox',
    async run(probe) {
      const window = watchWindow(probe);
      const first = launch(probe, 'asks');
      first.catch(() => undefined);
      await probe.noted('the window opens');
      await probe.settles('the second flow', launch(probe, 'asks'));
      // In Firefox it is gone by now.
      await probe.browser.windows.remove(window.id()).catch(() => undefined);
      await probe.settles('the first flow', first);
      await window.closes();
      await probe.settles('the third flow', launch(probe, 'redirects'));
    },
    notes: {
      chromium: [
        'the window opens',
        'the second flow rejects: Only one web auth flow is allowed at a time.',
        'the first flow rejects: The user did not approve access.',
        'the window has closed',
        'the third flow resolves with /contract?code=1',
      ],
      firefox: [
        'the window opens',
        'the second flow rejects: User cancelled or denied access.',
        'the first flow rejects: User cancelled or denied access.',
        'the window has closed',
        'the third flow resolves with /contract?code=1',
      ],
    },
  },
  {
    behaviour: 'the window of a worker that has ended still blocks the next flow in Chromium',
    in: 'page',
    async run(probe) {
      probe.watch(probe.browser.windows.onCreated, () => 'the window opens');
      await probe.ask('launches', probe.at('asks'));
      await probe.noted('the window opens');
      await probe.outside('the worker ends');
      await probe.settles('the second flow', launch(probe, 'redirects'));
      await probe.outside('the user closes the window');
    },
    notes: {
      chromium: ['the window opens', 'the second flow rejects: Only one web auth flow is allowed at a time.'],
      firefox: ['the window opens', 'the second flow resolves with /contract?code=1'],
    },
  },
  {
    behaviour: 'a silent flow goes on beside a window',
    async run(probe) {
      const { window, flow } = await openWindow(probe);
      await probe.settles('the silent flow', launch(probe, 'redirects', false));
      await probe.outside('the user closes the window');
      await flow;
      await window.closes();
    },
    notes: withClosed((closed) => [
      'the window opens',
      'the silent flow resolves with /contract?code=1',
      closed,
      'the window has closed',
    ]),
  },
  {
    behaviour: 'a silent flow fails at a page that asks',
    run: (probe) => probe.settles('the silent flow', launch(probe, 'asks', false)),
    notes: {
      chromium: [`the silent flow rejects: ${asksText}`],
      firefox: ['the silent flow rejects: Requires user interaction'],
    },
  },
  {
    behaviour:
      'a silent flow fails at a page that cannot load, which Firefox does not tell from one that asks',
    run: (probe) => probe.settles('the silent flow', launch(probe, 'cannot load', false)),
    notes: {
      chromium: ['the silent flow rejects: Authorization page could not be loaded.'],
      firefox: ['the silent flow rejects: Requires user interaction'],
    },
  },
  {
    behaviour: 'an unknown window can be neither raised nor closed',
    async run({ browser, settles }) {
      await settles('update', browser.windows.update(unknownId, { focused: true }));
      await settles('remove', browser.windows.remove(unknownId));
    },
    notes: {
      chromium: ['update rejects: No window with id: 999999.', 'remove rejects: No window with id: 999999.'],
      firefox: ['update rejects: Invalid window ID: 999999', 'remove rejects: Invalid window ID: 999999'],
    },
  },
  {
    behaviour: 'the tab of a window shows its URL and its window',
    async run(probe) {
      const { window, flow } = await openWindow(probe);
      await findTab(probe, window, 'asks');
      probe.note('the tab is there');
      await probe.browser.windows.update(window.id(), { focused: true });
      probe.note('update resolves');
      await probe.outside('the user closes the window');
      await flow;
      await window.closes();
      probe.note(`popup windows: ${(await probe.browser.tabs.query({ windowType: 'popup' })).length}`);
    },
    notes: withClosed((closed) => [
      'the window opens',
      'the tab is there',
      'update resolves',
      closed,
      'the window has closed',
      'popup windows: 0',
    ]),
  },
  {
    behaviour: 'the page of a window is loaded once in Chromium, and twice in Firefox',
    async run(probe) {
      const { window, flow } = await openWindow(probe);
      await findTab(probe, window, 'asks');
      probe.note(`loads: ${await probe.loads()}`);
      await probe.outside('the user closes the window');
      await flow;
    },
    notes: {
      chromium: ['the window opens', 'loads: 1', 'the flow rejects: The user did not approve access.'],
      firefox: ['the window opens', 'loads: 2', 'the flow rejects: User cancelled or denied access.'],
    },
  },
  rowOfClick('the user follows a link to a page with 401'),
  rowOfClick('the user follows a link to a mail program'),
  rowOfClick('the user clicks a slow link twice'),
  {
    behaviour: 'a silent flow waits in Chromium alone, and if it is told to, for an answer by a script',
    async run(probe) {
      await probe.settles('the first', launch(probe, 'answers late', false));
      await probe.settles('the second', launchWaiting(probe, 'answers late', 20_000));
      await probe.settles('the third', launchWaiting(probe, 'answers late', 1_000));
    },
    notes: {
      chromium: [
        `the first rejects: ${asksText}`,
        'the second resolves with /contract?code=1',
        `the third rejects: ${asksText}`,
      ],
      firefox: [
        'the first rejects: Requires user interaction',
        `the second rejects: ${unknownText}`,
        `the third rejects: ${unknownText}`,
      ],
    },
  },
  {
    behaviour: 'a window opens beside a silent flow, which goes on',
    async run(probe) {
      const silent = probe.settles('the silent flow', launch(probe, 'hangs', false));
      const { flow } = await openWindow(probe);
      await probe.outside('the user agrees');
      await flow;
      await probe.outside('the page that hangs fails');
      await silent;
    },
    notes: {
      chromium: [
        'the window opens',
        'the flow resolves with /contract?code=1',
        'the silent flow rejects: Authorization page could not be loaded.',
      ],
      firefox: [
        'the window opens',
        'the flow resolves with /contract?code=1',
        'the silent flow rejects: Requires user interaction',
      ],
    },
  },
  {
    behaviour:
      'a page that asks whether to leave it keeps its window, until that is closed with its tab in Chromium, or again in Firefox',
    async run(probe) {
      const window = watchWindow(probe);
      const flow = probe.settles('the flow', launch(probe, 'asks to leave'));
      await probe.noted('the window opens');
      const tab = await findTab(probe, window, 'asks to leave');
      await probe.outside('the user types in the window');
      const { tabs, windows } = probe.browser;
      // In Firefox it hangs.
      void windows.remove(window.id()).catch(() => undefined);
      await probe.outside('the page asks whether to leave it');
      probe.note(`popup windows: ${(await tabs.query({ windowType: 'popup' })).length}`);
      void (isFirefox(probe) ? windows.remove(window.id()) : tabs.remove(tab)).catch(() => undefined);
      await flow;
      await window.closes();
    },
    notes: withClosed((closed) => ['the window opens', 'popup windows: 1', closed, 'the window has closed']),
  },
  {
    behaviour: 'a flow whose window becomes a tab ends in Firefox, and goes on in Chromium',
    async run(probe) {
      const { window, flow } = await openWindow(probe);
      const tabId = await findTab(probe, window, 'asks');
      await probe.outside('the window becomes a tab');
      const { tabs, windows } = probe.browser;
      if (isFirefox(probe)) await flow;
      await window.closes();
      if (isFirefox(probe)) {
        await probe.settles('the end of the tab', tabs.remove(tabId));
      } else {
        // Otherwise the end of the flow would close every tab of that window.
        await windows.create({ tabId, type: 'popup' });
        probe.note('the tab has a window');
        await probe.outside('the user agrees');
        await flow;
      }
    },
    notes: {
      chromium: [
        'the window opens',
        'the window has closed',
        'the window opens',
        'the tab has a window',
        'the flow resolves with /contract?code=1',
      ],
      firefox: [
        'the window opens',
        'the flow rejects: User cancelled or denied access.',
        'the window has closed',
        'the end of the tab resolves',
      ],
    },
  },
  {
    behaviour: "another page's window of type popup is reported too",
    async run(probe) {
      const window = watchWindow(probe);
      await probe.outside('another site opens a window');
      await probe.noted('the window opens');
      await probe.outside('the other page closes');
      await window.closes();
    },
    notes: ['the window opens', 'the window has closed'],
  },
];
