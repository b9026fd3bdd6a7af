import { expect, test } from 'vitest';
import { toWindowProblem } from '../../../src/background/provider/window.ts';

test.each([
  ['The user did not approve access.', 'cancelled'],
  ['User cancelled or denied access.', 'cancelled'],
  ['Authorization page could not be loaded.', 'sign-in-page-failed'],
  ['Authorization page load timed out.', 'timed-out'],
  ['Invalid request', 'sign-in-page-failed'],
  ["Couldn't create a browser window to display an authorization page.", 'not-supported'],
  ['Identity API is disabled in incognito windows.', 'not-supported'],
  ['The browser context has been shut down.', 'interrupted'],
  ['User interaction required.', 'expired'],
  ['Requires user interaction', 'expired'],
  ['', 'unexpected'],
  ['A sentence of next year', 'unexpected'],
])('toWindowProblem turns «%s» into %s', (text, code) => {
  expect(toWindowProblem(new Error(text))).toMatchObject({ code });
});

test('toWindowProblem says that a window may be open if that keeps the next one from opening', () => {
  const error = new Error('Only one web auth flow is allowed at a time.');
  expect(toWindowProblem(error)).toMatchObject({ code: 'timed-out', window: 'left-open' });
  expect(toWindowProblem(new Error('Authorization page load timed out.')).window).toBeNull();
});

test('toWindowProblem has nothing of an address in the detail, and takes no text from any other value', () => {
  const text = 'The user at https://a.example/?code=SplxlOBe was blocked';
  expect(toWindowProblem(new Error(text)).detail).toBe('… user … code … blocked.');
  const failed = toWindowProblem(new Error('Authorization page could not be loaded. SplxlOBe'));
  expect(failed.detail).toBe('Authorization page could not be loaded.');
  const other = toWindowProblem({ message: 'The user did not approve access.' });
  expect(other).toMatchObject({ code: 'unexpected' });
});
