// The sample in docs/sample, which people copy: its list, its form, its badge and its work in the background.

import type { ServerResponse } from 'node:http';
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import { findViolations } from '../support/browser/axe.ts';
import {
  popupWith,
  press,
  readBadge,
  setUpExtension,
  signIn,
  type Extension,
} from '../support/browser/setup.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

vi.setConfig({ testTimeout: 120_000 });

const key = 'feature:tasks';
const manifest = { permissions: ['identity', 'storage', 'alarms'] };

const textsOf = (page: Page) =>
  page.$$eval('[data-region="feature"] li', (items) => items.map((item) => item.innerText));
const said = (page: Page) => page.$eval('[data-region="feature"] output', (output) => output.value);

/** The feature's list and alarm, which it keeps in the browser. */
const readKept = ({ browser }: Extension) =>
  browser.evaluateInExtension(async (name) => {
    const { alarms, storage } = (globalThis as unknown as ExtensionGlobal).chrome;
    const names = (await alarms.getAll()).map((alarm) => alarm.name);
    return { isStored: name in (await storage.local.get(name)), alarms: names };
  }, key);

/** Adds a task as another program of the user does. */
async function addElsewhere({ demo }: Extension, text: string): Promise<void> {
  const calls = demo.issuedTokens.map((token) =>
    fetch(`${demo.issuer}/api/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ text }),
    }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  // The others are no access tokens.
  expect(statuses.filter((status) => status !== 401)).toEqual([201]);
}

test('the complete sample shows, searches and adds tasks, refreshes them in the background, and leaves nothing after the sign-out', async () => {
  const extension = await setUpExtension({ feature: 'complete', manifest });
  const { browser } = extension;
  const popup = await signIn(extension);
  await expect.poll(() => said(popup)).toBe('Tasks: 3');
  const first = await textsOf(popup);
  expect(first).toHaveLength(3);
  await expect.poll(() => readBadge(browser)).toBe('3');
  // Its style sheet is loaded before it.
  expect(await popup.$eval('[data-region="feature"] form', (form) => getComputedStyle(form).display)).toBe(
    'flex',
  );

  expect(await findViolations(popup)).toEqual([]);

  await popup.focus('input[type="search"]');
  await popup.keyboard.type('LISBON');
  expect(await said(popup)).toBe('Tasks: 1 of 3');
  expect(await textsOf(popup)).toEqual(first.filter((text) => text.includes('Lisbon')));
  await popup.keyboard.type(' zzz');
  expect(await said(popup)).toBe('No task contains “LISBON zzz”.');
  await popup.$eval('input[type="search"]', (input) => input.select());
  await popup.keyboard.press('Backspace');

  await popup.focus('[aria-label="New task"]');
  await popup.keyboard.type('Buy bread');
  await popup.keyboard.press('Enter');
  await expect.poll(() => said(popup)).toBe('“Buy bread” was added.');
  expect(await textsOf(popup)).toEqual(['Buy bread', ...first]);
  await expect.poll(() => readBadge(browser)).toBe('4');

  await browser.closePopup();
  await browser.stopWorker();
  await addElsewhere(extension, 'Call Åsa');
  await browser.evaluateInExtension(async () => {
    const { alarms } = (globalThis as unknown as ExtensionGlobal).chrome;
    const [alarm] = await alarms.getAll();
    // The feature's own alarm, earlier.
    await alarms.create(alarm?.name ?? 'none', { when: Date.now() });
  });
  await expect.poll(() => readBadge(browser)).toBe('5');

  const again = await popupWith(extension, 'signed-in');
  await expect.poll(() => textsOf(again)).toEqual(['Call Åsa', 'Buy bread', ...first]);
  await press(again, '#account-button');
  await press(again, '[data-action="sign-out"]');
  await popupWith(extension, 'signed-out');
  await expect.poll(() => readKept(extension)).toEqual({ isStored: false, alarms: [] });
  expect(await readBadge(browser)).toBe('');
});

test('the complete sample says that it loads, that it failed, and that there are no tasks', async () => {
  const waiting: ServerResponse[] = [];
  let status: number | null = null;
  const answerAll = () => {
    if (status === null) return;
    for (const response of waiting.splice(0)) response.writeHead(status).end('{"tasks":[]}');
  };
  const answer = (next: number) => {
    status = next;
    answerAll();
  };
  const server = await listenOnLoopback(0);
  onTestFinished(() => server.close());
  server.serve((_request, response) => {
    waiting.push(response);
    answerAll();
  });
  const apiOrigins = [`http://localhost:${server.port}`];
  const extension = await setUpExtension({ feature: 'complete', manifest, configuration: { apiOrigins } });

  const popup = await signIn(extension);
  await expect.poll(() => said(popup)).toBe('Loading your tasks…');
  answer(500);
  await expect.poll(() => said(popup)).toBe('Your tasks couldn’t be loaded.');
  const tryAgain = '[data-region="feature"] > button';
  answer(200);
  await press(popup, tryAgain);
  await expect.poll(() => said(popup)).toBe('You have no tasks. Add the first one.');
  expect(await popup.$(tryAgain)).toBeNull();
  expect(await readBadge(extension.browser)).toBe('');

  await popup.focus('[aria-label="New task"]');
  await popup.keyboard.type('Buy bread');
  answer(503);
  await popup.keyboard.press('Enter');
  await expect.poll(() => said(popup)).toBe('The task couldn’t be added. Try again.');
  expect(await popup.$eval('[aria-label="New task"]', (input) => (input as HTMLInputElement).value)).toBe(
    'Buy bread',
  );
});
