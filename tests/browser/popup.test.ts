// The popup in use: by keyboard, with large text, in a window that keeps its size. A test that needs no real sign-in
// writes the board in place of the worker.

import type { KeyInput, Page } from 'puppeteer-core';
import { expect, inject, test } from 'vitest';
import type { Board } from '../../src/bridge/session/board.ts';
import { trusted } from '../../src/session/detail.ts';
import { problemCodes } from '../../src/session/problem.ts';
import {
  signedOut,
  toSignedIn,
  type AccountHint,
  type Profile,
  type Session,
  type SignedIn,
  type SignedOut,
  type SigningIn,
} from '../../src/session/session.ts';
import { findBrowserWindow } from '../../tools/browser/firefox-window.ts';
import { english as text, toRead } from '../support/english.ts';
import { asa, marisol, type Person } from '../../tools/demo-provider/people.ts';
import {
  approve,
  manifest,
  popupWith,
  press,
  problemOf,
  readStorage,
  setUpExtension,
  signIn,
  startSignIn,
  type Extension,
} from '../support/browser/setup.ts';
import { inTab } from '../support/browser/sample.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import { isLong } from '../support/extent.ts';

/** Far longer than any step here takes. */
const timeout = 10_000;
const menuButton = '[aria-haspopup="menu"]';
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

const longest: Profile = {
  ...toProfile(asa),
  name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maximiliana Theodora of the Seven Hills',
  email: 'maximiliana.theodora.wolfeschlegelsteinhausenbergerdorff@a-rather-long-department.example.org',
};

function toProfile({ id, name, email }: Person, picture: string | null = null): Profile {
  return { providerId: 'demo', subject: id, name, email, emailVerified: true, picture };
}

interface ExtensionPage {
  readonly chrome: {
    readonly storage: {
      readonly local: {
        get(): Promise<{ readonly board: Board }>;
        set(items: { readonly board: Board }): Promise<void>;
        clear(): Promise<void>;
      };
      readonly onChanged: { addListener(listener: () => void): void };
    };
  };
}

