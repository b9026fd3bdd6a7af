// @vitest-environment happy-dom
// The account menu, by the menu button pattern of the ARIA Authoring Practices.

import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { english as text } from '../support/english.ts';
import { adaSignedIn, signedOut, signingIn, toView } from '../support/fake-observer.ts';
import { pressKey } from '../support/keyboard.ts';
import { renderPopup } from '../support/render-popup.tsx';

const providers = [{ id: 'demo', name: 'Demo provider', endsSession: true }];

const findButton = () => screen.getByRole('button', { name: text('signedIn_account') });
const findMenu = () => screen.getByRole('menu', { hidden: true });

/** The menu with a feature below it that the Tab key reaches, and the focus on its button. */
function renderMenu() {
  const popup = renderPopup(toView(adaSignedIn, { providers }), {
    createFeature: () => () => <input aria-label="after" />,
  });
  findButton().focus();
  return popup;
}

/** Whether the menu is open, and what has the focus. */
function readMenu(): readonly [isOpen: boolean, focus: string | null] {
  const isOpen = findButton().getAttribute('aria-expanded') === 'true';
  expect(findMenu().closest('[hidden]') === null).toBe(isOpen);
  const { activeElement } = document;
  if (activeElement === findButton()) return [isOpen, 'button'];
  const name = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? null;
  return [
    isOpen,
    activeElement instanceof HTMLButtonElement ? (activeElement.dataset['action'] ?? name) : name,
  ];
}

type Press = readonly [key: string, modifiers?: KeyboardEventInit];

/** The keys that are pressed, whether the last one is kept from the browser, and what is open and has the focus then. */
type Row = readonly [press: readonly Press[], key: 'taken' | 'left', menu: 'open' | 'closed', focus: string];

/** Opens the menu and goes to the item with this number, counted from one. */
const at = (number: number): readonly Press[] => Array.from({ length: number }, () => ['ArrowDown']);

const first = 'use-another-account';
const last = 'sign-out-everywhere';
const leftAlone = (press: Press): Row => [[press], 'left', 'closed', 'button'];

const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'on the button': {
    'Enter opens it at its first item': [[['Enter']], 'left', 'open', first],
    'Space opens it at its first item': [[[' ']], 'left', 'open', first],
    'ArrowDown opens it at its first item': [[['ArrowDown']], 'taken', 'open', first],
    'ArrowUp opens it at its last item': [[['ArrowUp']], 'taken', 'open', last],
    'Home is left to the browser': leftAlone(['Home']),
    'End is left to the browser': leftAlone(['End']),
    'Escape is left to the browser': leftAlone(['Escape']),
    's is left to the browser': leftAlone(['s']),
    'ArrowDown with Control is left to the browser': leftAlone(['ArrowDown', { ctrlKey: true }]),
    'ArrowDown with Alt is left to the browser': leftAlone(['ArrowDown', { altKey: true }]),
    'ArrowDown with Meta is left to the browser': leftAlone(['ArrowDown', { metaKey: true }]),
    'Tab goes on to what is after it': [[['Tab']], 'left', 'closed', 'after'],
  },
  'in the menu': {
    'ArrowDown goes to the next item': [at(2), 'taken', 'open', 'copy-report'],
    'ArrowDown goes from the last item to the first': [at(5), 'taken', 'open', first],
    'ArrowUp goes to the item before': [[...at(2), ['ArrowUp']], 'taken', 'open', first],
    'ArrowUp goes from the first item to the last': [[...at(1), ['ArrowUp']], 'taken', 'open', last],
    'Home goes to the first item': [[...at(3), ['Home']], 'taken', 'open', first],
    'End goes to the last item': [[...at(1), ['End']], 'taken', 'open', last],
    'a letter goes to the next item that begins with it': [[...at(1), ['s']], 'taken', 'open', 'sign-out'],
    'the same letter goes on to the next one': [
      [...at(1), ['s'], ['S', { shiftKey: true }]],
      'taken',
      'open',
      last,
    ],
    'the same letter begins again at the top': [[...at(4), ['s']], 'taken', 'open', 'sign-out'],
    'a letter that no item begins with changes nothing': [[...at(2), ['x']], 'taken', 'open', 'copy-report'],
    'a shortcut is left to the browser': [
      [...at(2), ['u', { ctrlKey: true }]],
      'left',
      'open',
      'copy-report',
    ],
    'Escape closes it and returns to the button': [[...at(2), ['Escape']], 'taken', 'closed', 'button'],
    'Tab closes it and goes on to what is after it': [[...at(2), ['Tab']], 'left', 'closed', 'after'],
    'Shift and Tab close it and go back': [
      [...at(2), ['Tab', { shiftKey: true }]],
      'left',
      'closed',
      'button',
    ],
    'Enter that is still held down chooses nothing': [
      [['Enter'], ['Enter', { repeat: true }]],
      'taken',
      'open',
      first,
    ],
    'Enter chooses it and returns to the button': [[['ArrowUp'], ['Enter']], 'left', 'closed', 'button'],
    'Space chooses it and returns to the button': [[['ArrowUp'], [' ']], 'left', 'closed', 'button'],
  },
};

