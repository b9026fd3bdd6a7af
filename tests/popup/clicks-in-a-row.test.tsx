// @vitest-environment happy-dom
// Two and three clicks in quick succession press one thing once.

import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command } from '../../src/session/commands.ts';
import { english as text } from '../support/english.ts';
import { ada, adaSignedIn, nobody, toView } from '../support/fake-observer.ts';
import { renderPopup, signingIn } from '../support/render-popup.tsx';

/** The time of the clicks, which the document takes from its clock. */
let nowMs = 0;

beforeEach(() => {
  nowMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

function click(name: string, afterMs: number, clientX = 100): void {
  nowMs += afterMs;
  fireEvent.click(screen.getByRole('button', { name }), { detail: 1, clientX });
}

const anotherAccount = text('signedOut_anotherAccount');
const cancel = text('signingIn_cancel');
const types = (commands: readonly Command[]) => commands.map(({ type }) => type);

describe('after "Use another account"', () => {
  /** Clicks it, and then "Cancel" after each of these pauses. */
  async function clickIt(pauses: readonly number[] = []) {
    const popup = renderPopup(toView({ ...nobody, lastAccount: ada }));
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
    const { observer, show } = renderPopup(toView({ ...nobody, lastAccount: ada }));
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
