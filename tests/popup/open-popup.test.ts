// @vitest-environment happy-dom
// The popup before React runs, and the start of React.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { boardKey } from '../../src/bridge/session/board.ts';
import { watchBoard } from '../../src/bridge/session/page-board.ts';
import { openPopup, type StartApp } from '../../src/popup/open-popup.tsx';
import { deferred } from '../support/deferred.ts';
import { english as text } from '../support/english.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';
import { adaSignedIn, signedOut, toBoard } from '../support/fake-observer.ts';

const signedIn = toBoard(adaSignedIn);
const signedOutBoard = toBoard(signedOut);

let container: HTMLElement;
let frames: (() => void)[];
/** How often React was loaded. */
let loads: number;
/** Whether React took over the static view, at each start. */
let starts: boolean[];
let area: FakeStorageArea;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
  performance.clearMarks();
  container = document.createElement('div');
  document.body.replaceChildren(container);
  [loads, starts] = [0, []];
  area = new FakeStorageArea();
});

afterEach(() => {
  document.body.replaceChildren();
});

const startApp: StartApp = (_container, _text, _board, hasFace) => void starts.push(hasFace);

function open(stored: FakeStorageArea = area): Promise<void> {
  return openPopup(container, text, 'full', watchBoard(stored), async () => {
    loads += 1;
    return startApp;
  });
}

async function paint(): Promise<void> {
  for (const callback of frames.splice(0)) callback();
  await vi.advanceTimersByTimeAsync(0);
}

/** A click that is the `count`th in quick succession. */
const toClick = (count: number) => new MouseEvent('click', { bubbles: true, detail: count });

function shownStatus(): string | undefined {
  return container.querySelector('main')?.dataset['status'];
}

describe('the popup', () => {
  test('shows a signed-in user before React is loaded, marks that paint, and then starts React', async () => {
    await area.set({ [boardKey]: signedIn });
    const opened = open();
    await vi.advanceTimersByTimeAsync(0);
    expect(shownStatus()).toBe('signed-in');
    expect(loads).toBe(0);
    await paint();
    await opened;
    expect(performance.getEntriesByName('latchkey:ready')).toHaveLength(1);
    expect(starts).toEqual([true]);
  });

  test('starts React at once for any other board, and for one that is not valid', async () => {
    for (const stored of [signedOutBoard, 'anything', { ...signedIn, version: 2 }, undefined]) {
      starts = [];
      await area.set({ [boardKey]: stored });
      await open();
      expect(container.childNodes).toHaveLength(0);
      expect(starts).toEqual([false]);
    }
  });

  test('starts React without a board if the storage does not answer, or fails', async () => {
    class SilentArea extends FakeStorageArea {
      override get = () => deferred<Record<string, unknown>>().promise;
    }
    const opened = open(new SilentArea());
    await vi.advanceTimersByTimeAsync(500);
    await opened;
    class FailingArea extends FakeStorageArea {
      override get = () => Promise.reject(new Error('The disk is full.'));
    }
    await open(new FailingArea());
    expect(starts).toEqual([false, false]);
  });

  test('lets React begin anew if the board has changed since', async () => {
    await area.set({ [boardKey]: signedIn });
    const opened = open();
    await vi.advanceTimersByTimeAsync(0);
    await area.set({ [boardKey]: signedOutBoard });
    await paint();
    await opened;
    expect(starts).toEqual([false]);
  });

  test.each<[string, (button: HTMLElement) => void, string[]]>([
    [
      'is repeated once React has started',
      (button) => button.querySelector('svg')?.dispatchEvent(toClick(1)),
      ['menu'],
    ],
    [
      'is not repeated by the second one of a double click',
      (button) => [1, 2].map((count) => button.dispatchEvent(toClick(count))),
      ['menu'],
    ],
    ['does nothing beside the buttons', () => container.click(), []],
    ['does nothing on a button that has gone', (button) => (button.click(), button.remove()), []],
  ])('lets a click wait that comes before React, which %s', async (_, click, repeated) => {
    await area.set({ [boardKey]: signedIn });
    const opened = open();
    await vi.advanceTimersByTimeAsync(0);
    const pressed: string[] = [];
    const button = container.querySelector<HTMLElement>('#account-button');
    // React listens to the container.
    container.addEventListener('click', () => pressed.push(starts.length > 0 ? 'menu' : 'too early'));
    if (button !== null) click(button);
    expect(pressed).toEqual([]);
    await paint();
    await opened;
    expect(pressed).toEqual(repeated);
    container.querySelector('button')?.click();
    expect(pressed).toEqual([...repeated, 'menu']);
  });
});
