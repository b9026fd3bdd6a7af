import { expect, test } from 'vitest';
import { requestScope } from '../../../src/bridge/session/request-scope.ts';
import { problem, type Problem } from '../../../src/session/problem.ts';
import type { SigningIn } from '../../../src/session/session.ts';
import { adaSignedIn, FakeObserver, toView } from '../../support/fake-observer.ts';

const asking: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  attempt: 1,
  startedAtMs: 1000,
  before: adaSignedIn,
};

/** An observer whose worker goes through `steps` as soon as it is asked, or after it has answered. */
function observe(...steps: readonly ('asking' | Problem | null)[]) {
  const observer = new FakeObserver(toView(adaSignedIn));
  const run = () => {
    for (const step of steps) {
      observer.show(toView(step === 'asking' ? asking : { ...adaSignedIn, problem: step }));
    }
  };
  return { observer, run };
}

test.each<[string, Problem | null, string]>([
  ['was granted', null, 'granted'],
  ['was cancelled', problem('cancelled'), 'cancelled'],
  ['was denied', problem('denied'), 'denied'],
])('a scope that %s is told as that when the window has closed', async (_title, end, outcome) => {
  const { observer, run } = observe('asking', end);
  const asked = requestScope(observer, 'notes.read');
  expect(observer.commands).toEqual([{ type: 'request-scope', scope: 'notes.read' }]);
  await Promise.resolve();
  run();
  expect(await asked).toBe(outcome);
  expect(observer.listenerCount).toBe(0);
});

test('a window that has closed before the worker’s answer arrives is not waited for', async () => {
  const { observer, run } = observe('asking', problem('denied'));
  observer.reply = () => {
    run();
    return { ok: true };
  };
  expect(await requestScope(observer, 'notes.read')).toBe('denied');
});

test('what is on the board from before says nothing of the window', async () => {
  const { observer, run } = observe(problem('offline'), 'asking', null);
  const asked = requestScope(observer, 'notes.read');
  await Promise.resolve();
  run();
  expect(await asked).toBe('granted');
});

test('a refusal by the worker is told at once', async () => {
  const { observer } = observe();
  observer.reply = () => ({ ok: false, problem: problem('unexpected') });
  expect(await requestScope(observer, 'notes.read')).toBe('unexpected');
  expect(observer.listenerCount).toBe(0);
});
