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
      if (rule instanceof CSSMediaRule) return toRules(rule.cssRules);
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

/** The elements to which the rules apply in any face, and in which `isFault` finds a fault. */
function findFaults(rules: readonly Rule[], isFault: (element: Element) => boolean): readonly string[] {
  const faults = new Set<string>();
  for (const { view } of toFaces(Date.now() - 60_000, '')) {
    const { container } = renderPopup(view, { openedAtMs: 0 });
    for (const { selector } of rules) {
      const found = [...container.querySelectorAll(toWidest(selector))].filter(isFault);
      if (found.length > 0) faults.add(selector);
    }
    cleanup();
  }
  return [...faults];
}

test('the rules are found, with those that clip', () => {
  const rules = readRules();
  expect(rules.length).toBeGreaterThan(90);
  expect(rules.filter(clips).map(({ selector }) => selector)).toContainEqual(
    expect.stringContaining('.visually-hidden'),
  );
});

test('no style clips what has a control in it', () => {
  expect(findFaults(readRules().filter(clips), (element) => element.querySelector(control) !== null)).toEqual(
    [],
  );
});

test('no style removes a region that is to speak', () => {
  const holdsRegion = (element: Element) => element.matches(live) || element.querySelector(live) !== null;
  expect(findFaults(readRules().filter(hides), holdsRegion)).toEqual([]);
});
