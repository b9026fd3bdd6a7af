// @vitest-environment happy-dom
// A click: the worker is woken before it, so that it does not wait for the worker's start, and two or three in quick succession
// press one thing once.

import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command, Reply } from '../../src/session/commands.ts';
import { deferred } from '../support/deferred.ts';
import { english as text } from '../support/english.ts';
import { ada, adaSignedIn, signedOut, signingIn, toView } from '../support/fake-observer.ts';
import { renderPopup } from '../support/render-popup.tsx';

/** The time of the events, which the document takes from its clock. */
let nowMs = 0;

beforeEach(() => {
  nowMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

function click(name: string, afterMs: number, clientX = 100): void {
  nowMs += afterMs;
  fireEvent.click(screen.getByRole('button', { name }), { detail: 1, clientX });
}

const renderLastAccount = () => renderPopup(toView({ ...signedOut, accounts: [ada] }));

const anotherAccount = text('signedOut_anotherAccount');
const cancel = text('signingIn_cancel');
const types = (commands: readonly Command[]) => commands.map(({ type }) => type);

describe('after "Use another account"', () => {
  /** Clicks it, and then "Cancel" after each of these pauses. */
  async function clickIt(pauses: readonly number[] = []) {
    const popup = renderLastAccount();
    click(anotherAccount, 0);
    await popup.show(signingIn);
    for (const pauseMs of pauses) click(cancel, pauseMs);
    return popup.observer;
  }

  test.each([
    ['the second of two clicks', [300]],
    ['the third of three clicks', [200, 200]],
    ['the fifth of five clicks', [400, 400, 400, 400]],
  ])('%s does not press "Cancel", which is in the same place', async (_, pauses) => {
    expect(types((await clickIt(pauses)).commands)).toEqual(['use-another-account']);
  });

  test('a third click does not press it either if the screen changed after the second', async () => {
    const { observer, show } = renderLastAccount();
    click(anotherAccount, 0);
    click(anotherAccount, 200);
    await show(signingIn);
    click(cancel, 200);
    expect(types(observer.commands)).toEqual(['use-another-account', 'use-another-account']);
  });

  test.each([
    ['a click a moment later', [], () => click(cancel, 600)],
    ['a click in another place', [], () => click(cancel, 200, 110)],
    ['a click a moment after three', [200, 200], () => click(cancel, 600)],
    ['the keyboard, at once,', [], () => screen.getByRole('button', { name: cancel }).click()],
  ])('%s presses it', async (_, pauses, press) => {
    const { commands } = await clickIt(pauses);
    press();
    expect(types(commands)).toEqual(['use-another-account', 'cancel']);
  });
});

test('the second click on an item of the menu does not press the feature below it', async () => {
  const pressed = vi.fn();
  renderPopup(toView(adaSignedIn), {
    createFeature: () => () => (
      <button type="button" onClick={pressed}>
        below
      </button>
    ),
  });
  await act(async () => undefined);
  click(text('signedIn_account'), 0);
  nowMs += 1_000;
  fireEvent.click(screen.getByRole('menuitem', { name: text('report_copy') }), { detail: 1, clientX: 100 });
  click('below', 200);
  expect(pressed).not.toHaveBeenCalled();
  click('below', 600);
  expect(pressed).toHaveBeenCalledOnce();
});

const continueAs = () => screen.getByRole('button', { name: /^Continue as/ });

test.each<[string, (element: Element) => void]>([
  ['the pointer comes to', (element) => fireEvent.pointerOver(element)],
  ['the pointer goes down on', (element) => fireEvent.pointerDown(element)],
  ['the focus reaches', (element) => act(() => (element as HTMLElement).focus())],
])('the worker is woken when %s the button of a provider', (_title, reach) => {
  const { commands } = renderLastAccount().observer;
  reach(continueAs());
  expect(types(commands)).toEqual(['prepare']);
});

test('the worker is woken when the pointer comes to the button of the menu with the sign-out', () => {
  const { commands } = renderPopup(toView(adaSignedIn)).observer;
  fireEvent.pointerOver(document.querySelector('#account-button')!);
  expect(types(commands)).toEqual(['prepare']);
});

test('a button that signs no one in wakes nothing', () => {
  const { commands } = renderLastAccount().observer;
  fireEvent.pointerDown(screen.getByRole('button', { name: anotherAccount }));
  expect(commands).toEqual([]);
});

test('the worker is woken once for a press, and again when it may be asleep again', () => {
  const { commands } = renderLastAccount().observer;
  fireEvent.pointerOver(continueAs());
  nowMs += 80;
  fireEvent.pointerDown(continueAs());
  fireEvent.click(continueAs());
  expect(types(commands)).toEqual(['prepare', 'sign-in']);
  nowMs += 30_000;
  fireEvent.pointerDown(continueAs());
  expect(types(commands)).toEqual(['prepare', 'sign-in', 'prepare']);
});

test('a pressed button is busy until the worker has replied', async () => {
  const { observer } = renderLastAccount();
  const reply = deferred<Reply>();
  observer.reply = () => reply.promise;
  const [chosen, other] = [continueAs(), screen.getByRole('button', { name: anotherAccount })];
  const areBusy = () => [chosen, other].map((button) => button.getAttribute('aria-busy'));
  fireEvent.click(chosen);
  expect(areBusy()).toEqual(['true', null]);
  await act(async () => reply.resolve({ ok: true }));
  expect(areBusy()).toEqual([null, null]);
});
