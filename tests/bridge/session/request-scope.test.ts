import { describe, expect, test } from 'vitest';
import { requestScope } from '../../../src/bridge/session/request-scope.ts';
import { problem, type Problem } from '../../../src/session/problem.ts';
import type { SigningIn } from '../../../src/session/session.ts';
import { adaSignedIn, FakeObserver, nobody, toView } from '../../support/fake-observer.ts';

const requesting: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  request: { type: 'request-scope', scope: 'notes.read' },
  attempt: 1,
  startedAtMs: 1000,
  before: adaSignedIn,
};

/** An observer, and a function that has its board go through `steps`. */
function observe(...steps: readonly ('requesting' | Problem | null)[]) {
  const observer = new FakeObserver(toView(adaSignedIn));
  const run = () => {
    for (const step of steps) {
      observer.show(toView(step === 'requesting' ? requesting : { ...adaSignedIn, problem: step }));
    }
  };
  return { observer, run };
}

describe('requestScope', () => {
  test.each<[string, Problem | null]>([
    ['granted', null],
    ['cancelled', problem('cancelled')],
    ['denied', problem('denied')],
  ])('resolves with %s when the window has closed', async (outcome, end) => {
    const { observer, run } = observe('requesting', end);
    const asked = requestScope(observer, 'notes.read');
    expect(observer.commands).toEqual([{ type: 'request-scope', scope: 'notes.read' }]);
    await Promise.resolve();
    run();
    expect(await asked).toBe(outcome);
    expect(observer.listenerCount).toBe(0);
  });

  test('does not wait for a window that has closed before the worker’s reply arrives', async () => {
    const { observer, run } = observe('requesting', problem('denied'));
    observer.reply = () => {
      run();
      return { ok: true };
    };
    expect(await requestScope(observer, 'notes.read')).toBe('denied');
  });

  test('ignores a problem that was on the board before the window opened', async () => {
    const { observer, run } = observe(problem('offline'), 'requesting', null);
    const asked = requestScope(observer, 'notes.read');
    await Promise.resolve();
    run();
    expect(await asked).toBe('granted');
  });

  test('does not take the result of another attempt for its own', async () => {
    const { observer } = observe();
    const asked = requestScope(observer, 'notes.read');
    await Promise.resolve();
    const another = { ...requesting, request: { type: 'request-scope', scope: 'notes.write' } } as const;
    observer.show(toView(another));
    observer.show(toView(adaSignedIn));
    observer.show(toView({ ...requesting, attempt: 2 }));
    observer.show(toView({ ...adaSignedIn, problem: problem('denied') }));
    expect(await asked).toBe('denied');
  });

  test('is interrupted when another attempt takes its place', async () => {
    const { observer } = observe();
    const asked = requestScope(observer, 'notes.read');
    await Promise.resolve();
    observer.show(toView(requesting));
    observer.show(toView({ ...requesting, attempt: 2 }));
    expect(await asked).toBe('interrupted');
  });

  test('grants nothing to a person who has signed out meanwhile', async () => {
    const { observer } = observe();
    const asked = requestScope(observer, 'notes.read');
    await Promise.resolve();
    observer.show(toView(requesting));
    observer.show(toView(nobody));
    expect(await asked).toBe('cancelled');
  });

  test('resolves at once with the problem if the worker refuses the command', async () => {
    const { observer } = observe();
    observer.reply = () => ({ ok: false, problem: problem('unexpected') });
    expect(await requestScope(observer, 'notes.read')).toBe('unexpected');
    expect(observer.listenerCount).toBe(0);
  });
});
