// The popup in use: by keyboard, with large text, in a window that keeps its size. A test that needs no real sign-in
// writes the board in place of the worker.

import type { KeyInput, Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import type { Board } from '../../src/bridge/session/board.ts';
import { trusted } from '../../src/session/detail.ts';
import {
  signedOut,
  toSignedIn,
  type Profile,
  type Session,
  type SigningIn,
} from '../../src/session/session.ts';
import { findBrowserWindow } from '../../tools/browser/firefox-window.ts';
import { english as text, toRead } from '../support/english.ts';
import { asa, marisol, type Person } from '../../tools/demo-provider/people.ts';
import {
  manifest,
  popupWith,
  press,
  popupWithProblem,
  readStorage,
  setUpExtension,
  signIn,
  type Extension,
} from '../support/browser/setup.ts';
import { inTab } from '../support/browser/sample.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import { isLong } from '../support/extent.ts';

/** Far longer than any step here takes. */
const timeout = 10_000;
const copyDetail = '[data-action="copy-detail"]';

const sinceMs = Date.parse('2030-01-01T09:41:00Z');

const signingIn: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  request: { type: 'sign-in', providerId: 'demo' },
  attempt: 'attempt-1',
  // In the future, so that the sign-in is never late, however long a test takes.
  startedAtMs: Date.now() + 3_600_000,
  before: signedOut,
};

function toProfile({ id, name, email }: Person, picture: string | null = null): Profile {
  return { providerId: 'demo', subject: id, name, email, emailVerified: true, picture };
}

/** Writes another board than the worker's. It stays until the worker's session changes or the next worker starts. */
async function show(extension: Extension, session: Session, changes: Partial<Board> = {}): Promise<Page> {
  const popup = await extension.browser.openPopup();
  // The worker writes the first board.
  await popup.waitForSelector('main:not([data-status="starting"])');
  await popup.evaluate(
    async (changed) => {
      const { storage } = chrome;
      const { board } = (await storage.local.get()) as { readonly board: Board };
      // The popup already listens, so its listener runs before this one.
      const told = new Promise<void>((resolve) => storage.onChanged.addListener(() => resolve()));
      await storage.local.set({ board: { ...board, ...changed } });
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

test.runIf(isOfThisBrowser(0))('the window keeps its size in each state', async () => {
  const extension = await setUpExtension();
  const readSizes = async (status: string) => {
    const popup = await popupWith(extension, status);
    return popup.evaluate(() => ({
      content: [document.body.offsetWidth, document.documentElement.offsetHeight],
      window: [innerWidth, innerHeight],
    }));
  };
  const [, height] = (await readSizes('signed-out')).content;
  const sizes = { content: [360, height], window: [360, height] };
  for (const session of [signingIn, toSignedIn(toProfile(asa), sinceMs), signedOut]) {
    await show(extension, session);
    await expect.poll(() => readSizes(session.status), { timeout }).toEqual(sizes);
  }
});

test.runIf(isLong).each(['offline', 'provider-misconfigured', 'not-permitted'] as const)(
  'the notice of %s below a tall feature covers no control that has the focus',
  async (code) => {
    const extension = await setUpExtension();
    const signedIn = {
      ...toSignedIn(toProfile(asa), sinceMs),
      problem: { code, detail: trusted('login.example answered 503') },
    };
    const popup = await show(extension, signedIn);
    await popup.$eval('[data-region="feature"]', (region) => {
      for (let row = 0; row < 30; row += 1) region.append(document.createElement('button'));
      for (const button of region.querySelectorAll('button')) {
        button.textContent = 'A control of the feature';
        button.style.display = 'block';
      }
    });
    const covered: (string | null)[] = [];
    for (let step = 0; step < 30; step += 1) {
      await pressKey(popup, 'Tab');
      const found = await popup.evaluate(() => {
        const focused = document.activeElement;
        const notice = document.querySelector('.notice');
        if (focused === null || notice === null || notice.contains(focused)) return null;
        const [{ top, bottom }, edge] = [focused.getBoundingClientRect(), notice.getBoundingClientRect().top];
        return bottom > edge
          ? `${Math.round(top)} to ${Math.round(bottom)} behind ${Math.round(edge)}`
          : null;
      });
      if (found !== null) covered.push(found);
    }
    expect(covered).toEqual([]);
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
  await expect.poll(() => countCommands(extension), { timeout }).toBeGreaterThan(0);
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  const before = await countCommands(extension);
  // A tab in the background is not painted.
  await inTab(extension, async () => {
    await expect.poll(() => countCommands(extension), { timeout }).toBe(before + 1);
  });
});

declare const Cc: Record<
  string,
  {
    createInstance(id: unknown): {
      beginInputTransactionForTests(window: unknown): void;
      keydown(event: KeyboardEvent): void;
      keyup(event: KeyboardEvent): void;
    };
  }
>;
declare const Ci: { readonly nsITextInputProcessor: unknown };

/** Runs in Firefox's own window. Presses keys as the system does, so that they reach the browser's own shortcuts too. */
function pressKeys(names: string): void {
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
  const assigned = await browser.evaluateInExtension(() => chrome.commands.getAll());
  expect(assigned).toEqual([expect.objectContaining({ name, shortcut: keys })]);

  // Chromium's driver presses keys in pages only.
  if (browser.name === 'chrome') return;
  await browser.home.bringToFront();
  const firefox = await findBrowserWindow(browser.browser, await browser.home.windowId());
  await firefox.run(pressKeys, keys);
  await expect.poll(() => browser.findPopup(), { timeout }).not.toBeNull();
});

test.runIf(isOfThisBrowser(0))('a person signs out by keyboard, and the popup says so', async () => {
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
});

test.runIf(isOfThisBrowser(0))(
  'the popup shows a person’s picture, also when it is opened again, or the initials if there is none or it does not load',
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
    await expect.poll(readAvatar, { timeout }).toEqual({ pictureWidth: 96, initials: null });
    await extension.browser.closePopup();
    // This time it may have loaded before React.
    popup = await popupWith(extension, 'signed-in');
    await expect.poll(readAvatar, { timeout }).toEqual({ pictureWidth: 96, initials: null });

    await show(extension, toSignedIn(toProfile(asa), sinceMs));
    await expect.poll(readAvatar, { timeout }).toEqual({ pictureWidth: null, initials: 'ÅL' });

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

test.runIf(isOfThisBrowser(0))('a problem says what to do, and its details can be copied', async () => {
  const extension = await setUpExtension();
  await extension.demo.close();
  await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
  const popup = await popupWithProblem(extension, 'provider-unreachable');
  const problem = toRead(
    await popup.$eval('[data-problem]', (element) => (element as HTMLElement).innerText),
  );
  expect(problem).toContain(toRead(text('problem_provider_unreachable_what_to_do')));
  expect(problem).not.toContain('provider-unreachable');

  await press(popup, '[data-problem] summary');
  await press(popup, copyDetail);
  await expect
    .poll(() => popup.$eval(copyDetail, (button) => button.textContent), { timeout })
    .toBe(text('problem_copied'));
  const detail = await popup.$eval('[data-problem] code', (element) => element.innerText);
  expect(detail).toContain(new URL(extension.demo.issuer).host);

  expect(await paste(extension)).toBe(detail);
});
