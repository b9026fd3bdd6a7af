import { expect, test } from 'vitest';
import type { TokenAccess } from '../../src/background/provider/provider.ts';
import { createDeviceSignIn } from '../../src/parts/device.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { signedOut, type View } from '../../src/session/view.ts';
import { provider as scripted } from '../support/scripted-provider.ts';
import { codeFlow } from '../../src/oidc/code-flow.ts';

test('a sign-in that is no longer wanted when its window fails shows no code in the name of the next one', async () => {
  const asked: string[] = [];
  const access = {
    client: { provider: { ...scripted, deviceFlow: 'fallback' } },
    async metadata() {
      asked.push('metadata');
      throw new ProblemError('offline');
    },
  } as unknown as TokenAccess;
  const next: View = {
    status: 'signing-in',
    providerId: 'next',
    order: { type: 'sign-in', providerId: 'next' },
    attempt: 'attempt-2',
    startedAtMs: 2,
    device: null,
    before: signedOut,
  };
  let session: View = { ...next, attempt: 'attempt-1' };
  const signIn = createDeviceSignIn({
    hasWindow: () => true,
    flowOf: () => codeFlow,
    store: {
      get view() {
        return session;
      },
      subscribe: () => undefined,
      // Meanwhile the user cancels, and begins the next sign-in.
      async dispatch() {
        session = next;
      },
    } as never,
    windowSignIn: { inWindow: () => Promise.reject(new ProblemError('not-supported')) } as never,
    revocations: {} as never,
    records: {} as never,
    nowMs: () => 0,
  });
  await expect(signIn.inWindow(access, {}, Promise.resolve(), () => false)).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(asked).toEqual([]);
});
