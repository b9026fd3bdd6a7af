// The popup in use: by keyboard, with large text, in a window that keeps its size. A test that needs no real sign-in
// writes the board in place of the worker.

import type { KeyInput, Page } from 'puppeteer-core';
import { expect, inject, test } from 'vitest';
import type { Board } from '../../src/bridge/session/board.ts';
import { signedOut, toSignedIn, type Profile, type View } from '../../src/session/view.ts';
import { findBrowserWindow } from '../../tools/browser/firefox.ts';
import { english as text, toRead } from '../support/english.ts';
import { signingIn as begun } from '../support/fake-observer.ts';
import { asa, marisol, type User } from '../../tools/demo-provider/people.ts';
import {
  manifest,
  popupWith,
  popupWithProblem,
  press,
  readStorage,
  setUpExtension,
  signIn,
  type Extension,
} from '../support/browser/setup.ts';
import { inTab } from '../support/browser/sample.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

const menuButton = '[aria-haspopup="menu"]';
const copyDetail = '[data-action="copy-detail"]';

const sinceMs = Date.parse('2030-01-01T09:41:00Z');

/** Begun in the future, so that it's never late, however long a test takes. */
const signingIn = { ...begun, startedAtMs: Date.now() + 3_600_000 };

function toProfile({ id, name, email }: User, picture: string | null = null): Profile {
  return { providerId: 'demo', subject: id, name, email, emailVerified: true, picture };
}

/** Writes another board than the worker's. It stays until the worker's session changes or the next worker starts. */
async function show(extension: Extension, session: View, changes: Partial<Board> = {}): Promise<Page> {
  const popup = await extension.browser.openPopup();
  // The worker writes the first board.
  await popup.waitForSelector('main:not([data-status="starting"])');
  await popup.evaluate(
    async (changed) => {
      const { storage } = (globalThis as unknown as ExtensionGlobal).chrome;
      const { board } = await storage.local.get();
      // The popup already listens, so its listener runs before this one.
      const told = new Promise<void>((resolve) => storage.onChanged.addListener(() => resolve()));
      await storage.local.set({ board: { ...(board as Board), ...changed } });
      await told;
    },
    { ...changes, session },
  );
  return popupWith(extension, session.status);
}

/** Presses a key once the popup receives keys, which is a moment after it has opened. */
async function pressKey(popup: Page, key: KeyInput): Promise<void> {
  await popup.waitForFunction(() => document.hasFocus());
  await popup.keyboard.press(key);
}

/** Names the focused element by its action, or else by its tag. */
function findFocus(popup: Page): Promise<string | null | undefined> {
  return popup.evaluate(() => {
    const focused = document.activeElement;
    const names = ['data-action', 'data-provider', 'aria-haspopup'];
    return names.map((name) => focused?.getAttribute(name)).find(Boolean) ?? focused?.tagName;
  });
}

/** Reads the clipboard by pasting it. */
async function paste({ browser: { home } }: Extension): Promise<string> {
  await home.setContent('<textarea></textarea>');
  await home.bringToFront();
  await press(home, 'textarea');
  await home.keyboard.down('Control');
  await home.keyboard.press('v', { commands: ['Paste'] });
  await home.keyboard.up('Control');
  return home.$eval('textarea', (area) => area.value);
}

test.runIf(isOfThisBrowser(0))(
  'the window keeps its size in each state, which is that of its content',
  async () => {
    const extension = await setUpExtension();
    const readSize = async (status: string) =>
      (await popupWith(extension, status)).evaluate(() => ({
        content: [document.body.offsetWidth, document.documentElement.offsetHeight],
        window: [innerWidth, innerHeight],
      }));
    const [, height] = (await readSize('signed-out')).content;
    const size = [360, height];
    for (const session of [signingIn, toSignedIn(toProfile(asa), sinceMs), signedOut]) {
      await show(extension, session);
      await expect.poll(() => readSize(session.status)).toEqual({ content: size, window: size });
    }
  },
);

/** How many times a page has told the worker that it is open. */
async function countCommands(extension: Extension): Promise<number> {
  const { journal = [] } = await readStorage(extension);
  return journal.filter((line) => line.endsWith(' command: open')).length;
}

test.runIf(isOfThisBrowser(1))('a page that is not painted still tells the worker', async () => {
  const extension = await setUpExtension();
  await popupWith(extension, 'signed-out');
  // The journal is written a little later than the command is answered.
  await expect.poll(() => countCommands(extension)).toBeGreaterThan(0);
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  const before = await countCommands(extension);
  // A tab in the background is not painted.
  await inTab(extension, async () => {
    await expect.poll(() => countCommands(extension)).toBe(before + 1);
  });
});

interface FirefoxWindow {
  readonly Cc: Readonly<
    Record<
      string,
      {
        createInstance(id: unknown): {
          beginInputTransactionForTests(window: unknown): void;
          keydown(event: KeyboardEvent): void;
          keyup(event: KeyboardEvent): void;
        };
      }
    >
  >;
  readonly Ci: { readonly nsITextInputProcessor: unknown };
}

/** Runs in Firefox's own window. Presses keys as the system does, so that they reach the browser's own shortcuts too. */
function pressKeys(names: string): void {
  const { Cc, Ci } = globalThis as unknown as FirefoxWindow;
  const keyboard = Cc['@mozilla.org/text-input-processor;1']?.createInstance(Ci.nsITextInputProcessor);
  if (keyboard === undefined) throw new Error('Firefox has no keyboard.');
  keyboard.beginInputTransactionForTests(globalThis);
  const keys = names.split('+').map((key) => new KeyboardEvent('', { key }));
  for (const key of keys) keyboard.keydown(key);
  for (const key of keys.toReversed()) keyboard.keyup(key);
}

