import { expect, test } from 'vitest';
import { createToolbar, reopenPopup } from '../../src/background/toolbar.ts';
import { toGuestBrowser } from '../../src/library/guest-browser.ts';
import { signedOut } from '../../src/session/view.ts';
import { createFakeBrowser } from '../support/fake-browser.ts';

/** An extension in `browser` whose toolbar button has this popup. */
function setUp(popup: string) {
  const fake = createFakeBrowser();
  const host = {
    ...fake.browser,
    action: { ...fake.browser.action, getPopup: () => Promise.resolve(popup) },
  };
  return { ...fake, host, guest: toGuestBrowser(host) };
}

test('the worker leaves the extension’s toolbar button alone', async () => {
  const { guest, toolbar, memory } = setUp('popup.html');
  createToolbar(guest, guest.storage.session).show(signedOut);
  await expect.poll(() => memory.items.has('latchkey:toolbar')).toBe(true);
  expect(toolbar.calls).toBe(0);
});

test.each([
  ['the popup of the extension opens', 'popup.html', 1],
  ['nothing opens in an extension without a popup', '', 0],
])('after a sign-in %s', async (_what, popup, opened) => {
  const { guest, shown, toolbar } = setUp(popup);
  await reopenPopup(guest, createToolbar(guest, guest.storage.session));
  expect(shown.popups).toBe(opened);
  expect(toolbar.calls).toBe(0);
});

test('an extension without a toolbar button has a worker too', async () => {
  const { action: _, ...withoutButton } = setUp('').host;
  await expect(toGuestBrowser(withoutButton).action.openPopup()).resolves.toBeUndefined();
});

test('an extension in a browser without windows has a worker too', () => {
  const { host } = setUp('popup.html');
  const { windows: _, ...withoutWindows } = host;
  expect('windows' in toGuestBrowser(withoutWindows)).toBe(false);
  expect(toGuestBrowser(host).windows).toBe(host.windows);
});
