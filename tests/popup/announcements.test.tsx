// @vitest-environment happy-dom
// A screen reader reads texts aloud while a user signs in and out. These tests hold them and their order, in every language.

import { act, fireEvent, screen } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../src/session/commands.ts';
import { toLookUp, type MessagesFile } from '../../src/popup/i18n/messages-file.ts';
import { createText, gapAfter, toKeyPart, type Text } from '../../src/popup/i18n/text.ts';
import { detail } from '../../src/session/detail.ts';
import type { Problem } from '../../src/session/problem.ts';
import type { View } from '../../src/session/view.ts';
import { toRead, whatHappened, whatToDo } from '../support/english.ts';
import { isLong } from '../support/extent.ts';
import { ada, adaSignedIn, signedOut, signingIn, toView } from '../support/fake-observer.ts';
import { pressKey } from '../support/keyboard.ts';
import { renderPopup, type PopupSetup } from '../support/render-popup.tsx';
import { ScreenReader, type Heard } from '../support/screen-reader.ts';

const folder = 'src/public/_locales';
/** `npm test` takes one language of each script and direction. */
const some = ['en', 'ar', 'ja'];
const allLanguages = readdirSync(folder).map((language): [string, Text] => {
  const file = readFileSync(`${folder}/${language}/messages.json`, 'utf8');
  return [language, createText(toLookUp(JSON.parse(file) as MessagesFile))];
});
const languages = allLanguages.filter(([language]) => isLong || some.includes(language));

const cancelled: Problem = { code: 'cancelled', detail: null };
const expired: Problem = { code: 'expired', detail: null };
const failed: Problem = { code: 'provider-unreachable', detail: detail`login.example did not answer.` };
const refused = (problem: Problem): Reply => ({ ok: false, problem });
const demo = { id: 'demo', name: 'Demo provider', endsSession: true };

let reader: ScreenReader;

beforeEach(() => {
  vi.stubEnv('DEV', false);
  vi.useFakeTimers({ now: signingIn.startedAtMs });
});

afterEach(() => {
  reader.stop();
});

/** Renders the popup, and listens from then on. */
function renderAloud(view: Parameters<typeof renderPopup>[0], setup?: PopupSetup) {
  const popup = renderPopup(view, setup);
  reader = new ScreenReader();
  return popup;
}

const pass = (timeMs: number) => act(() => vi.advanceTimersByTimeAsync(timeMs));

/** Goes to a button by keyboard and presses it. Leaves out the text of the button itself. */
async function press(name: string): Promise<void> {
  screen.getByRole('button', { name }).focus();
  await reader.listen();
  await act(async () => void pressKey('Enter'));
}

/** Expects what is read aloud since the last time. */
const hears = async (...heard: readonly Heard[]) =>
  // The full stop of a heading has an element of its own.
  expect(
    (await reader.listen()).map(([way, words]) => [way, words.replace(/ (?=[.。](?: |,|$))/gu, '')]),
  ).toEqual(heard);

const heading = (words: string, sentence: string): Heard => [
  'focus',
  `${toRead(words)}, heading, ${toRead(sentence)}`,
];
const polite = (...words: readonly string[]): Heard => ['polite', toRead(words.join(' '))];
const assertive = (...words: readonly string[]): Heard => ['assertive', toRead(words.join(' '))];
/** As the status region says it. */
const outcomeIn = (text: Text, problem: Problem) =>
  polite(problemIn(text, problem).join(gapAfter(whatHappened(problem.code, text))));
const problemIn = (text: Text, { code }: Problem) => [whatHappened(code, text), whatToDo(code, text)];

