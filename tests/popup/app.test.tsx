// @vitest-environment happy-dom
// The popup in the states of the board: what a user can do in each. What they read there is in views.txt.

import { act, fireEvent, screen, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { Board } from '../../src/bridge/session/observer.ts';
import { createText } from '../../src/popup/i18n/text.ts';
import { problemTable } from '../../src/popup/problem-table.ts';
import { detail } from '../../src/session/detail.ts';
import { problemCodes, type ProblemCode } from '../../src/session/problem.ts';
import type { View } from '../../src/session/view.ts';
import { english as text, lookUp, toRead, whatHappened, whatToDo } from '../support/english.ts';
import { pressKey } from '../support/keyboard.ts';
import { renderPopup, type PopupSetup } from '../support/render-popup.tsx';
import { ada, adaSignedIn, signedOut, signingIn, toView } from '../support/fake-observer.ts';

const providers = [
  { id: 'other', name: 'Other', endsSession: false },
  { id: 'demo', name: 'Demo provider', endsSession: false },
] as const;

const renderSession = (session: View, changes?: Partial<Board>, setup?: PopupSetup) =>
  renderPopup(toView(session, changes), setup);

/** The same with a problem of this code, and without a detail. */
const renderProblem = (code: ProblemCode, more: object = {}, session: View = signedOut) =>
  renderSession({ ...session, problem: { code, detail: null, ...more } } as View);

/** Signed out, with this number of providers. */
function renderPlaces(count: number) {
  // React warns about <search>, because happy-dom does not know that element.
  vi.spyOn(console, 'error').mockReturnValue();
  const places = Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `Place ${index}`,
    endsSession: false,
  }));
  return renderSession(signedOut, { providers: places });
}

/** The element's text, as a user reads it. */
function readText(element: Element | null): string {
  return toRead(element?.textContent ?? '');
}

describe('a problem', () => {
  const order = { type: 'use-another-account' } as const;

  test.each([
    ['response-rejected', 'tryAgain'],
    ['not-permitted', 'signedOut_anotherAccount'],
  ] as const)(
    'of a sign-in with another account says who is still signed in, and offers more: %s',
    (code, key) => {
      const { observer } = renderProblem(code, { order }, adaSignedIn);
      expect(readText(screen.getByRole('alert'))).toMatch(/You’re still signed in as Ada Lovelace\.$/);
      fireEvent.click(screen.getByRole('button', { name: text(key) }));
      expect(observer.commands).toEqual([order]);
    },
  );

  test('of the session itself offers to renew it again', () => {
    const { observer } = renderProblem('response-rejected', {}, adaSignedIn);
    fireEvent.click(screen.getByRole('button', { name: text('tryAgain') }));
    expect(observer.commands).toEqual([{ type: 'open' }]);
  });

  const failingSinceMs = Date.parse('2026-11-02T12:00:00Z');

  test.each(problemCodes.filter((code) => problemTable[code].mayNeedSignIn))(
    'of a session that could not be refreshed for a day has one way out, to sign in again: %s',
    (code) => {
      const { container, observer } = renderProblem(code, { failingSinceMs }, adaSignedIn);
      expect(readText(screen.getByRole('alert'))).toContain(' since Nov 2, 2026. ');
      const actions = [...container.querySelectorAll<HTMLElement>('.card > button')];
      expect(actions.map(({ dataset }) => dataset['action'])).toEqual(['try-again']);
      fireEvent.click(screen.getByRole('button', { name: text('signedIn_signInAgain') }));
      expect(observer.commands).toEqual([{ type: 'sign-in', providerId: 'demo', hint: 'ada@example.com' }]);
    },
  );

  test('that no sign-in can solve keeps its own advice after a day', () => {
    renderProblem('clock-wrong', { failingSinceMs }, adaSignedIn);
    expect(readText(screen.getByRole('alert'))).toContain(toRead(whatToDo('clock-wrong')));
    expect(screen.queryByRole('button', { name: text('signedIn_signInAgain') })).toBeNull();
  });

  test('of a window that the user closed offers no second try', () => {
    renderProblem('cancelled', { order }, adaSignedIn);
    expect(screen.queryByRole('button', { name: text('tryAgain') })).toBeNull();
  });

  test('of a refused command says nothing of the session', async () => {
    const { container, observer } = renderSession(adaSignedIn);
    observer.reply = () => ({ ok: false, problem: { code: 'worker-unreachable', detail: null } });
    await act(async () => container.querySelector<HTMLElement>('[data-action="sign-out"]')?.click());
    expect(readText(screen.getByRole('alert'))).toBe(
      toRead(`${whatHappened('worker-unreachable')} ${whatToDo('worker-unreachable')}`),
    );
  });

  test.each([
    ['closed', 'a production build', false],
    ['open', 'a development build', true],
  ])('has its detail in a disclosure, which is %s in %s', (_state, _build, isOpen) => {
    vi.stubEnv('DEV', isOpen);
    renderProblem('offline', { detail: detail`login.example` });
    const details = screen.getByRole<HTMLDetailsElement>('group');
    expect(within(details).getByText('offline: login.example')).toBeDefined();
    expect(details.open).toBe(isOpen);
  });

  test('with a redirect URI to register has a button that copies it', async () => {
    const register = 'https://abcdefghijklmnop.chromiumapp.org/demo';
    renderProblem('sign-in-page-failed', {
      diagnosis: { cause: 'redirect-uri', certainty: 'known', register },
    });
    const copy = screen.getByRole('button', { name: text('problem_copy') });
    expect(copy.dataset['action']).toBe('copy-redirect-uri');
    fireEvent.click(copy);
    expect(await screen.findByRole('button', { name: text('problem_copied') })).toBe(copy);
    expect(await navigator.clipboard.readText()).toBe(register);
  });
});

