// A keyboard for a document without a browser: what a browser does with a key that no listener has taken.

import { fireEvent } from '@testing-library/react';

const focusable = 'a[href], button, input, select, summary, [tabindex]';

/** Presses a key where the focus is. Returns whether a listener took it, so that the browser does nothing with it. */
export function pressKey(key: string, modifiers: KeyboardEventInit = {}): boolean {
  const target = document.activeElement ?? document.body;
  const isTaken = !fireEvent.keyDown(target, { key, ...modifiers });
  if (!isTaken && key === 'Tab') {
    // A listener may have moved the focus, and a browser goes on from there.
    const { activeElement } = document;
    const from = activeElement === null || activeElement === document.body ? target : activeElement;
    moveFocus(from, modifiers.shiftKey === true);
  }
  const pressed = !isTaken && (key === 'Enter' || key === ' ') && target instanceof HTMLButtonElement;
  if (pressed) fireEvent.click(target, { detail: 0 });
  fireEvent.keyUp(document.activeElement ?? document.body, { key, ...modifiers });
  return isTaken;
}

/** Moves the focus to the next stop in the document, also from an element that has just been hidden. */
function moveFocus(from: Element, isBackwards: boolean): void {
  const stops = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.closest('[hidden]') === null,
  );
  const isBehind = (stop: Element) =>
    Boolean(from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);
  const isBefore = (stop: Element) =>
    Boolean(from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING);
  const next = isBackwards ? stops.findLast(isBefore) : stops.find(isBehind);
  if (next !== undefined) next.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
