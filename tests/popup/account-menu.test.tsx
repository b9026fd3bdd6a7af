// @vitest-environment happy-dom
// The account menu, by the menu button pattern of the ARIA Authoring Practices.

import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { english as text } from '../support/english.ts';
import { adaSignedIn, nobody, toView } from '../support/fake-observer.ts';
import { pressKey } from '../support/keyboard.ts';
import { renderPopup, signingIn } from '../support/render-popup.tsx';

afterEach(cleanup);

const providers = [{ id: 'demo', name: 'Demo provider', endsSession: true }];
const items = ['use-another-account', 'copy-report', 'sign-out', 'sign-out-everywhere'];

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
  const name = activeElement?.getAttribute('aria-label') ?? null;
  return [
    isOpen,
    activeElement instanceof HTMLButtonElement ? (activeElement.dataset['action'] ?? name) : name,
  ];
}

type Press = readonly [key: string, modifiers?: KeyboardEventInit];

interface Row {
  readonly when: string;
  readonly press: readonly Press[];
  /** Whether the last key is kept from the browser. */
  readonly isTaken: boolean;
  readonly isOpen: boolean;
  readonly focus: string;
}

/** Opens the menu and goes to the item with this number, counted from one. */
const atItem = (number: number): readonly Press[] => Array.from({ length: number }, () => ['ArrowDown']);

const onTheButton: readonly Row[] = [
  ...(['Enter', ' ', 'ArrowDown'] as const).map((key) => ({
    when: `${key} opens it at its first item`,
    press: [[key]] as const,
    isTaken: key === 'ArrowDown',
    isOpen: true,
    focus: 'use-another-account',
  })),
  {
    when: 'ArrowUp opens it at its last item',
    press: [['ArrowUp']],
    isTaken: true,
    isOpen: true,
    focus: 'sign-out-everywhere',
  },
  ...(['Home', 'End', 'Escape', 's', 'PageDown'] as const).map((key) => ({
    when: `${key} is left to the browser`,
    press: [[key]] as const,
    isTaken: false,
    isOpen: false,
    focus: 'button',
  })),
  ...(['ctrlKey', 'altKey', 'metaKey'] as const).map((modifier) => ({
    when: `ArrowDown with ${modifier} is left to the browser`,
    press: [['ArrowDown', { [modifier]: true }]] as const,
    isTaken: false,
    isOpen: false,
    focus: 'button',
  })),
  {
    when: 'Tab goes on to what is after it',
    press: [['Tab']],
    isTaken: false,
    isOpen: false,
    focus: 'after',
  },
];

const inTheMenu: readonly Row[] = [
  {
    when: 'ArrowDown goes to the next item',
    press: atItem(2),
    isTaken: true,
    isOpen: true,
    focus: 'copy-report',
  },
  {
    when: 'ArrowDown goes from the last item to the first',
    press: atItem(5),
    isTaken: true,
    isOpen: true,
    focus: 'use-another-account',
  },
  {
    when: 'ArrowUp goes to the item before',
    press: [...atItem(2), ['ArrowUp']],
    isTaken: true,
    isOpen: true,
    focus: 'use-another-account',
  },
  {
    when: 'ArrowUp goes from the first item to the last',
    press: [...atItem(1), ['ArrowUp']],
    isTaken: true,
    isOpen: true,
    focus: 'sign-out-everywhere',
  },
  {
    when: 'Home goes to the first item',
    press: [...atItem(3), ['Home']],
    isTaken: true,
    isOpen: true,
    focus: 'use-another-account',
  },
  {
    when: 'End goes to the last item',
    press: [...atItem(1), ['End']],
    isTaken: true,
    isOpen: true,
    focus: 'sign-out-everywhere',
  },
  {
    when: 'a letter goes to the next item that begins with it',
    press: [...atItem(1), ['s']],
    isTaken: true,
    isOpen: true,
    focus: 'sign-out',
  },
  {
    when: 'the same letter goes on to the next such item',
    press: [...atItem(1), ['s'], ['S', { shiftKey: true }]],
    isTaken: true,
    isOpen: true,
    focus: 'sign-out-everywhere',
  },
  {
    when: 'the same letter begins again at the top',
    press: [...atItem(4), ['s']],
    isTaken: true,
    isOpen: true,
    focus: 'sign-out',
  },
  {
    when: 'a letter that no item begins with changes nothing',
    press: [...atItem(2), ['x']],
    isTaken: true,
    isOpen: true,
    focus: 'copy-report',
  },
  {
    when: 'a shortcut of the browser is left to it',
    press: [...atItem(2), ['u', { ctrlKey: true }]],
    isTaken: false,
    isOpen: true,
    focus: 'copy-report',
  },
  {
    when: 'Escape closes it and returns to the button',
    press: [...atItem(2), ['Escape']],
    isTaken: true,
    isOpen: false,
    focus: 'button',
  },
  {
    when: 'Tab closes it and goes on to what is after it',
    press: [...atItem(2), ['Tab']],
    isTaken: false,
    isOpen: false,
    focus: 'after',
  },
  {
    when: 'Tab with Shift closes it and goes back to the button',
    press: [...atItem(2), ['Tab', { shiftKey: true }]],
    isTaken: false,
    isOpen: false,
    focus: 'button',
  },
  {
    when: 'Enter that is still held down from opening it chooses nothing',
    press: [['Enter'], ['Enter', { repeat: true }]],
    isTaken: true,
    isOpen: true,
    focus: 'use-another-account',
  },
  ...(['Enter', ' '] as const).map((key) => ({
    when: `${key === ' ' ? 'Space' : key} chooses the item, closes it and returns to the button`,
    press: [['ArrowUp'], [key]] as const,
    isTaken: false,
    isOpen: false,
    focus: 'button',
  })),
];