/** Writes another board than the worker's. It stays until the worker's session changes or the next worker starts. */
async function show(extension: Extension, session: Session, changes: Partial<Board> = {}): Promise<Page> {
  const popup = await extension.browser.openPopup();
  // The worker writes the first board.
  await popup.waitForSelector('main:not([data-status="starting"])');
  await popup.evaluate(
    async (changed) => {
      const { storage } = (globalThis as unknown as ExtensionPage).chrome;
      const { board } = await storage.local.get();
      // The popup already listens, so its listener runs before this one.
      const told = new Promise<void>((resolve) => storage.onChanged.addListener(resolve));
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

async function readMenu(popup: Page): Promise<object> {
  const [isShown, expanded] = await popup.evaluate(() => [
    document.querySelector('[role="menu"]')?.checkVisibility(),
    document.querySelector('[aria-haspopup="menu"]')?.getAttribute('aria-expanded'),
  ]);
  return { isShown, expanded, focus: await findFocus(popup) };
}

test.runIf(isOfThisBrowser(0))(
  'each state has one main element with one heading and one status region, in a window that keeps its size',
  async () => {
    const extension = await setUpExtension();
    const readShape = async (status: string) => {
      const popup = await popupWith(extension, status);
      return popup.evaluate(() => ({
        parts: ['main', 'h1', '[role="status"]'].map((part) => document.querySelectorAll(part).length),
        page: [document.documentElement.lang, document.documentElement.dir, document.title],
        content: [document.body.offsetWidth, document.documentElement.offsetHeight],
        window: [innerWidth, innerHeight],
      }));
    };
    const [, height] = (await readShape('signed-out')).content;
    const size = [360, height];
    const shape = {
      parts: [1, 1, 1],
      page: ['en-US', 'ltr', text('extensionName')],
      content: size,
      window: size,
    };
    await expect.poll(() => readShape('signed-out'), { timeout }).toEqual(shape);
    const window = await startSignIn(extension);
    await expect.poll(() => readShape('signing-in'), { timeout }).toEqual(shape);
    await approve(window);
    await expect.poll(() => readShape('signed-in'), { timeout }).toEqual(shape);
  },
);

test.runIf(isOfThisBrowser(1))(
  'no notice changes the window’s size or moves a button or the feature',
  async () => {
    const extension = await setUpExtension();
    const lastAccount: AccountHint = toProfile(asa);
    const signedIn = toSignedIn(toProfile(asa), sinceMs);
    const settledSessions: readonly (SignedOut | SignedIn)[] = [
      { ...signedOut, lastAccount },
      signedOut,
      signedIn,
    ];
    const moved: string[] = [];
    for (const [nth, settled] of settledSessions.entries()) {
      const popup = await show(extension, settled);
      const { board } = await readStorage(extension);
      const problems = problemCodes
        .filter((_, index) => isLong || index % settledSessions.length === nth)
        .map((code) => ({ code, detail: 'login.example answered 503' }));
      const found = await popup.evaluate(
        async (shown, codes) => {
          const { storage } = (globalThis as unknown as ExtensionPage).chrome;
          const readPlaces = () => {
            const places = [
              ...document.querySelectorAll('html, .actions button, header button, [data-region]'),
            ];
            return JSON.stringify(
              places.map((element) => {
                const { x, y, width } = element.getBoundingClientRect();
                return [element.tagName, x, y, width, element.matches('html') ? innerHeight : 0];
              }),
            );
          };
          const before = readPlaces();
          const different: string[] = [];
          for (const problem of codes) {
            await storage.local.set({ board: { ...shown, session: { ...shown.session, problem } } as Board });
            const isShown = () => document.querySelector(`[data-problem="${problem.code}"]`) !== null;
            while (!isShown()) await new Promise((painted) => requestAnimationFrame(painted));
            // The window gets its size after the paint.
            for (let frame = 0; frame < 2; frame += 1)
              await new Promise((painted) => requestAnimationFrame(painted));
            if (readPlaces() !== before) different.push(problem.code);
          }
          return different;
        },
        board as Board,
        problems,
      );
      moved.push(...found.map((code) => `${settled.status}: ${code}`));
    }
    expect(moved).toEqual([]);
  },
);

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

// The test sends the clicks as events, which are the same in each browser.
test.runIf(isOfThisBrowser(1))(
  'the second click of a double click does not press what has appeared under the pointer',
  async () => {
    const extension = await setUpExtension();
    /** Clicks, changes the view, and clicks again a little to the right. Returns how many clicks the new view noticed. */
    const clickTwice = async (distance: number): Promise<{ noticed: number; elapsedMs: number }> => {
      const popup = await show(extension, { ...signedOut, lastAccount: toProfile(asa) });
      const { board } = await readStorage(extension);
      return popup.evaluate(
        async (signingInBoard, offset) => {
          const click = (element: Element | null, clientX: number) => {
            const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX });
            element?.dispatchEvent(event);
            return event.timeStamp;
          };
          const firstMs = click(document.querySelector('h1'), 100);
          const { storage } = (globalThis as unknown as ExtensionPage).chrome;
          await storage.local.set({ board: signingInBoard });
          let title: Element | null = null;
          while ((title = document.querySelector('[data-status="signing-in"] h1')) === null) {
            await new Promise((painted) => requestAnimationFrame(painted));
          }
          let noticed = 0;
          title.addEventListener('click', () => (noticed += 1));
          return { elapsedMs: click(title, 100 + offset) - firstMs, noticed };
        },
        { ...board, session: signingIn } as Board,
        distance,
      );
    };
    // Two clicks that are more than 500 ms apart are no double click.
    const clickFast = async (distance: number) => {
      const { elapsedMs, noticed } = await clickTwice(distance);
      return elapsedMs < 500 ? noticed : 'too slow';
    };
    await expect.poll(() => clickFast(0), { timeout }).toBe(0);
    await expect.poll(() => clickFast(20), { timeout }).toBe(1);
  },
);

test.runIf(isOfThisBrowser(1))(
  'a popup without a board makes the worker write one, and is marked as ready once',
  async () => {
    const extension = await setUpExtension();
    await popupWith(extension, 'signed-out');
    await extension.browser.closePopup();
    await extension.browser.stopWorker();
    await extension.browser.evaluateInExtension(async () => {
      await (globalThis as unknown as ExtensionPage).chrome.storage.local.clear();
    });
    expect(await readStorage(extension)).toEqual({});

    const popup = await popupWith(extension, 'signed-out');
    const countMarks = () => popup.evaluate(() => performance.getEntriesByName('latchkey:ready').length);
    await expect.poll(countMarks, { timeout }).toBe(1);
    await show(extension, toSignedIn(toProfile(asa), sinceMs));
    await popup.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    expect(await countMarks()).toBe(1);
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
    const { chrome } = globalThis as unknown as {
      chrome: { commands: { getAll(): Promise<readonly object[]> } };
    };
    return chrome.commands.getAll();
  });
  expect(assigned).toEqual([expect.objectContaining({ name, shortcut: keys })]);

  // Chromium's driver presses keys in pages only.
  if (browser.name === 'chrome') return;
  await browser.home.bringToFront();
  const firefox = await findBrowserWindow(browser.browser, await browser.home.windowId());
  await firefox.run(pressKeys, keys);
  await expect.poll(() => browser.findPopup(), { timeout }).not.toBeNull();
});

