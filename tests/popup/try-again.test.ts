import { describe, expect, test } from 'vitest';
import { tryAgain } from '../../src/popup/try-again.ts';
import type { Reply, SignInRequest } from '../../src/session/commands.ts';
import type { SigningIn } from '../../src/session/session.ts';
import { deferred } from '../support/deferred.ts';
import { adaSignedIn, FakeObserver, nobody, toView } from '../support/fake-observer.ts';

const signingIn: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  request: { type: 'sign-in', providerId: 'demo' },
  attempt: 'attempt-7',
  startedAtMs: 0,
  before: nobody,
};
const cancelled = { code: 'cancelled', detail: null } as const;

describe('tryAgain', () => {
  test('starts a new sign-in once the worker has cancelled the old attempt, and not before', async () => {
    const observer = new FakeObserver(toView(signingIn));
    const reply = deferred<Reply>();
    observer.reply = ({ type }) => (type === 'cancel' ? reply.promise : { ok: true });
    const result = tryAgain(observer, signingIn);
    observer.show(toView(nobody));
    await Promise.resolve();
    expect(observer.commands).toEqual([{ type: 'cancel' }]);
    reply.resolve({ ok: true });
    expect(await result).toEqual({ ok: true });
    expect(observer.commands).toEqual([{ type: 'cancel' }, { type: 'sign-in', providerId: 'demo' }]);
  });

  test('starts a new sign-in also if the old window may still be open', async () => {
    const observer = new FakeObserver(toView({ ...nobody, problem: { ...cancelled, window: 'left-open' } }));
    await tryAgain(observer, signingIn);
    expect(observer.commands).toEqual([{ type: 'cancel' }, signingIn.request]);
  });

  test.each<SignInRequest>([
    { type: 'sign-in', providerId: 'other', hint: 'ada@example.com' },
    { type: 'use-another-account' },
    { type: 'request-scope', scope: 'notes.read' },
  ])('repeats what the person asked for: $type', async (request) => {
    const observer = new FakeObserver(toView(adaSignedIn));
    await tryAgain(observer, { ...signingIn, request, before: adaSignedIn });
    expect(observer.commands).toEqual([{ type: 'cancel' }, request]);
  });

  test.each([
    ['succeeds', adaSignedIn],
    ['fails for another reason', { ...nobody, problem: { code: 'offline', detail: null } as const }],
    ['cannot be seen to have ended', signingIn],
    ['is replaced by a newer one', { ...signingIn, attempt: 'attempt-8' }],
  ])('starts nothing if the old attempt %s', async (_, session) => {
    const observer = new FakeObserver(toView(session));
    expect(await tryAgain(observer, signingIn)).toEqual({ ok: true });
    expect(observer.commands).toEqual([{ type: 'cancel' }]);
  });

  test('starts nothing if the same person has just signed in again', async () => {
    const observer = new FakeObserver(toView({ ...adaSignedIn, sinceMs: adaSignedIn.sinceMs + 1 }));
    await tryAgain(observer, { ...signingIn, before: adaSignedIn });
    expect(observer.commands).toEqual([{ type: 'cancel' }]);
  });

  test('resolves with the refusal if the worker refuses to cancel', async () => {
    const observer = new FakeObserver(toView(signingIn));
    const refused = { ok: false, problem: { code: 'worker-unreachable', detail: null } } as const;
    observer.reply = () => refused;
    expect(await tryAgain(observer, signingIn)).toEqual(refused);
    expect(observer.commands).toEqual([{ type: 'cancel' }]);
  });
});
