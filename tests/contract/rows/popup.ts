// The toolbar popup, and how the extension was installed.

import type { Probe, Row } from '../row.ts';

/** Waits until so many popups are open. Firefox has the page some time after `openPopup`. */
async function popupsAre({ browser: { runtime }, note, until }: Probe, count: number): Promise<void> {
  await until(async () => (await runtime.getContexts({ contextTypes: ['POPUP'] })).length === count);
  note(`popups: ${count}`);
}

export const popupRows: readonly Row[] = [
  {
    behaviour: 'the worker opens the popup without a click, and not a second one',
    async run(probe) {
      await popupsAre(probe, 0);
      await probe.settles('openPopup', probe.browser.action.openPopup());
      await popupsAre(probe, 1);
      await probe.settles('openPopup again', probe.browser.action.openPopup());
      await probe.outside('the user closes the popup');
      await popupsAre(probe, 0);
    },
    notes: {
      chromium: [
        'popups: 0',
        'openPopup resolves',
        'popups: 1',
        'openPopup again rejects: Could not find an active browser window.',
        'popups: 0',
      ],
      firefox: [
        'popups: 0',
        'openPopup resolves',
        'popups: 1',
        'openPopup again rejects: openPopup() cannot be called while another panel is open',
        'popups: 0',
      ],
    },
  },
  {
    behaviour: 'an extension that was loaded for a test is one of a developer',
    run: ({ browser, settles }) =>
      settles(
        'getSelf',
        browser.management.getSelf().then((self) => self.installType),
      ),
    notes: ['getSelf resolves with development'],
  },
];
