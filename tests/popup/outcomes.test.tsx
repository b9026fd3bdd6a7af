// @vitest-environment happy-dom
// The popup shows the result of a click for as long as it holds: refusals, the missing window, copied texts.

import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command, Reply } from '../../src/session/commands.ts';
import { detail } from '../../src/session/detail.ts';
import type { Problem, ProblemCode } from '../../src/session/problem.ts';
import { deferred } from '../support/deferred.ts';
import { english as text } from '../support/english.ts';
import { adaSignedIn, signedOut, signingIn, toView } from '../support/fake-observer.ts';
import { renderPopup } from '../support/render-popup.tsx';

beforeEach(() => void vi.useFakeTimers({ now: signingIn.startedAtMs }));

const refused = (code: ProblemCode, more: Partial<Problem> = {}): Reply => ({
  ok: false,
  problem: { code, detail: null, ...more },
});
const expired = { code: 'expired', detail: null } as const;
const accepted: Reply = { ok: true };

const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const pass = (timeMs: number) => act(() => vi.advanceTimersByTimeAsync(timeMs));

/** The code of the problem that is shown, or null. */
function readProblem(): string | null {
  return document.querySelector<HTMLElement>('[data-problem]')?.dataset['problem'] ?? null;
}

describe('a refusal', () => {
  const continueWith = text('signedOut_continueWith', 'Demo provider');

  async function renderRefused() {
    const popup = renderPopup(toView(signedOut));
    popup.observer.reply = () => refused('storage-failed');
    await click(continueWith);
    expect(readProblem()).toBe('storage-failed');
    return popup;
  }

  test('does not come back with the status that it belonged to', async () => {
    const { show } = await renderRefused();
    await show(adaSignedIn);
    await show(signedOut);
    expect(readProblem()).toBeNull();
  });

  test('gives way to a new problem of the board', async () => {
    const { show } = await renderRefused();
    await show({ ...signedOut, problem: expired });
    expect(readProblem()).toBe('expired');
    await show(signedOut);
    expect(readProblem()).toBeNull();
  });

  test('stays while nothing but the providers changes', async () => {
    const { show } = await renderRefused();
    await show(signedOut, { managed: true });
    expect(readProblem()).toBe('storage-failed');
  });

  test('goes with the next click, and the late reply to an earlier one shows nothing', async () => {
    const { observer } = await renderRefused();
    const first = deferred<Reply>();
    observer.reply = () => first.promise;
    await click(continueWith);
    expect(readProblem()).toBeNull();
    observer.reply = () => accepted;
    await click(continueWith);
    await act(async () => first.resolve(refused('worker-unreachable')));
    expect(readProblem()).toBeNull();
  });

  test('to try again is shown', async () => {
    const { observer } = renderPopup(toView({ ...signingIn, startedAtMs: signingIn.startedAtMs - 60_000 }));
    observer.reply = () => refused('storage-failed');
    await click(text('tryAgain'));
    expect(observer.commands).toContainEqual({ type: 'try-again', attempt: signingIn.attempt });
    expect(readProblem()).toBe('storage-failed');
  });
});

describe('"Show window"', () => {
  const notOpened = refused('sign-in-page-failed');
  const notFound = refused('sign-in-page-failed', { window: 'left-open' });
  const notOpenedText = text('signingIn_windowNotOpened');
  const notFoundText = text('signingIn_windowNotFound');

  /** Which of the two sentences is shown. */
  function readSentence(): 'not opened' | 'not found' | null {
    if (screen.queryByText(notOpenedText) !== null) return 'not opened';
    return screen.queryByText(notFoundText) === null ? null : 'not found';
  }

  async function renderMissing(reply: Reply = notOpened) {
    const popup = renderPopup(toView(signingIn));
    popup.observer.reply = () => reply;
    await click(text('signingIn_showWindow'));
    return popup;
  }

  const countAsked = (commands: readonly Command[]) =>
    commands.filter(({ type }) => type === 'show-window').length;

  test.each([
    ['not opened', notOpened],
    ['not found', notFound],
  ])('says where the window is that is %s, which is no problem', async (sentence, reply) => {
    await renderMissing(reply);
    expect([readSentence(), readProblem()]).toEqual([sentence, null]);
  });

  test('is busy after a click, and not while the popup asks again by itself', async () => {
    const { observer } = await renderMissing();
    const button = screen.getByRole('button', { name: text('signingIn_showWindow') });
    observer.reply = () => new Promise<never>(() => undefined);
    await act(async () => void (await vi.advanceTimersByTimeAsync(1_000)));
    expect(countAsked(observer.commands)).toBe(2);
    expect(button.hasAttribute('aria-busy')).toBe(false);
    await click(text('signingIn_showWindow'));
    expect(button.hasAttribute('aria-busy')).toBe(true);
  });

  test('shows another problem as such', async () => {
    await renderMissing(refused('worker-unreachable'));
    expect([readSentence(), readProblem()]).toEqual([null, 'worker-unreachable']);
  });

  test('raises the window when it comes late, and takes the sentence away', async () => {
    const { observer } = await renderMissing();
    await pass(1_000);
    expect(readSentence()).toBe('not opened');
    observer.reply = () => accepted;
    await pass(2_000);
    expect(readSentence()).toBeNull();
    expect(countAsked(observer.commands)).toBe(3);
    await pass(600_000);
    expect(countAsked(observer.commands)).toBe(3);
  });

  test('asks less and less often, so that it does not fill the report', async () => {
    const { observer } = await renderMissing();
    await pass(600_000);
    expect(readSentence()).toBe('not opened');
    expect(countAsked(observer.commands)).toBeLessThan(12);
  });

  test('takes its sentence away when another window comes to the front', async () => {
    const { observer } = await renderMissing();
    await act(async () => void window.dispatchEvent(new Event('blur')));
    expect(readSentence()).toBeNull();
    await pass(60_000);
    expect(countAsked(observer.commands)).toBe(1);
  });

  test.each([
    ['signed in', adaSignedIn],
    ['cancelled', { ...signedOut, problem: { code: 'cancelled', detail: null } } as const],
    ['started again', { ...signingIn, attempt: 'attempt-2' }],
  ])('says nothing more once the sign-in is %s', async (_, session) => {
    const { observer, show } = await renderMissing();
    await show(session);
    expect(readSentence()).toBeNull();
    await pass(60_000);
    expect(countAsked(observer.commands)).toBe(1);
  });

  test('is not answered on the screen after it', async () => {
    const reply = deferred<Reply>();
    const { observer, show } = renderPopup(toView(signingIn));
    observer.reply = () => reply.promise;
    await click(text('signingIn_showWindow'));
    await show({ ...signedOut, problem: { code: 'cancelled', detail: null } });
    await act(async () => reply.resolve(notFound));
    expect(readSentence()).toBeNull();
    expect(readProblem()).toBe('cancelled');
  });

  test('is answered by its last click', async () => {
    const first = deferred<Reply>();
    const { observer } = renderPopup(toView(signingIn));
    observer.reply = () => first.promise;
    await click(text('signingIn_showWindow'));
    observer.reply = () => accepted;
    await click(text('signingIn_showWindow'));
    await act(async () => first.resolve(notOpened));
    expect(readSentence()).toBeNull();
  });

  test('does not ask on when it has been answered after a cancel', async () => {
    const { observer } = await renderMissing();
    const reply = deferred<Reply>();
    observer.reply = ({ type }) => (type === 'show-window' ? reply.promise : accepted);
    await pass(1_000);
    await click(text('signingIn_cancel'));
    await act(async () => reply.resolve(notOpened));
    expect(readSentence()).toBeNull();
    await pass(60_000);
    expect(countAsked(observer.commands)).toBe(2);
  });
});