describe.each(languages)('in %s a screen reader reads aloud', (_, text) => {
  const says = (status: View['status']) => text(`announcement_${toKeyPart(status)}`);
  const continueWith = text('signedOut_continueWith', 'Demo provider');

  test('a sign-in', async () => {
    const { show } = renderAloud(toView(signedOut), { text });
    await press(continueWith);
    await show(signingIn);
    await hears(
      heading(text('signingIn_title'), text('signingIn_early', 'Demo provider')),
      polite(says('signing-in')),
    );
    await pass(10_000);
    await hears(
      polite(
        [text('signingIn_early', 'Demo provider'), text('signingIn_late')].join(
          gapAfter(text('signingIn_late')),
        ),
      ),
    );
    await show(adaSignedIn);
    await hears(heading('Ada Lovelace', 'ada@example.com'), polite(says('signed-in')));
  });

  test('a sign-in that is cancelled', async () => {
    const { show } = renderAloud(toView(signingIn), { text });
    await press(text('signingIn_cancel'));
    await show({ ...signedOut, problem: cancelled });
    await hears(['focus', `${whatHappened('cancelled', text)}, heading`], outcomeIn(text, cancelled));
    await show(signedOut);
    await hears(heading(text('extensionName'), toRead(text('signedOut_invitation', 'Demo provider'))));
  });

  test('a sign-in that fails', async () => {
    const { show } = renderAloud(toView(signingIn), { text });
    await show({ ...signedOut, problem: failed });
    await hears(assertive(...problemIn(text, failed)), polite(says('signed-out')));
  });

  test('a click that is refused, each time', async () => {
    const { observer } = renderAloud(toView(signedOut), { text });
    observer.reply = () => refused(failed);
    for (let time = 0; time < 2; time += 1) {
      await press(continueWith);
      await hears(assertive(...problemIn(text, failed)));
    }
  });

  test('a window that is missing, and nothing when it has come', async () => {
    const { observer } = renderAloud(toView(signingIn), { text });
    const missing: Problem = { code: 'sign-in-page-failed', detail: null };
    observer.reply = () => refused(missing);
    await press(text('signingIn_showWindow'));
    await hears(polite(text('signingIn_windowNotOpened')));
    observer.reply = () => refused({ ...missing, window: 'left-open' });
    await pass(1_000);
    await hears(polite(text('signingIn_windowNotFound')));
    observer.reply = () => ({ ok: true });
    await pass(2_000);
    await hears();
  });

  test('a sign-out here and at the provider', async () => {
    const { show } = renderAloud(toView(adaSignedIn, { providers: [demo] }), { text });
    const ended = (status: 'ending' | 'ended'): View => ({
      ...signedOut,
      providerSession: { providerId: 'demo', status },
    });
    screen.getByRole('button', { name: text('signedIn_account') }).focus();
    pressKey('ArrowDown');
    await hears(
      ['focus', `${text('signedIn_account')}, button`],
      ['focus', `${text('signedOut_anotherAccount')}, menuitem`],
    );
    await show(ended('ending'), { providers: [demo] });
    const ending = text('signedOut_providerSession_ending', 'Demo provider');
    await hears(heading(text('extensionName'), ending), polite(says('signed-out')));
    await show(ended('ended'), { providers: [demo] });
    await hears(polite(text('signedOut_providerSession_ended', 'Demo provider')));
  });

  test('a session that ends by itself', async () => {
    const { show } = renderAloud(toView(adaSignedIn), { text });
    await show({ ...signedOut, accounts: [ada], problem: expired });
    await hears(outcomeIn(text, expired));
  });

  test('a report that is copied, and nothing when that has passed', async () => {
    renderAloud(toView(adaSignedIn), { text });
    fireEvent.click(screen.getByRole('menuitem', { name: text('report_copy'), hidden: true }));
    await pass(0);
    const [button, ...others] = await reader.listen();
    expect(button).toEqual(['focus', `${text('signedIn_account')}, button`]);
    expect(others).toEqual([polite(text('report_copied'))]);
    await act(async () => void window.dispatchEvent(new Event('focus')));
    await hears();
  });

  test('a start that takes long', async () => {
    renderAloud({ status: 'starting' }, { text });
    await pass(5_999);
    await hears();
    await pass(1);
    await hears(polite(text('starting_slow', text('extensionName'))));
  });

  test('how much a search finds', async () => {
    // React warns about <search>, because the document does not know that element.
    vi.spyOn(console, 'error').mockReturnValue();
    const places = [...'12345678'].map((id) => ({ ...demo, id, name: `P${id}` }));
    renderAloud(toView(signedOut, { providers: places }), { text });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'acme' } });
    await hears(polite(text('signedOut_noMatch', 'acme')));
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'P' } });
    await hears(polite(text('signedOut_results', new Intl.NumberFormat(text.language).format(8))));
  });

  test('an account that is removed, with what brings it back', async () => {
    const { show } = renderAloud(toView({ ...signedOut, accounts: [ada] }), { text });
    await press(text('signedOut_removeAccount', 'Ada Lovelace'));
    await show(signedOut);
    await hears(
      ['focus', `${text('signedOut_undo')}, button`],
      polite(text('signedOut_invitation', 'Demo provider')),
      polite(text('signedOut_removed', 'Ada Lovelace'), text('signedOut_undo')),
    );
  });

  test('a feature that stops', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    renderAloud(toView(adaSignedIn), {
      text,
      createFeature: () => () => {
        throw new Error('on purpose');
      },
    });
    await pass(0);
    await reader.listen();
    await press(text('tryAgain'));
    await hears(
      ['focus', `${text('extensionName')}, region`],
      assertive(text('feature_stopped'), text('signedIn_still')),
    );
  });
});

/** Their full stop is as wide as a letter, and needs no gap after it. */
const withoutGaps = ['ja', 'zh_CN'];

test.each(allLanguages)(
  'a notice in %s has the gap of that language between its sentences',
  (language, text) => {
    renderAloud(toView({ ...signedOut, problem: { ...cancelled, window: 'left-open' } }), { text });
    const gap = withoutGaps.includes(language) ? '' : ' ';
    expect(screen.getByRole('status').textContent).toBe(
      [...problemIn(text, cancelled), text('problem_windowLeftOpen')].join(gap),
    );
  },
);