test.runIf(isOfThisBrowser(0))(
  'the Tab key begins at the most likely control and shows the focus',
  async () => {
    const extension = await setUpExtension();
    for (const [session, first] of [
      [signingIn, 'show-window'],
      [toSignedIn(toProfile(asa), sinceMs), 'menu'],
      [signedOut, 'demo'],
    ] as const) {
      await show(extension, session);
      await extension.browser.closePopup();
      const popup = await popupWith(extension, session.status);
      expect(await findFocus(popup)).toBe('BODY');
      await pressKey(popup, 'Tab');
      expect(await findFocus(popup)).toBe(first);
      expect(await popup.$eval(':focus', (focused) => getComputedStyle(focused).outline)).toContain(
        'solid 2px',
      );
    }
  },
);

test.runIf(isOfThisBrowser(0))(
  'a screen that disappears with the focus in it passes the focus to the next heading, any other does not',
  async () => {
    const extension = await setUpExtension();
    const signedIn = toSignedIn(toProfile(asa), sinceMs);
    const popup = await show(extension, signingIn);
    await show(extension, signedIn);
    expect(await findFocus(popup)).toBe('BODY');
    await pressKey(popup, 'Tab');
    await show(extension, { ...signingIn, before: signedIn });
    expect(await findFocus(popup)).toBe('H1');
    await pressKey(popup, 'Tab');
    expect(await findFocus(popup)).toBe('show-window');
    await show(extension, signedOut);
    expect(await findFocus(popup)).toBe('H1');
  },
);

test.runIf(isOfThisBrowser(0))(
  'the account menu opens, moves and closes with the standard keys of menus',
  async () => {
    const extension = await setUpExtension();
    const providers = [{ id: 'demo', name: 'Demo provider', endsSession: true }];
    const popup = await show(extension, toSignedIn(toProfile(asa), sinceMs), { providers });
    const steps: readonly (readonly [KeyInput, isOpen: boolean, focus: string])[] = [
      ['Tab', false, 'menu'],
      ['Enter', true, 'use-another-account'],
      ['ArrowDown', true, 'copy-report'],
      ['ArrowDown', true, 'sign-out'],
      ['ArrowDown', true, 'sign-out-everywhere'],
      ['ArrowDown', true, 'use-another-account'],
      ['ArrowUp', true, 'sign-out-everywhere'],
      ['Home', true, 'use-another-account'],
      ['End', true, 'sign-out-everywhere'],
      ['s', true, 'sign-out'],
      ['S', true, 'sign-out-everywhere'],
      ['s', true, 'sign-out'],
      ['x', true, 'sign-out'],
      ['u', true, 'use-another-account'],
      ['Escape', false, 'menu'],
      [' ', true, 'use-another-account'],
      ['Escape', false, 'menu'],
      ['ArrowDown', true, 'use-another-account'],
      ['Escape', false, 'menu'],
      ['ArrowUp', true, 'sign-out-everywhere'],
    ];
    for (const [key, isOpen, focus] of steps) {
      await pressKey(popup, key);
      const menu = { isShown: isOpen, expanded: String(isOpen), focus };
      expect({ key, ...(await readMenu(popup)) }).toEqual({ key, ...menu });
    }
    await pressKey(popup, 'Tab');
    expect(await readMenu(popup)).toMatchObject({ isShown: false, expanded: 'false' });
  },
);

