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

const ends: [string, View][] = [
  ['granted', renewed],
  ['cancelled', failed('cancelled')],
  ['denied', failed('denied')],
  ['expired', { ...signedOut, problem: problem('expired') }],
];

describe('requestScope', () => {
  test.each(ends)('resolves with %s when the window has closed', async (outcome, end) => {
    const { observer, asked } = await asking();
    expect(observer.commands).toEqual([{ type: 'request-scope', scope: 'notes.read' }]);
    observer.show(toView(end));
    expect(await asked).toBe(outcome);
    expect(observer.listenerCount).toBe(0);
  });

  test.each(ends)(
    'resolves with %s if the window has closed before the worker’s reply arrives',
    async (outcome, end) => {
      expect(await requestScope(observe(end), 'notes.read')).toBe(outcome);
    },
  );

  test.each([
    ['granted', renewed],
    ['denied', failed('denied')],
    ['cancelled', adaSignedIn],
  ])('resolves with %s on a page that has not read the board before', async (outcome, end) => {
    const { observer, asked } = await asking({ status: 'starting' });
    observer.show(toView(end));
    expect(await asked).toBe(outcome);
  });

  test('is granted although the session that it has begun has a problem', async () => {
    const { observer, asked } = await asking();
    observer.show(toView({ ...renewed, problem: problem('offline') }));
    expect(await asked).toBe('granted');
  });

  test('is granted in a second try, which takes the place of the first', async () => {
    const { observer, asked } = await asking();
    observer.show(toView({ ...requesting, attempt: 'attempt-2', startedAtMs: 2000 }));
    observer.show(toView({ ...adaSignedIn, sinceMs: 2000 }));
    expect(await asked).toBe('granted');
  });

  test('is interrupted when another attempt has taken its place', async () => {
    const { observer, asked } = await asking();
    observer.show(toView({ ...requesting, attempt: 'attempt-2', order: { type: 'use-another-account' } }));
    expect(await asked).toBe('interrupted');
    const another = { type: 'request-scope', scope: 'notes.write' } as const;
    expect(await requestScope(observe({ ...requesting, order: another }), 'notes.read')).toBe('interrupted');
  });

  test.each([[toView(adaSignedIn)], [{ status: 'starting' }] as const])(
    'is interrupted if the board of the request cannot be read',
    async (before) => {
      const observer = new FakeObserver(before);
      expect(await requestScope(observer, 'notes.read')).toBe('interrupted');
    },
  );

  test.each([null, problem('offline')])(
    'is cancelled by a press of "Cancel", which leaves no notice of its own, but perhaps %j of a renewal',
    async (left) => {
      const { observer, asked } = await asking();
      observer.show(toView({ ...adaSignedIn, problem: left }));
      expect(await asked).toBe('cancelled');
    },
  );

  test('is not granted by another sign-in that has followed unseen', async () => {
    const { observer, asked } = await asking();
    observer.show(toView({ ...adaSignedIn, sinceMs: requesting.startedAtMs + 1 }));
    expect(await asked).toBe('cancelled');
  });

  test('grants nothing to a user who has signed out meanwhile', async () => {
    const { observer, asked } = await asking();
    observer.show(toView(signedOut));
    expect(await asked).toBe('cancelled');
  });

  test('resolves at once with the problem if the worker refuses the command', async () => {
    const observer = observe();
    observer.reply = () => ({ ok: false, problem: problem('unexpected') });
    expect(await requestScope(observer, 'notes.read')).toBe('unexpected');
    expect(observer.listenerCount).toBe(0);
  });
});
