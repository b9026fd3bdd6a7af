// The sign-in window: identity.launchWebAuthFlow, and the windows and tabs that go with it.

import type { Probe, ProviderPage, Row } from '../row.ts';

/** Notes the popup windows that open and close, by the order in which they opened. */
function watchWindows({ browser, watch }: Probe): { idOf(name: string): number } {
  const ids: number[] = [];
  const nameOf = (id: number) => `window ${ids.indexOf(id) + 1}`;
  watch(browser.windows.onCreated, ({ id, type }) => {
    if (id === undefined || type !== 'popup') return null;
    ids.push(id);
    return `${nameOf(id)} opens`;
  });
  watch(browser.windows.onRemoved, (id) => (ids.includes(id) ? `${nameOf(id)} closes` : null));
  return { idOf: (name) => ids[Number(name.slice('window '.length)) - 1] ?? 0 };
}

function launch({ browser, at }: Probe, page: ProviderPage, interactive = true): Promise<unknown> {
  return browser.identity.launchWebAuthFlow({ url: at(page), interactive }).then(withoutHost);
}

/** Waits for the end of a flow, and closes its window if it has one. */
async function closeIfItOpens(
  { browser, noted }: Probe,
  flow: Promise<void>,
  idOf: (name: string) => number,
) {
  const opened = noted('window 1 opens').then(() => browser.windows.remove(idOf('window 1')));
  await Promise.race([flow, opened]);
  await flow;
}

/** The extension's id is another one in each installation. */
function withoutHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).pathname + new URL(url).search;
}

const unknownId = 999_999;