describe('the starting screen', () => {
  /** The element with its attributes, and its children without the whitespace between them. */
  function toTree(element: Element | null): object | null {
    if (element === null) return null;
    const attributes = [...element.attributes].map(({ name, value }) => [name, value] as const);
    const content = element.children.length === 0 ? element.textContent : [...element.children].map(toTree);
    return { name: element.tagName, ...Object.fromEntries(attributes), content };
  }

  test('equals the markup of the page before any script runs, without text in any language', () => {
    const page = document.createElement('template');
    page.innerHTML = readFileSync('src/popup/index.html', 'utf8');
    // The mark appears a moment later.
    vi.useFakeTimers();
    renderPopup({ status: 'starting' }, { text: createText(() => '', 'en') });
    expect(toTree(page.content.querySelector('main'))).toEqual(toTree(screen.getByRole('main')));
  });
});

describe('the signed-out screen', () => {
  test('signs in at the provider that the user chooses', () => {
    const { observer } = renderSession(signedOut);
    fireEvent.click(screen.getByRole('button', { name: text('signedOut_continueWith', 'Demo provider') }));
    expect(observer.commands).toContainEqual({ type: 'sign-in', providerId: 'demo' });
  });

  test.each([
    [7, 0],
    [8, 1],
  ])('shows a button for each of %i providers, and %i search fields', (count, fields) => {
    const { container } = renderPlaces(count);
    const names = [...container.querySelectorAll('button')].map(({ dataset }) => dataset['provider']);
    expect(names).toEqual([...Array.from({ length: count }, (_, index) => `p${index}`), undefined]);
    expect(screen.queryAllByRole('searchbox', { name: text('signedOut_search') })).toHaveLength(fields);
  });

  test('puts the focus in the search field, whose Enter key chooses the first match', () => {
    const { observer } = renderPlaces(8);
    const field = screen.getByRole('searchbox');
    expect(document.activeElement).toBe(field);
    const submit = () => fireEvent.submit(field.closest('form') ?? field);
    submit();
    fireEvent.change(field, { target: { value: 'place' } });
    submit();
    fireEvent.change(field, { target: { value: 'place 7' } });
    submit();
    const chosen = observer.commands.filter(({ type }) => type === 'sign-in');
    expect(chosen).toEqual([
      { type: 'sign-in', providerId: 'p0' },
      { type: 'sign-in', providerId: 'p7' },
    ]);
  });

  test('leads through the list by the arrow keys, from the search field and back', () => {
    renderPlaces(8);
    const focused = () => (document.activeElement as HTMLElement).dataset['provider'] ?? 'search';
    const way = ['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'].map((key) => {
      pressKey(key);
      return focused();
    });
    expect(way).toEqual(['search', 'p0', 'p1', 'p0', 'search']);
    screen.getByRole('button', { name: /Place 7/ }).focus();
    expect(pressKey('ArrowDown')).toBe(false);
    expect(pressKey('ArrowUp', { ctrlKey: true })).toBe(false);
    expect(focused()).toBe('p7');
    screen.getByRole('searchbox').focus();
    expect(pressKey('ArrowDown', { isComposing: true })).toBe(false);
    expect(focused()).toBe('search');
  });

  test('cuts a long name in a list at its own end, whatever the direction of the language', () => {
    const { container } = renderPlaces(8);
    expect(container.querySelectorAll('.label[dir="auto"]')).toHaveLength(8);
  });

  const icons = new Map([['demo', 'data:image/png;base64,iVBORw0KGgo=']]);

  test('shows a provider’s icon beside its name, as decoration, or else its first letter', () => {
    const [other, demo] = providers;
    renderSession(signedOut, { providers: [{ ...other, id: 'constructor' }, demo] }, { icons });
    const found = screen.getAllByRole('button', { name: /^Continue/ }).map((button) => {
      const [icon, tile] = [button.querySelector('img'), button.querySelector('.tile')];
      return [icon?.src, icon?.alt, tile?.textContent];
    });
    expect(found).toEqual([
      [undefined, undefined, 'O'],
      [icons.get('demo'), '', undefined],
    ]);
  });

  test('shows a provider’s icon while a user signs in there', () => {
    const { container } = renderPopup(toView(signingIn), { icons });
    expect(container.querySelector<HTMLImageElement>('.progress img')?.src).toBe(icons.get('demo'));
  });

  const grace = { ...ada, subject: 'subject-2', name: 'Grace Hopper', email: 'grace@example.com' };

  test('signs in as the account that the user chooses, at its provider', () => {
    const elsewhere = { ...grace, providerId: 'other' };
    const { observer } = renderSession({ ...signedOut, accounts: [ada, elsewhere] }, { providers });
    const rows = screen.getAllByRole('listitem').map((row) => within(row).getAllByRole('button')[0]);
    expect(rows.map((row) => readText(row ?? null))).toEqual([
      'ALContinue as Ada Lovelaceada@example.comDemo provider',
      'GHGrace Hoppergrace@example.comOther',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Grace Hopper' }));
    expect(observer.commands).toEqual([{ type: 'sign-in', providerId: 'other', hint: 'grace@example.com' }]);
  });

  test('removes an account at once, where another user uses the device next, and brings it back', async () => {
    const { observer, show } = renderSession({ ...signedOut, accounts: [ada, grace] });
    const name = text('signedOut_removeAccount', 'Grace Hopper');
    fireEvent.click(screen.getByRole('button', { name }));
    expect(observer.commands).toEqual([{ type: 'forget-account', account: grace }]);
    expect(screen.queryByText(text('signedOut_removed', 'Grace Hopper'))).toBeNull();
    // Each board is read anew, and this one still has the account.
    await show({ ...signedOut, accounts: [ada, { ...grace }] });
    expect(screen.queryByText(text('signedOut_removed', 'Grace Hopper'))).toBeNull();
    await show({ ...signedOut, accounts: [ada] });
    expect(screen.getByText(text('signedOut_removed', 'Grace Hopper'))).toBeDefined();
    const undo = screen.getByRole('button', { name: text('signedOut_undo') });
    expect(document.activeElement).toBe(undo);
    fireEvent.click(undo);
    expect(observer.commands.at(-1)).toEqual({ type: 'remember-account', account: grace, at: 1 });
    await show({ ...signedOut, accounts: [ada, grace] });
    expect(screen.getByRole('button', { name })).toBeDefined();
    expect(screen.queryByText(text('signedOut_removed', 'Grace Hopper'))).toBeNull();
  });

  test('stays as it is around an account that is removed: the mark keeps its place, and Undo takes the focus once', async () => {
    const accounts = [ada, grace, { ...grace, subject: 'third', name: 'Third' }];
    const { container, show } = renderSession({ ...signedOut, accounts }, { providers });
    const isCompact = () => container.querySelector('.hero')?.classList.contains('compact');
    expect(isCompact()).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: text('signedOut_removeAccount', 'Third') }));
    await show({ ...signedOut, accounts: [ada, grace] });
    expect(isCompact()).toBe(true);
    const another = screen.getByRole('button', { name: text('signedOut_anotherAccount') });
    another.focus();
    fireEvent.click(another);
    expect(document.activeElement).toBe(another);
  });

  test('shows an account’s picture once it has loaded, and initials until then', () => {
    const picture = 'https://pictures.example/ada';
    const { container } = renderSession({ ...signedOut, accounts: [{ ...ada, picture }] });
    const image = container.querySelector<HTMLImageElement>('.accounts img');
    expect([image?.hidden, container.querySelector('.tile')?.textContent]).toEqual([true, 'AL']);
    expect([image?.src, image?.alt, image?.referrerPolicy]).toEqual([picture, '', 'no-referrer']);
    fireEvent.load(image ?? container);
    expect([image?.hidden, container.querySelector('.tile')]).toEqual([false, null]);
  });
});