test.runIf(isOfThisBrowser(1))(
  'the account menu opens with a click, closes with a second one or one elsewhere, and stays in the document',
  async () => {
    const extension = await setUpExtension();
    const popup = await show(extension, toSignedIn(toProfile(asa), sinceMs));
    const closed = { isShown: false, expanded: 'false' };
    for (const clickAway of [() => press(popup, menuButton), () => popup.mouse.click(20, 250)]) {
      expect(await readMenu(popup)).toMatchObject(closed);
      expect(await popup.$('[data-action="sign-out"]')).not.toBeNull();
      await press(popup, menuButton);
      expect(await readMenu(popup)).toMatchObject({ isShown: true, expanded: 'true' });
      await clickAway();
      expect(await readMenu(popup)).toMatchObject(closed);
    }
  },
);

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
  'the popup shows a person’s picture, or the initials if there is none or it does not load',
  async () => {
    const extension = await setUpExtension();
    const popup = await signIn(extension);
    const readAvatar = () =>
      popup.evaluate(() => {
        const picture = document.querySelector<HTMLImageElement>('.avatar img');
        return {
          pictureWidth: picture?.checkVisibility() ? picture.naturalWidth : null,
          initials: document.querySelector('.avatar .tile')?.textContent ?? null,
        };
      });
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

test.runIf(isOfThisBrowser(0))(
  'a popup that is opened again shows the picture, which may have loaded before React',
  async () => {
    const extension = await setUpExtension();
    await signIn(extension);
    await extension.browser.closePopup();
    const popup = await popupWith(extension, 'signed-in');
    const readPicture = () =>
      popup.evaluate(() => {
        const picture = document.querySelector<HTMLImageElement>('.avatar img');
        return picture?.checkVisibility() ? picture.naturalWidth : null;
      });
    await expect.poll(readPicture, { timeout }).toBe(96);
  },
);

// Firefox runs no script of ours at the start of an extension's page.
test.runIf(inject('browserName') === 'chrome')(
  'a click on the first face, before React is there, opens the menu all the same',
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
  expect(await problemOf(popup)).toBe('provider-unreachable');
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

test.runIf(isOfThisBrowser(1))('the menu copies a report, and the popup says so', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await press(popup, menuButton);
  await press(popup, '[data-action="copy-report"]');
  const readStatus = () => popup.$eval('[role="status"]', (region) => (region as HTMLElement).innerText);
  await expect.poll(readStatus, { timeout }).toBe(text('report_copied'));
  expect(await findFocus(popup)).toBe('menu');
  const report = await paste(extension);
  expect(report).toContain('signed-in');
  for (const secret of [marisol.name, marisol.email, marisol.id]) expect(report).not.toContain(secret);
});

test.runIf(isOfThisBrowser(0))('a person finds one of many providers by its name', async () => {
  const extension = await setUpExtension({ places: 29 });
  const popup = await popupWith(extension, 'signed-out');
  const readProviders = () =>
    popup.$$eval('[data-provider]', (buttons) =>
      buttons.map((button) => button.getAttribute('data-provider')),
    );
  const all = await readProviders();
  expect(all).toEqual(['demo', ...Array.from({ length: 29 }, (_, index) => `place-${index + 1}`)]);
  // The search field has the focus from the beginning.
  await popup.waitForFunction(() => document.activeElement?.matches('[type="search"]'));
  await popup.keyboard.type('pláce 17');
  expect(await readProviders()).toEqual(['place-17']);
  await popup.keyboard.type('0');
  expect(await readProviders()).toEqual([]);
  const shown = toRead(await popup.$eval('main', (main) => main.innerText));
  expect(shown).toContain(toRead(text('signedOut_noMatch', 'pláce 170')));
});

test.runIf(isOfThisBrowser(0))(
  'each target is large enough and nothing overflows at any text size',
  async () => {
    const extension = await setUpExtension();
    const problem = {
      code: 'host-permission-missing',
      detail: trusted(`${'login.'.repeat(20)}example`),
    } as const;
    const lastAccount = { ...longest, providerId: 'place-1' };
    const providers = Array.from({ length: 30 }, (_, index) => ({
      id: `place-${index}`,
      name: `${'Long'.repeat(index)} place`,
      endsSession: true,
    }));
    const states: readonly (readonly [string, Session, Partial<Board>?])[] = [
      ['nobody', { ...signedOut, problem }],
      ['many providers', signedOut, { providers }],
      ['last account', { ...signedOut, lastAccount }, { providers: providers.slice(0, 4) }],
      ['signing in', { ...signingIn, providerId: 'place-20' }, { providers }],
      ['signing in for long', { ...signingIn, startedAtMs: 0 }],
      [
        'signed in',
        { ...toSignedIn({ ...longest, providerId: 'place-20' }, sinceMs), problem },
        { providers },
      ],
    ];
    const faults: string[] = [];
    for (const [name, session, changes] of states) {
      const popup = await show(extension, session, changes);
      for (const size of ['100%', '200%']) {
        const found = await popup.evaluate((fontSize) => {
          document.documentElement.style.fontSize = fontSize;
          for (const details of document.querySelectorAll('details')) details.open = true;
          document.querySelector<HTMLElement>('[aria-haspopup][aria-expanded="false"]')?.click();

          const { clientWidth, scrollWidth } = document.documentElement;
          const shown = [...document.querySelectorAll('main *')].filter((element) =>
            element.checkVisibility(),
          );
          const isSmall = (element: Element) => {
            const { width, height } = element.getBoundingClientRect();
            return element.matches('button, summary, input') && Math.min(width, height) < 32;
          };
          const isBeyond = (element: Element) => {
            const { left, right } = element.getBoundingClientRect();
            const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
            return left < 0 || right > clientWidth || (scrolls && element.scrollWidth > element.clientWidth);
          };
          return [
            ...(scrollWidth > clientWidth ? ['scrolls sideways'] : []),
            ...shown.filter(isSmall).map((element) => `small: ${element.outerHTML}`),
            ...shown.filter(isBeyond).map((element) => `beyond the edge: ${element.outerHTML}`),
          ];
        }, size);
        faults.push(...found.map((fault) => `${name} at ${size}: ${fault.slice(0, 150)}`));
      }
    }
    expect(faults).toEqual([]);
  },
);
