// @vitest-environment happy-dom
// Limits the code that you read to follow the popup to its first paint, and through a click. `npm run trips` prints the figures.

import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Line } from '../../src/bridge/line/line.ts';
import { boardKey } from '../../src/bridge/session/board.ts';
import { observeSession } from '../../src/bridge/session/observer.ts';
import { watchBoard } from '../../src/bridge/session/page-board.ts';
import { App } from '../../src/popup/App.tsx';
import { createText } from '../../src/popup/i18n/text.ts';
import { openPopup } from '../../src/popup/open-popup.tsx';
import { PageContext } from '../../src/popup/page.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';
import { adaSignedIn, signedOut, signingIn, toBoard } from '../support/fake-observer.ts';
import { toPage } from '../support/page.ts';
import { turns } from '../support/turns.ts';
import { trace, type Trip } from './trace.ts';

vi.mock('webextension-polyfill', () => ({ default: { storage: {}, runtime: {}, i18n: {} } }));
/** React and the storage work in tasks of their own. */
const settle = () => turns(50);

function expectWithin(trip: Trip, functions: number, changesOfFile: number) {
  expect(trip.files).toBeGreaterThan(10);
  expect(trip.functions).toBeLessThanOrEqual(functions);
  expect(trip.changesOfFile).toBeLessThanOrEqual(changesOfFile);
}

test('popup’s first paint', async ({ task }) => {
  const area = new FakeStorageArea();
  await area.set({ [boardKey]: toBoard(adaSignedIn) });
  const container = document.createElement('div');
  const neverLoaded = () => new Promise<never>(() => undefined);
  const trip = await trace(async () => {
    const text = createText((key) => key, 'en');
    void openPopup(container, text, 'full', watchBoard(area), neverLoaded);
    await settle();
  });
  task.meta.trip = trip;
  expect(container.querySelector('main')?.dataset['status']).toBe('signed-in');
  expectWithin(trip, 50, 32);
});

test('popup’s click', async ({ task }) => {
  const area = new FakeStorageArea();
  await area.set({ [boardKey]: toBoard(signedOut) });
  const line: Line = (_to, _content, _transfer, { onMessage }) => {
    setTimeout(() => onMessage({ ok: true }));
    return () => undefined;
  };
  const observer = observeSession({ board: watchBoard(area), line });
  render(
    <PageContext value={toPage()}>
      <App observer={observer} />
    </PageContext>,
  );
  await act(settle);
  const trip = await trace(async () => {
    const button = screen.getByRole('button', { name: /Demo/ });
    fireEvent.pointerOver(button);
    fireEvent.click(button, { detail: 1 });
    await act(async () => {
      await area.set({ [boardKey]: toBoard(signingIn) });
      await settle();
    });
  });
  task.meta.trip = trip;
  expect(document.querySelector('main')?.dataset['status']).toBe('signing-in');
  expectWithin(trip, 72, 66);
});