export const windowRows: readonly Row[] = [
  {
    behaviour: 'a redirect settles the flow before its window is gone',
    async run(probe) {
      watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'asks'));
      await probe.noted('window 1 opens');
      await probe.outside('the person agrees');
      await flow;
      await probe.noted('window 1 closes');
    },
    notes: ['window 1 opens', 'the flow resolves with /contract?code=1', 'window 1 closes'],
  },
  {
    behaviour: 'a provider that redirects at once settles the flow',
    async run(probe) {
      await probe.settles('the flow', launch(probe, 'redirects'));
    },
    notes: ['the flow resolves with /contract?code=1'],
  },
  {
    behaviour: 'a window that the person closes rejects the flow',
    async run(probe) {
      watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'asks'));
      await probe.noted('window 1 opens');
      await probe.outside('the person closes the window');
      await flow;
      await probe.noted('window 1 closes');
    },
    notes: {
      chromium: ['window 1 opens', 'the flow rejects: The user did not approve access.', 'window 1 closes'],
      firefox: ['window 1 opens', 'window 1 closes', 'the flow rejects: User cancelled or denied access.'],
    },
  },
  {
    behaviour: 'a window that the extension closes rejects the flow in the same words',
    async run(probe) {
      const { idOf } = watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'asks'));
      await probe.noted('window 1 opens');
      const removed = probe.browser.windows.remove(idOf('window 1'));
      await flow;
      await probe.noted('window 1 closes');
      // Sometimes before the others, and sometimes after them.
      await probe.settles('remove', removed);
    },
    notes: {
      chromium: [
        'window 1 opens',
        'the flow rejects: The user did not approve access.',
        'window 1 closes',
        'remove resolves',
      ],
      firefox: [
        'window 1 opens',
        'window 1 closes',
        'the flow rejects: User cancelled or denied access.',
        'remove resolves',
      ],
    },
  },
  {
    behaviour: 'a page that cannot load ends the flow in Chromium, and opens a window in Firefox',
    async run(probe) {
      const { idOf } = watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'cannot load'));
      await closeIfItOpens(probe, flow, idOf);
    },
    notes: {
      chromium: ['the flow rejects: Authorization page could not be loaded.'],
      firefox: ['window 1 opens', 'window 1 closes', 'the flow rejects: User cancelled or denied access.'],
    },
  },
  {
    behaviour: 'a flow whose page hangs blocks the next one in Chromium alone',
    async run(probe) {
      const { idOf } = watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'hangs'));
      await probe.settles('a silent flow', launch(probe, 'redirects', false));
      await probe.settles('the next flow', launch(probe, 'redirects'));
      await probe.outside('the page that hangs fails');
      await closeIfItOpens(probe, flow, idOf);
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
        'window 1 opens',
        'window 1 closes',
        'the flow rejects: User cancelled or denied access.',
        'the flow after it resolves with /contract?code=1',
      ],
    },
  },
  {
    behaviour: 'a second flow beside a window is refused in Chromium, and ends both in Firefox',
    async run(probe) {
      const { idOf } = watchWindows(probe);
      const first = probe.settles('the first flow', launch(probe, 'asks'));
      await probe.noted('window 1 opens');
      const second = probe.settles('the second flow', launch(probe, 'asks'));
      await second;
      // In Firefox it is gone by now.
      await probe.browser.windows.remove(idOf('window 1')).catch(() => undefined);
      await first;
      await probe.noted('window 1 closes');
      const third = probe.settles('the third flow', launch(probe, 'redirects'));
      await third;
    },
    notes: {
      chromium: [
        'window 1 opens',
        'the second flow rejects: Only one web auth flow is allowed at a time.',
        'the first flow rejects: The user did not approve access.',
        'window 1 closes',
        'the third flow resolves with /contract?code=1',
      ],
      firefox: [
        'window 1 opens',
        'the first flow rejects: User cancelled or denied access.',
        'the second flow rejects: User cancelled or denied access.',
        'window 1 closes',
        'the third flow resolves with /contract?code=1',
      ],
    },
  },
  {
    behaviour: 'the window of a worker that has ended still blocks the next flow in Chromium',
    in: 'page',
    async run(probe) {
      probe.watch(probe.browser.windows.onCreated, () => 'window 1 opens');
      await probe.browser.runtime.sendMessage({ ask: 'launches', value: probe.at('asks') });
      await probe.noted('window 1 opens');
      await probe.outside('the worker ends');
      await probe.settles('the second flow', launch(probe, 'redirects'));
      await probe.outside('the person closes the window');
    },
    notes: {
      chromium: ['window 1 opens', 'the second flow rejects: Only one web auth flow is allowed at a time.'],
      firefox: ['window 1 opens', 'the second flow resolves with /contract?code=1'],
    },
  },
  {
    behaviour: 'a silent flow takes a time limit in Chromium alone',
    async run({ browser, at, settles }) {
      const details = { url: at('redirects'), interactive: false, timeoutMsForNonInteractive: 15_000 };
      await settles(
        'the silent flow',
        (async () => withoutHost(await browser.identity.launchWebAuthFlow(details)))(),
      );
    },
    notes: {
      chromium: ['the silent flow resolves with /contract?code=1'],
      firefox: [
        'the silent flow rejects: Type error for parameter details (Unexpected property "timeoutMsForNonInteractive") for identity.launchWebAuthFlow.',
      ],
    },
  },
  {
    behaviour: 'a silent flow goes on beside a window',
    async run(probe) {
      watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'asks'));
      await probe.noted('window 1 opens');
      await probe.settles('the silent flow', launch(probe, 'redirects', false));
      await probe.outside('the person closes the window');
      await flow;
      await probe.noted('window 1 closes');
    },
    notes: {
      chromium: [
        'window 1 opens',
        'the silent flow resolves with /contract?code=1',
        'the flow rejects: The user did not approve access.',
        'window 1 closes',
      ],
      firefox: [
        'window 1 opens',
        'the silent flow resolves with /contract?code=1',
        'window 1 closes',
        'the flow rejects: User cancelled or denied access.',
      ],
    },
  },
  {
    behaviour: 'a silent flow fails at a page that asks',
    run: (probe) => probe.settles('the silent flow', launch(probe, 'asks', false)),
    notes: {
      chromium: [
        "the silent flow rejects: User interaction required. Try setting `abortOnLoadForNonInteractive` and `timeoutMsForNonInteractive` if multiple navigations are required, or if code is used for redirects in the authorization page after it's loaded.",
      ],
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
      const { idOf } = watchWindows(probe);
      const flow = probe.settles('the flow', launch(probe, 'asks'));
      await probe.noted('window 1 opens');
      const isThere = async () => {
        const tabs = await probe.browser.tabs.query({ windowType: 'popup' });
        return tabs.some(({ windowId, url }) => windowId === idOf('window 1') && url === probe.at('asks'));
      };
      await probe.until(isThere);
      probe.note('the tab is there');
      await probe.browser.windows.update(idOf('window 1'), { focused: true });
      probe.note('update resolves');
      await probe.outside('the person closes the window');
      await flow;
      await probe.noted('window 1 closes');
      probe.note(`popup windows: ${(await probe.browser.tabs.query({ windowType: 'popup' })).length}`);
    },
    notes: {
      chromium: [
        'window 1 opens',
        'the tab is there',
        'update resolves',
        'the flow rejects: The user did not approve access.',
        'window 1 closes',
        'popup windows: 0',
      ],
      firefox: [
        'window 1 opens',
        'the tab is there',
        'update resolves',
        'window 1 closes',
        'the flow rejects: User cancelled or denied access.',
        'popup windows: 0',
      ],
    },
  },
  {
    behaviour: "another page's window of type popup is reported too",
    async run(probe) {
      watchWindows(probe);
      await probe.outside('another site opens a window');
      await probe.noted('window 1 opens');
      await probe.outside('the other window closes');
      await probe.noted('window 1 closes');
    },
    notes: ['window 1 opens', 'window 1 closes'],
  },
];
