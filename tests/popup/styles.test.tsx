// @vitest-environment happy-dom
// All views of the popup together. Each has one main, one heading and one status region. No style keeps something from people: a control that is cut off, a region that is not there
// when it is to speak. And there is no style and no message without a view that needs it. The document has no layout, so this
// reads the rules. It leaves out what their conditions (`:has()`, `:empty`) say, and so finds everything that a rule may ever
// apply to.

import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { icons, toFaces, toObserver, type Face } from '../../tools/gallery/faces.ts';
import { features } from '../../tools/gallery/features.tsx';
import { App } from '../../src/popup/App.tsx';
import { createText, type LookUp } from '../../src/popup/i18n/text.ts';
import { PageContext } from '../../src/popup/page.ts';
import messages from '../../src/public/_locales/en/messages.json' with { type: 'json' };
import { lookUp, ownKey, toRead } from '../support/english.ts';
import { signedOut, signingIn, toView } from '../support/fake-observer.ts';
import { toPage } from '../support/page.ts';
import { renderPopup } from '../support/render-popup.tsx';
import { describe } from '../support/screen-reader.ts';

interface Rule {
  readonly selector: string;
  readonly style: CSSStyleDeclaration;
}

const control = 'a[href], button, input, select, summary, [tabindex="0"]';
const live = '[role="status"], [role="alert"], [aria-live]';

/** The contents of all files in a folder whose names match. */
function readFiles(folder: string, name: RegExp): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => name.test(file)).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
}

function readRules(): readonly Rule[] {
  const toRules = (rules: CSSRuleList): readonly Rule[] =>
    [...rules].flatMap((rule) => {
      if (rule instanceof CSSMediaRule || rule instanceof CSSContainerRule) return toRules(rule.cssRules);
      return rule instanceof CSSStyleRule ? [{ selector: rule.selectorText, style: rule.style }] : [];
    });
  return readFiles('src/popup', /\.css$/).flatMap((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return toRules(sheet.cssRules);
  });
}

/** The selector without its conditions. */
function toWidest(selector: string): string {
  return selector.replace(/:empty|::[\w-]+/gu, '').replace(/:has\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '');
}

/** The selectors of a list, without what an element is for a while, and what it is not. */
function toLasting(selector: string): readonly string[] {
  const lasting = toWidest(selector)
    .replace(/:not\([^()]*\)|:(?:dir|lang)\(\w+\)/gu, '')
    .replace(/:(?:enabled|disabled|hover|active|focus(?:-visible)?)\b|\[aria-busy[^\]]*\]/gu, '')
    .replace(/:(?:is|where)\([,\s]*\)/gu, '')
    .replace(/,\s*\)/gu, ')');
  return lasting.split(/,(?![^(]*\))/u).map((one) => one.trim().replace(/^(?=>|$)/u, '*'));
}

function clips({ style }: Rule): boolean {
  return style.clipPath !== '' || style.overflow === 'hidden';
}

function hides({ selector, style }: Rule): boolean {
  // The attribute hides on purpose: the component decides about it.
  return style.display === 'none' && selector !== '[hidden]';
}

const holdsControl = (element: Element) => element.querySelector(control) !== null;
const holdsRegion = (element: Element) => element.matches(live) || element.querySelector(live) !== null;

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

/** A line for each heading, text and control in an element. The text of an area with a role is below that role. */
function toLines(element: Element): readonly string[] {
  if (element.matches('[hidden], [data-region="feature"]') || element.textContent === '') return [];
  const inner = [...element.children].flatMap(toLines);
  // A date is written in the zone of the machine.
  const said = toRead(element.textContent).replace(/ since \w+ \d+, \d+[^.]*/, ' since …');
  if (element.matches('h1')) return [`${said}, heading`];
  if (element.matches('button')) {
    const isPrimary = element.matches('.primary') && 'primary';
    const hasIcon = element.querySelector('img') !== null && 'icon';
    return [[describe(element), isPrimary, hasIcon].filter(Boolean).join(', ')];
  }
  if (element instanceof HTMLAnchorElement) return [`${said}, link to ${element.href}`];
  const isText = element.matches('p, summary, code');
  const role = element.getAttribute('role');
  if (role === null && !isText) return inner;
  const own =
    isText || inner.length === 0 ? [said, ...inner.filter((line) => line.includes(', link to '))] : inner;
  return role === null ? own : [`${role}:`, ...own.map((line) => `  ${line}`)];
}

