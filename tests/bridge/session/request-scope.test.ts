import { describe, expect, test, vi } from 'vitest';
import type { BoardView } from '../../../src/bridge/session/observer.ts';
import { requestScope } from '../../../src/bridge/session/request-scope.ts';
import { problem, type ProblemCode } from '../../../src/session/problem.ts';
import type { View, SignedIn, SigningIn } from '../../../src/session/view.ts';
import { adaSignedIn, FakeObserver, signedOut, signingIn, toView } from '../../support/fake-observer.ts';

vi.mock('../../../src/bridge/browser.ts', () => ({ browser: {} })); // -- the polyfill refuses to load outside a browser

const requesting: SigningIn = {
  ...signingIn,
  order: { type: 'request-scope', scope: 'notes.read' },
  startedAtMs: 1000,
  before: adaSignedIn,
};

/** The session that a granted request begins. */
const renewed: SignedIn = { ...adaSignedIn, sinceMs: requesting.startedAtMs };

/** An observer whose worker shows `shown` before it accepts a command. */
function observe(shown: View = requesting, before = toView(adaSignedIn)) {
  const observer = new FakeObserver(before);
  observer.reply = () => {
    observer.show(toView(shown));
    return { ok: true };
  };
  return observer;
}

/** An observer of a page that asks for a scope, the window of which is open. */
async function asking(before?: BoardView) {
  const observer = observe(requesting, before);
  const asked = requestScope(observer, 'notes.read');
  await expect.poll(() => observer.listenerCount).toBe(1);
  return { observer, asked };
}

const failed = (code: ProblemCode): SignedIn => ({
  ...adaSignedIn,
  problem: { ...problem(code), order: requesting.order },
});

const another: SigningIn = { ...requesting, attempt: 'attempt-2', order: { type: 'use-another-account' } };
const unread: BoardView = { status: 'starting' };
const expired: View = { ...signedOut, problem: problem('expired') };

describe('requestScope', () => {
  test.each<[outcome: string, when: string, shown: View[], before?: BoardView]>([
    ['granted', 'the session begins', [renewed]],
    ['granted', 'that session has a problem', [{ ...renewed, problem: problem('offline') }]],
    [
      'granted',
      'a second try has taken the place of the first',
      [
        { ...requesting, attempt: 'attempt-2', startedAtMs: 2000 },
        { ...adaSignedIn, sinceMs: 2000 },
      ],
    ],
    ['granted', 'the page had not read the board before', [renewed], unread],
    ['cancelled', 'the window has been closed', [failed('cancelled')]],
    ['cancelled', '"Cancel" was pressed, which leaves no notice', [adaSignedIn]],
    ['cancelled', 'that has left the notice of a renewal', [{ ...adaSignedIn, problem: problem('offline') }]],
    ['cancelled', 'it was pressed, and the page had not read the board before', [adaSignedIn], unread],
    ['cancelled', 'another sign-in has followed unseen', [{ ...adaSignedIn, sinceMs: 1001 }]],
    ['cancelled', 'the user has signed out meanwhile', [signedOut]],
    ['denied', 'the user has refused', [failed('denied')]],
    ['denied', 'they have, and the page had not read the board before', [failed('denied')], unread],
    ['expired', 'the session has ended', [expired]],
    ['interrupted', 'another attempt has taken its place', [another]],
  ])('resolves with %s if %s', async (outcome, _when, shown, before) => {
    const { observer, asked } = await asking(before);
    expect(observer.commands).toEqual([{ type: 'request-scope', scope: 'notes.read' }]);
    for (const view of shown) observer.show(toView(view));
    expect(await asked).toBe(outcome);
    expect(observer.listenerCount).toBe(0);
  });

  test.each<[string, View]>([
    ['granted', renewed],
    ['cancelled', failed('cancelled')],
    ['denied', failed('denied')],
    ['expired', expired],
    ['interrupted', { ...requesting, order: { type: 'request-scope', scope: 'notes.write' } }],
  ])('resolves with %s if that is shown before the worker’s reply arrives', async (outcome, end) => {
    expect(await requestScope(observe(end), 'notes.read')).toBe(outcome);
  });

  test.each([[toView(adaSignedIn)], [unread]])(
    'is interrupted if the board of the request cannot be read',
    async (before) => {
      expect(await requestScope(new FakeObserver(before), 'notes.read')).toBe('interrupted');
    },
  );

  test('resolves at once with the problem if the worker refuses the command', async () => {
    const observer = observe();
    observer.reply = () => ({ ok: false, problem: problem('unexpected') });
    expect(await requestScope(observer, 'notes.read')).toBe('unexpected');
    expect(observer.listenerCount).toBe(0);
  });
});
