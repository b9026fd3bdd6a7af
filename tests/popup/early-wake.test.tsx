// @vitest-environment happy-dom
// The worker is woken when the person is about to click, so that the click does not wait for its start.

import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Command } from '../../src/session/commands.ts';
import { english as text } from '../support/english.ts';
import { ada, adaSignedIn, nobody, toView } from '../support/fake-observer.ts';
import { renderPopup } from '../support/render-popup.tsx';

/** The time of the events, which the document takes from its clock. */
let nowMs = 0;

beforeEach(() => {
  nowMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

const types = (commands: readonly Command[]) => commands.map(({ type }) => type);
const button = (name: RegExp | string) => screen.getByRole('button', { name });
const continueAs = () => button(/Ada/);

function setUp() {
  return renderPopup(toView({ ...nobody, lastAccount: ada })).observer;
}

test.each<[string, (element: Element) => void]>([
  ['the pointer comes to', (element) => fireEvent.pointerOver(element)],
  ['the pointer goes down on', (element) => fireEvent.pointerDown(element)],
  ['the focus reaches', (element) => act(() => (element as HTMLElement).focus())],
])('the worker is woken when %s the button of a provider', (_title, reach) => {
  const { commands } = setUp();
  reach(continueAs());
  expect(types(commands)).toEqual(['prepare']);
});

test('the worker is woken when the pointer comes to the button of the menu with the sign-out', () => {
  const { commands } = renderPopup(toView(adaSignedIn)).observer;
  fireEvent.pointerOver(document.querySelector('#account-button')!);
  expect(types(commands)).toEqual(['prepare']);
});

test('a button that signs no one in wakes nothing', () => {
  const { commands } = setUp();
  fireEvent.pointerDown(button(text('signedOut_anotherAccount')));
  expect(commands).toEqual([]);
});

test('the worker is woken once for a press, and again when it may be asleep again', () => {
  const { commands } = setUp();
  fireEvent.pointerOver(continueAs());
  nowMs += 80;
  fireEvent.pointerDown(continueAs());
  fireEvent.click(continueAs());
  expect(types(commands)).toEqual(['prepare', 'sign-in']);
  nowMs += 30_000;
  fireEvent.pointerDown(continueAs());
  expect(types(commands)).toEqual(['prepare', 'sign-in', 'prepare']);
});