describe.each(Object.entries(rows))('%s', (_place, ofPlace) => {
  test.each(Object.entries(ofPlace))('%s', (_when, [press, key, menu, focus]) => {
    renderMenu();
    const taken = press.map(([name, modifiers]) => pressKey(name, modifiers));
    expect([taken.at(-1), ...readMenu()]).toEqual([key === 'taken', menu === 'open', focus]);
  });
});

test('an item that is chosen by keyboard sends its command', () => {
  const { observer } = renderMenu();
  for (const key of ['ArrowUp', 'Enter']) pressKey(key);
  expect(observer.commands).toEqual([{ type: 'prepare' }, { type: 'sign-out', everywhere: true }]);
});

describe('the menu', () => {
  test('is named by its button, which says that it has a menu and whether that is open', () => {
    renderMenu();
    const button = findButton();
    expect(button.getAttribute('aria-haspopup')).toBe('menu');
    expect(button.getAttribute('aria-controls')).toBe(findMenu().id);
    expect(findMenu().getAttribute('aria-labelledby')).toBe(button.id);
    expect(button.getAttribute('aria-expanded')).toBe('false');
    pressKey('ArrowDown');
    expect(button.getAttribute('aria-expanded')).toBe('true');
  });

  test('holds items, which the Tab key leaves out, and a line above those that end the session', () => {
    renderMenu();
    const children = [...findMenu().children] as HTMLElement[];
    expect(children.map(({ tagName, dataset, role }) => [dataset['action'] ?? tagName, role])).toEqual([
      ['use-another-account', 'menuitem'],
      ['copy-report', 'menuitem'],
      ['HR', ''],
      ['sign-out', 'menuitem'],
      ['sign-out-everywhere', 'menuitem'],
    ]);
    expect(children.filter(({ role, tabIndex }) => role === 'menuitem' && tabIndex !== -1)).toEqual([]);
  });

  test('scrolls a long name and address above its items, which keep the focus', () => {
    renderMenu();
    pressKey('ArrowDown');
    const details = document.querySelector('#account-details');
    if (details === null) throw new Error('There are no details.');
    // Without a layout, nothing is higher than its area.
    Object.defineProperties(details, { clientHeight: { value: 100 }, scrollHeight: { value: 500 } });
    expect(pressKey('PageDown')).toBe(true);
    expect(details.scrollTop).toBe(80);
    expect(pressKey('PageUp')).toBe(true);
    expect(details.scrollTop).toBe(0);
    expect(readMenu()).toEqual([true, first]);
  });

  test('closes on a press elsewhere, and not on one in it', () => {
    renderMenu();
    fireEvent.click(findButton());
    fireEvent.pointerDown(findMenu());
    expect(readMenu()).toEqual([true, 'use-another-account']);
    fireEvent.pointerDown(screen.getByRole('heading'));
    expect(readMenu()[0]).toBe(false);
  });

  test('that was open when another page started a sign-in is closed when that is cancelled', async () => {
    const { show } = renderMenu();
    pressKey('ArrowDown');
    await show({ ...signingIn, before: adaSignedIn }, { providers });
    await show({ ...adaSignedIn, problem: { code: 'cancelled', detail: null } }, { providers });
    expect(readMenu()[0]).toBe(false);
  });

  test('keeps the focus when the item that has it goes', async () => {
    const { show } = renderMenu();
    pressKey('ArrowUp');
    await show(adaSignedIn);
    expect(screen.getAllByRole('menuitem')).toHaveLength(3);
    pressKey('ArrowDown');
    expect(readMenu()).toEqual([true, first]);
  });

  test('that goes with the session hands the focus to the next heading', async () => {
    const { show } = renderMenu();
    pressKey('ArrowDown');
    await show({ ...signedOut, problem: { code: 'expired', detail: null } });
    expect(document.activeElement?.tagName).toBe('H1');
    await act(async () => undefined);
  });
});
