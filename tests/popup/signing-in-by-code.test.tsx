// @vitest-environment happy-dom
// The popup while a user signs in with a code.

import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DeviceCode, SigningIn } from '../../src/session/view.ts';
import { english as text, toRead } from '../support/english.ts';
import { signingIn, toView } from '../support/fake-observer.ts';
import { renderPopup } from '../support/render-popup.tsx';

const nowMs = Date.parse('2030-01-01T12:00:00Z');
const device: DeviceCode = {
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://id.example:8443/device?code=WDJB-MJHT',
  expiresAtMs: nowMs + 14 * 60_000 + 30_000,
};
const showingCode: SigningIn = { ...signingIn, device };

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs });
});
const readText = (element: Element | null) => toRead(element?.textContent ?? '');

test('the code stands alone in its region, and keeps its place when time passes', async () => {
  const { container } = renderPopup(toView(showingCode));
  const code = container.querySelector('[data-region="device-code"]');
  expect(code?.textContent).toBe('WDJB-MJHT');
  expect(code?.getAttribute('aria-hidden')).toBe('true');
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(container.querySelector('[data-region="device-code"]')).toBe(code);
});

test('the time that is left is told in words, by the minute, and not read aloud', async () => {
  const { container } = renderPopup(toView(showingCode));
  const time = () => readText(container.querySelector('.user-code p'));
  expect(time()).toBe('The code expires in 15 minutes.');
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(time()).toBe('The code expires in 14 minutes.');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(time()).toBe('The code expires in 13 minutes.');
  // Each render starts the next timer.
  for (let minute = 13; minute >= 0; minute -= 1) await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(time()).toBe('The code expires in 1 minute.');
  expect(container.querySelector('.user-code p')?.closest('[aria-live], [role]')).toBeNull();
});

test('a screen reader is told the code character by character when it is there, and with the heading', async () => {
  const { container, show } = renderPopup(toView({ ...signingIn, device: null }));
  const sentence = container.querySelector('#sentence');
  expect(sentence?.getAttribute('aria-live')).toBe('polite');
  expect(readText(sentence)).toBe(text('signingIn_codePending'));
  await show(showingCode);
  expect(container.querySelector('#sentence')).toBe(sentence);
  expect(readText(sentence)).toBe('Open id.example:8443 and enter this code. W D J B - M J H T');
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading.getAttribute('aria-describedby')).toBe(sentence?.id);
  // The code that is seen is not read a second time.
  expect(container.querySelector('.user-code')?.textContent).not.toContain('W D J B');
});

test('one button copies the code as it is written', async () => {
  const writeText = vi.fn<(copied: string) => Promise<void>>().mockResolvedValue();
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  renderPopup(toView(showingCode));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: text('signingIn_copyCode') })));
  expect(writeText.mock.calls).toEqual([['WDJB-MJHT']]);
  expect(screen.getByRole('button', { name: text('problem_copied') })).toBeDefined();
});

test('one button opens the page in a tab that has no hold on the popup', () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  renderPopup(toView(showingCode));
  fireEvent.click(screen.getByRole('button', { name: text('signingIn_openPage') }));
  expect(open.mock.calls).toEqual([[device.verificationUri, '_blank', 'noopener,noreferrer']]);
});

test('Cancel is sent to the worker', () => {
  const { observer } = renderPopup(toView(showingCode));
  fireEvent.click(screen.getByRole('button', { name: text('signingIn_cancel') }));
  expect(observer.commands).toContainEqual({ type: 'cancel' });
});
