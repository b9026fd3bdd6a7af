// @vitest-environment happy-dom
// The styles, where they could keep something from people: a control that is cut off, a region that is not there when it
// is to speak. The document has no layout, so this reads the rules. It leaves out what their conditions (`:has()`,
// `:empty`) say, and so finds everything that a rule may ever apply to.

import { cleanup } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toFaces } from '../../src/gallery/faces.ts';
import { renderPopup } from '../support/render-popup.tsx';

interface Rule {
  readonly selector: string;
  readonly style: CSSStyleDeclaration;
}

const control = 'a[href], button, input, select, summary, [tabindex="0"]';
const live = '[role="status"], [role="alert"], [aria-live]';

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

function readRules(): readonly Rule[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(readFileSync('src/popup/popup.css', 'utf8'));
  const toRules = (rules: CSSRuleList): readonly Rule[] =>
    [...rules].flatMap((rule) => {
      if (rule instanceof CSSMediaRule || rule instanceof CSSContainerRule) return toRules(rule.cssRules);
      return rule instanceof CSSStyleRule ? [{ selector: rule.selectorText, style: rule.style }] : [];
    });
  return toRules(sheet.cssRules);
}

/** The selector without its conditions. */
function toWidest(selector: string): string {
  return selector.replace(/:empty|::[\w-]+/gu, '').replace(/:has\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '');
}

function clips({ style }: Rule): boolean {
  return style.clipPath !== '' || style.overflow === 'hidden';
}

function hides({ selector, style }: Rule): boolean {
  // The attribute hides on purpose: the component decides about it.
  return style.display === 'none' && selector !== '[hidden]';
}

/** The popup in each face. */
function* renderFaces(): Generator<HTMLElement> {
  for (const { view } of toFaces(Date.now() - 60_000, '')) {
    yield renderPopup(view, { openedAtMs: 0 }).container;
    cleanup();
  }
}

/** The selectors of the rules that apply in the popup to an element in which `isFault` finds a fault. */
function findFaults(
  popup: HTMLElement,
  rules: readonly Rule[],
  isFault: (element: Element) => boolean,
): readonly string[] {
  return rules
    .map(({ selector }) => selector)
    .filter((selector) => [...popup.querySelectorAll(toWidest(selector))].some(isFault));
}

test('the rules are found, with those that clip', () => {
  const rules = readRules();
  expect(rules.length).toBeGreaterThan(90);
  expect(rules.filter(clips).map(({ selector }) => selector)).toContainEqual(
    expect.stringContaining('.visually-hidden'),
  );
});

// One test for both, because to render every face takes longest.
test('no style clips what has a control in it, and none removes a region that is to speak', () => {
  const holdsControl = (element: Element) => element.querySelector(control) !== null;
  const holdsRegion = (element: Element) => element.matches(live) || element.querySelector(live) !== null;
  const rules = readRules();
  const [clipping, hiding] = [rules.filter(clips), rules.filter(hides)];
  for (const popup of renderFaces()) {
    expect(findFaults(popup, clipping, holdsControl)).toEqual([]);
    expect(findFaults(popup, hiding, holdsRegion)).toEqual([]);
  }
});
