import { expect, test } from 'vitest';
import { tryAgain } from '../../src/popup/try-again.ts';
import type { SigningIn } from '../../src/session/session.ts';
import { adaSignedIn, FakeObserver, nobody, toView } from '../support/fake-observer.ts';

const signingIn: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  attempt: 7,
  startedAtMs: 0,
  before: nobody,
};
const cancelled = { code: 'cancelled', detail: null } as const;

test('the sign-in starts anew once the old attempt is cancelled, and not before', async () => {
  const observer = new FakeObserver(toView(signingIn));
  const result = tryAgain(observer, signingIn);
  await Promise.resolve();
  observer.show(toView(signingIn, { managed: true }));
  expect(observer.commands).toEqual([{ type: 'cancel' }]);

  observer.show(toView({ ...nobody, problem: cancelled }));
  expect(await result).toEqual({ ok: true });
  expect(observer.commands).toEqual([{ type: 'cancel' }, { type: 'sign-in', providerId: 'demo' }]);
  expect(observer.listenerCount).toBe(0);
});

test('a board that shows the cancelling before the reply comes is enough', async () => {
  const observer = new FakeObserver(toView(signingIn));
  observer.reply = ({ type }) => {
    if (type === 'cancel') observer.show(toView({ ...nobody, problem: cancelled }));
    return { ok: true };
  };
  await tryAgain(observer, signingIn);
  expect(observer.commands).toEqual([{ type: 'cancel' }, { type: 'sign-in', providerId: 'demo' }]);
});

test('over a session another account is asked for again', async () => {
  const covering = { ...signingIn, before: adaSignedIn };
  const observer = new FakeObserver(toView({ ...adaSignedIn, problem: cancelled }));
  await tryAgain(observer, covering);
  expect(observer.commands).toEqual([{ type: 'cancel' }, { type: 'use-another-account' }]);
});

test.each([
  ['succeeds', adaSignedIn],
  ['fails for another reason', { ...nobody, problem: { code: 'offline', detail: null } as const }],
  ['gives way to a newer attempt', { ...signingIn, attempt: 8 }],
])('nothing is started when the old attempt %s after all', async (_, session) => {
  const observer = new FakeObserver(toView(session));
  expect(await tryAgain(observer, signingIn)).toEqual({ ok: true });
  expect(observer.commands).toEqual([{ type: 'cancel' }]);
});

test('a refused cancelling is told', async () => {
  const observer = new FakeObserver(toView(signingIn));
  const refused = { ok: false, problem: { code: 'worker-unreachable', detail: null } } as const;
  observer.reply = () => refused;
  expect(await tryAgain(observer, signingIn)).toEqual(refused);
  expect(observer.commands).toEqual([{ type: 'cancel' }]);
});