describe.each([
  ['on the button', onTheButton],
  ['in the menu', inTheMenu],
])('%s', (_, rows) => {
  test.each(rows.map((row) => [row.when, row] as const))('%s', (_when, { press, isTaken, isOpen, focus }) => {
    renderMenu();
    const taken = press.map(([key, modifiers]) => pressKey(key, modifiers));
    expect([taken.at(-1), ...readMenu()]).toEqual([isTaken, isOpen, focus]);
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
    const [others, ends] = [items.slice(0, 2), items.slice(2)];
    expect(children.map(({ tagName, dataset }) => dataset['action'] ?? tagName)).toEqual([
      ...others,
      'HR',
      ...ends,
    ]);
    const buttons = children.filter(({ tagName }) => tagName !== 'HR');
    expect(buttons.map(({ role, tabIndex }) => `${role} ${tabIndex}`)).toEqual(
      items.map(() => 'menuitem -1'),
    );
  });

  test('closes on a press elsewhere, and not on one in it', () => {
    renderMenu();
    fireEvent.click(findButton());
    fireEvent.pointerDown(findMenu());
    expect(readMenu()).toEqual([true, 'use-another-account']);
    fireEvent.pointerDown(screen.getByRole('heading'));
    expect(readMenu()[0]).toBe(false);
  });

  test('closes on a second press of its button', () => {
    renderMenu();
    fireEvent.click(findButton());
    fireEvent.click(findButton());
    expect(readMenu()).toEqual([false, 'button']);
  });

  test('that was open when another page started a sign-in is closed when that is cancelled', async () => {
    const { show } = renderMenu();
    pressKey('ArrowDown');
    await show({ ...signingIn, before: adaSignedIn }, { providers });
    await show({ ...adaSignedIn, problem: { code: 'cancelled', detail: null } }, { providers });
    expect(readMenu()[0]).toBe(false);
  });

  test('opens and closes without rendering the feature again', async () => {
    const render = vi.fn<() => null>(() => null);
    renderPopup(toView(adaSignedIn, { providers }), { createFeature: () => render });
    await act(async () => undefined);
    const before = render.mock.calls.length;
    fireEvent.click(findButton());
    fireEvent.click(findButton());
    expect([before > 0, render.mock.calls.length - before]).toEqual([true, 0]);
  });

  test('that goes with the session hands the focus to the next heading', async () => {
    const { show } = renderMenu();
    pressKey('ArrowDown');
    await show({ ...nobody, problem: { code: 'expired', detail: null } });
    expect(document.activeElement?.tagName).toBe('H1');
    await act(async () => undefined);
  });
});