test('the browser assigns the keys of the manifest to the popup, and in Firefox they open it', async () => {
  const { browser } = await setUpExtension();
  const { commands } = manifest as unknown as {
    readonly commands: Readonly<Record<string, { readonly suggested_key: { readonly default: string } }>>;
  };
  const name = '_execute_action';
  const keys = commands[name]?.suggested_key.default ?? 'none';
  const assigned = await browser.evaluateInExtension(() => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    return chrome.commands.getAll();
  });
  expect(assigned).toEqual([expect.objectContaining({ name, shortcut: keys })]);

  // Chromium's driver presses keys in pages only.
  if (browser.name === 'chrome') return;
  await browser.home.bringToFront();
  const firefox = await findBrowserWindow(browser.browser, await browser.home.windowId());
  await firefox.run(pressKeys, keys);
  await expect.poll(() => browser.findPopup()).not.toBeNull();
});

test.runIf(isOfThisBrowser(0))(
  'a user signs out by keyboard, and a screen that disappears with the focus in it passes it to the next heading',
  async () => {
    const extension = await setUpExtension();
    const popup = await signIn(extension);
    for (const [key, focus] of [
      ['Tab', 'menu'],
      ['Enter', 'use-another-account'],
      ['ArrowDown', 'copy-report'],
      ['ArrowDown', 'sign-out'],
    ] as const) {
      await pressKey(popup, key);
      expect(await findFocus(popup)).toBe(focus);
    }
    await pressKey(popup, 'Enter');
    await popupWith(extension, 'signed-out');
    expect(await findFocus(popup)).toBe('H1');
    const status = await popup.$eval('[role="status"]', (region) => region.textContent);
    expect(status).toBe(text('announcement_signed_out'));

    await show(extension, signingIn);
    await pressKey(popup, 'Tab');
    expect(await findFocus(popup)).toBe('show-window');
    await show(extension, signedOut);
    expect(await findFocus(popup)).toBe('H1');
  },
);

test.runIf(isOfThisBrowser(0))(
  'the popup shows a user’s picture, also when it is opened again, or the initials if there is none or it does not load',
  async () => {
    const extension = await setUpExtension();
    let popup = await signIn(extension);
    const readAvatar = () =>
      popup.evaluate(() => {
        const picture = document.querySelector<HTMLImageElement>('.avatar img');
        return {
          pictureWidth: picture?.checkVisibility() ? picture.naturalWidth : null,
          initials: document.querySelector('.avatar .tile')?.textContent ?? null,
        };
      });
    await expect.poll(readAvatar).toEqual({ pictureWidth: 96, initials: null });
    await extension.browser.closePopup();
    // This time it may have loaded before React.
    popup = await popupWith(extension, 'signed-in');
    await expect.poll(readAvatar).toEqual({ pictureWidth: 96, initials: null });

    await show(extension, toSignedIn(toProfile(asa), sinceMs));
    await expect.poll(readAvatar).toEqual({ pictureWidth: null, initials: 'ÅL' });

    const missing = `${extension.demo.issuer}/people/nobody.svg`;
    await show(extension, toSignedIn(toProfile(marisol, missing), sinceMs));
    await popup.waitForFunction(
      (url) => document.querySelector<HTMLImageElement>(`.avatar img[src="${url}"]`)?.complete,
      {},
      missing,
    );
    expect(await readAvatar()).toEqual({ pictureWidth: null, initials: 'MV' });
  },
);

// Firefox runs no script of ours at the start of an extension's page.
test.runIf(inject('browserName') === 'chrome')(
  'a click on the static view, before React is there, still opens the menu',
  async () => {
    const extension = await setUpExtension();
    await signIn(extension);
    await extension.browser.withExtensionPage(async (tab) => {
      await tab.evaluateOnNewDocument((button) => {
        const watch = new MutationObserver(() => {
          const found = document.querySelector<HTMLElement>(button);
          if (found === null) return;
          watch.disconnect();
          const isReactThere = Object.keys(found).some((key) => key.startsWith('__react'));
          document.documentElement.dataset['clicked'] = isReactThere ? 'late' : 'early';
          found.click();
        });
        watch.observe(document, { subtree: true, childList: true });
      }, menuButton);
      await tab.evaluate(() => void setTimeout(() => location.assign('/src/popup/index.html?tab')));
      await tab.waitForSelector(`${menuButton}[aria-expanded="true"]`);
      expect(await tab.evaluate(() => document.documentElement.dataset['clicked'])).toBe('early');
    });
  },
);

test.runIf(isOfThisBrowser(0))('a problem says what to do, and its details can be copied', async () => {
  const extension = await setUpExtension();
  await extension.demo.close();
  const popup = await popupWith(extension, 'signed-out');
  await press(popup, '[data-provider="demo"]');
  await popupWithProblem(extension, 'provider-unreachable');
  const problem = toRead(
    await popup.$eval('[data-problem]', (element) => (element as HTMLElement).innerText),
  );
  expect(problem).toContain(toRead(text('problem_provider_unreachable_what_to_do')));
  expect(problem).not.toContain('provider-unreachable');

  await press(popup, '[data-problem] summary');
  await press(popup, copyDetail);
  await expect
    .poll(() => popup.$eval(copyDetail, (button) => button.textContent))
    .toBe(text('problem_copied'));
  const detail = await popup.$eval('[data-problem] code', (element) => element.innerText);
  expect(detail).toContain(new URL(extension.demo.issuer).host);

  expect(await paste(extension)).toBe(detail);
});
