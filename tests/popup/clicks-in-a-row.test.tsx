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
  async function clickIt() {
    const popup = renderPopup(toView({ ...nobody, lastAccount: ada }));
    click(anotherAccount, 0);
    await popup.show(signingIn);
    return popup.observer;
  }

  test.each([
    ['the second of two clicks', [300]],
    ['the third of three clicks', [200, 200]],
    ['the fifth of five clicks', [400, 400, 400, 400]],
  ])('%s does not press "Cancel", which is in the same place', async (_, pauses) => {
    const { commands } = await clickIt();
    for (const pauseMs of pauses) click(cancel, pauseMs);
    expect(types(commands)).toEqual(['use-another-account']);
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
    ['a moment later', 600, 100],
    ['in another place', 200, 110],
  ])('a click %s presses it', async (_, afterMs, clientX) => {
    const { commands } = await clickIt();
    click(cancel, afterMs, clientX);
    expect(types(commands)).toEqual(['use-another-account', 'cancel']);
  });

  test('a click a moment after three presses it', async () => {
    const { commands } = await clickIt();
    for (const pauseMs of [200, 200, 600]) click(cancel, pauseMs);
    expect(types(commands)).toEqual(['use-another-account', 'cancel']);
  });

  test('the keyboard presses it at once', async () => {
    const { commands } = await clickIt();
    fireEvent.click(screen.getByRole('button', { name: cancel }), { detail: 0, clientX: 100 });
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