describe('the signing-in screen', () => {
  test.each([
    [0, 'does not offer'],
    [9_999, 'does not offer'],
    [10_000, 'offers'],
    [60_000, 'offers'],
    [-60_000, 'does not offer'],
  ])('%i ms after the start %s to try again', (elapsedMs, offers) => {
    vi.useFakeTimers({ now: signingIn.startedAtMs + elapsedMs });
    renderSession(signingIn);
    const usual = [text('signingIn_showWindow'), text('signingIn_cancel')];
    const isLate = offers === 'offers';
    const names = isLate ? [...usual, text('tryAgain')] : usual;
    expect(screen.getAllByRole('button').map(readText)).toEqual(names);
    const sentences = [text('signingIn_early', 'Demo provider'), ...(isLate ? [text('signingIn_late')] : [])];
    expect(screen.getByText(sentences.join(' '))).toBeDefined();
  });

  test('offers to try again ten seconds after it is shown, also if the clock was set back by an hour', () => {
    vi.useFakeTimers({ now: signingIn.startedAtMs - 60 * 60_000 });
    renderSession(signingIn);
    const findAgain = () => screen.queryByRole('button', { name: text('tryAgain') });
    expect(findAgain()).toBeNull();
    act(() => void vi.advanceTimersByTime(10_000));
    expect(findAgain()).not.toBeNull();
  });

  test('mounts a new feature for the same subject of another issuer', async () => {
    const ofIssuer = (issuer: string) => ({ ...adaSignedIn, profile: { ...ada, issuer } });
    const { show } = renderSession(ofIssuer('https://id.example/contoso'));
    const region = screen.getByRole('region', { name: text('extensionName') });
    await show(ofIssuer('https://id.example/fabrikam'));
    expect(region.isConnected).toBe(false);
  });

  test('takes the focus from the feature, which stays in the document, hidden until a cancel', async () => {
    const createFeature = () => () => <button type="button">Allow more</button>;
    const { show } = renderPopup(toView(adaSignedIn), { createFeature });
    const ask = await screen.findByRole('button', { name: 'Allow more' });
    ask.focus();
    await show({ ...signingIn, before: adaSignedIn });
    expect(ask.isConnected && !ask.checkVisibility()).toBe(true);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    await show({ ...adaSignedIn, problem: { code: 'cancelled', detail: null } });
    expect(ask.checkVisibility()).toBe(true);
  });

  test('closes a modal dialog of the feature, which would block its buttons even while it is hidden', async () => {
    const createFeature = () => () => (
      <>
        <dialog ref={(dialog) => dialog?.showModal()}>modal</dialog>
        <dialog open>beside the rest</dialog>
      </>
    );
    const { show } = renderPopup(toView(adaSignedIn), { createFeature });
    const modal = await screen.findByText<HTMLDialogElement>('modal');
    // The document does not know the selector.
    Object.assign(modal, { matches: (selector: string) => selector === ':modal' });
    await show({ ...signingIn, before: adaSignedIn });
    expect([modal.isConnected, modal.open]).toEqual([true, false]);
    expect(screen.getByText<HTMLDialogElement>('beside the rest').open).toBe(true);
  });
});

test.each(['en-US', 'en-GB', 'de', 'ja'])('the time of the sign-in is written as in %s', (language) => {
  renderPopup(toView(adaSignedIn), { text: createText(lookUp, language) });
  fireEvent.click(screen.getByRole('button', { name: text('signedIn_account') }));
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  expect(document.querySelector('#account-details')?.textContent).toContain(date.format(adaSignedIn.sinceMs));
});