describe('"Copied"', () => {
  const register = 'https://abcdefghijklmnop.chromiumapp.org/demo';
  const diagnosis = { cause: 'redirect-uri', certainty: 'known', register } as const;
  const problem: Problem = { code: 'provider-misconfigured', detail: detail`HTTP 400`, diagnosis };
  const find = (action: string) => document.querySelector(`[data-action="${action}"]`);
  const readLabels = () =>
    ['copy-redirect-uri', 'copy-detail', 'copy-report'].map((action) => find(action)?.textContent);
  const press = (action: string) => act(async () => void fireEvent.click(find(action) ?? document));
  const copy = text('problem_copy');
  const copyDetails = text('problem_copyDetails');
  const copied = text('problem_copied');
  const untouched = [copy, copyDetails, text('report_copy')];

  test('moves with the last copy', async () => {
    renderPopup(toView({ ...signedOut, problem }));
    await press('copy-redirect-uri');
    expect(readLabels()).toEqual([copied, copyDetails, text('report_copy')]);
    await press('copy-detail');
    expect(readLabels()).toEqual([copy, copied, text('report_copy')]);
    await press('copy-report');
    expect(readLabels()).toEqual([copy, copyDetails, copied]);
  });

  test.each([
    ['selects and copies something else', () => document.dispatchEvent(new Event('copy'))],
    ['cuts something', () => document.dispatchEvent(new Event('cut'))],
    ['comes back from another window', () => window.dispatchEvent(new Event('focus'))],
  ])('goes when the user %s', async (_, happen) => {
    renderPopup(toView({ ...signedOut, problem }));
    await press('copy-detail');
    await act(async () => void happen());
    expect(readLabels()).toEqual(untouched);
  });

  test('goes when the text beside the button is another one', async () => {
    const { show } = renderPopup(toView({ ...signedOut, problem }));
    await press('copy-detail');
    await press('copy-redirect-uri');
    const other = { detail: detail`HTTP 401`, diagnosis: { ...diagnosis, register: `${register}/2` } };
    await show({ ...signedOut, problem: { ...problem, ...other } });
    expect(readLabels()).toEqual(untouched);
  });

  test('of a report goes when something else is copied', async () => {
    renderPopup(toView({ ...adaSignedIn, problem: { ...problem, code: 'unexpected' } }));
    await press('copy-report');
    expect(screen.queryByText(text('report_copied'))).not.toBeNull();
    await press('copy-detail');
    expect(screen.queryByText(text('report_copied'))).toBeNull();
  });

  test('goes when a text that took longer is copied after it', async () => {
    const { observer, show } = renderPopup(toView({ ...signedOut, problem }));
    const report = deferred<string>();
    Object.assign(observer, { report: () => report.promise });
    await show({ ...signedOut, problem });
    await press('copy-report');
    await press('copy-detail');
    await act(async () => report.resolve('a report'));
    expect(readLabels()).toEqual([copy, copyDetails, copied]);
  });

  test('says so if copying fails, and a further try may succeed', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('not focused'));
    renderPopup(toView({ ...signedOut, problem }));
    await press('copy-detail');
    expect(readLabels()).toEqual([copy, text('problem_copyFailed'), text('report_copy')]);
    await press('copy-detail');
    expect(readLabels()).toEqual([copy, copied, text('report_copy')]);
  });
});