/** Renders the face, and passes its popup to `look`: as it opens, and after a click on each button and some typing. */
async function show(face: Face, ownLookUp: LookUp, look: (popup: HTMLElement) => void): Promise<void> {
  const { header = 'full', feature = 'empty', product, openedMsAgo = 0 } = face;
  const text = createText(ownLookUp, 'en', product);
  const page = toPage({ text, header, icons, createFeature: () => features[feature] });
  const { container } = render(
    <PageContext value={page}>
      <App observer={toObserver(face)} openedAtMs={Date.now() - openedMsAgo} />
    </PageContext>,
  );
  await act(async () => undefined);
  look(container);
  // Lists of thirty providers are as those of four.
  if (container.querySelector('[type="search"]') === null)
    views.push('', `# ${face.id}`, ...toLines(container));
  for (const button of container.querySelectorAll('button')) {
    await act(async () => void fireEvent.click(button));
    look(container);
    const panel = container.querySelector('#account-details')?.parentElement;
    const menu = panel ? toLines(panel).join('\n') : '';
    if (button.id === 'account-button' && menu !== lastMenu) views.push('and its menu:', menu);
    if (button.id === 'account-button') lastMenu = menu;
  }
  const search = container.querySelector('input[type="search"]');
  for (const value of search === null ? [] : ['place', 'zzz']) {
    fireEvent.change(search ?? container, { target: { value } });
    look(container);
  }
  for (const details of container.querySelectorAll('details')) details.open = true;
  look(container);
  cleanup();
}

const rules = readRules();
const clipping = rules.filter(clips);
const hiding = rules.filter(hides);
const faults = new Set<string>();
const views: string[] = [];
/** A menu that is the same as in the view before isn't written again. */
let lastMenu = '';
const unmatched = new Set(rules.flatMap(({ selector }) => toLasting(selector)));
const unsaid = new Set(Object.keys(messages).filter((key) => ownKey.test(key)));

// Once for all tests, because to render every face takes longest.
beforeAll(async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(window, 'open').mockReturnValue(null);
  const noteLookUp: LookUp = (key, substitutions) => {
    unsaid.delete(key);
    // Another product has the same views.
    return key === 'extensionName' ? 'Latchkey' : lookUp(key, substitutions);
  };
  const look = (popup: HTMLElement) => {
    for (const part of ['main', 'h1', 'h1[tabindex="-1"]', '[role="status"]'])
      if (popup.querySelectorAll(part).length !== 1) faults.add(`not there once: ${part}`);
    if (popup.querySelector('button:not([type="button"])')) faults.add('a button sends a form');
    for (const fault of findFaults(popup, clipping, holdsControl)) faults.add(`clips a control: ${fault}`);
    for (const fault of findFaults(popup, hiding, holdsRegion)) faults.add(`removes a region: ${fault}`);
    for (const selector of unmatched)
      if (document.querySelector(selector) !== null) unmatched.delete(selector);
  };
  for (const face of toFaces(Date.now() - 60_000, 'https://id.example/ada.png'))
    await show(face, noteLookUp, look);
  const popup = renderPopup(toView(signedOut));
  await popup.show(signingIn);
  look(popup.container);
  cleanup();
}, 60_000);

test('the rules are found, with those that clip', () => {
  expect(rules.length).toBeGreaterThan(90);
  expect(clipping.map(({ selector }) => selector)).toContainEqual(
    expect.stringContaining('.visually-hidden'),
  );
});

test('each view has one main, heading and status region, and no style clips a control or removes a region that is to speak', () => {
  expect([...faults]).toEqual([]);
});

// After a change of a view or a text, run this with `-u` and read the difference.
test('each view says what views.txt has on record', async () => {
  await expect(`${views.join('\n').trim()}\n`).toMatchFileSnapshot('views.txt');
});

test('each style has a view that it applies to', () => {
  expect([...unmatched]).toEqual([]);
});

test('each message is said in some view, or named in the code', () => {
  const code = [readFileSync('manifest.json', 'utf8'), ...readFiles('src', /\.tsx?$/)].join('\n');
  const isNamed = (key: string) => new RegExp(`(?:['"\`]|__MSG_)${key}(?:['"\`]|__)`).test(code);
  expect([...unsaid].filter((key) => !isNamed(key))).toEqual([]);
});
