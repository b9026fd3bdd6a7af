// @vitest-environment happy-dom

import { afterEach, expect, test } from 'vitest';
import { holdClicks } from '../../src/popup/open-popup.ts';

let pressed: string[] = [];

afterEach(() => {
  document.body.replaceChildren();
  pressed = [];
});

function addButton(name: string): HTMLElement {
  const button = document.createElement('button');
  button.append(document.createElement('span'));
  button.addEventListener('click', () => pressed.push(name));
  document.body.append(button);
  return button;
}

test('a click is held back, and repeated once on the same button', () => {
  const [menu, other] = [addButton('menu'), addButton('other')];
  const repeatClicks = holdClicks();
  menu.querySelector('span')?.click();
  expect(pressed).toEqual([]);
  repeatClicks();
  expect(pressed).toEqual(['menu']);
  other.click();
  expect(pressed).toEqual(['menu', 'other']);
});

test('the second click of a double click is not repeated', () => {
  const menu = addButton('menu');
  const repeatClicks = holdClicks();
  for (const detail of [1, 2]) menu.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
  repeatClicks();
  expect(pressed).toEqual(['menu']);
});

test('a click beside the buttons, and one on a button that has gone, do nothing', () => {
  const menu = addButton('menu');
  const repeatClicks = holdClicks();
  document.body.click();
  menu.click();
  menu.remove();
  repeatClicks();
  expect(pressed).toEqual([]);
});
