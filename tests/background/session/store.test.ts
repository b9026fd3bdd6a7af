import { describe, expect, test } from 'vitest';
import { createViewStore } from '../../../src/background/session/store.ts';
import type { Board } from '../../../src/bridge/session/board.ts';
import { asBuilt, type Settings } from '../../../src/background/part.ts';
import type { WorkerConfig } from '../../../src/config/provider.ts';
import { signedOut, type View } from '../../../src/session/view.ts';
import { deferred } from '../../support/deferred.ts';

const policy: Settings = { inForce: { ...asBuilt({} as WorkerConfig), rememberAccounts: true } };
const signIn = {
  providerId: 'demo',
  order: { type: 'sign-in', providerId: 'demo' },
  attempt: 'attempt-1',
  startedAtMs: 1000,
} as const;
const start = { type: 'sign-in-started', signIn } as const;
const signOut = { type: 'signed-out', providerSession: null } as const;

/** A store whose writes of the board wait until the test lets them go. */
function setUpStore() {
  const writes: { readonly status: View['status']; readonly end: ReturnType<typeof deferred<void>> }[] = [];
  const write = ({ session }: Board) => {
    const end = deferred<void>();
    writes.push({ status: session.status, end });
    return end.promise;
  };
  const store = createViewStore({ read: () => Promise.resolve(null), write }, new Map(), policy);
  store.restore(signedOut, signedOut);
  return { store, writes };
}

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

describe('createSessionStore', () => {
  test('writes boards one after the other, each with the session of its dispatch', async () => {
    const { store, writes } = setUpStore();
    const both = Promise.all([store.dispatch(start), store.dispatch(signOut)]);
    await nextTurn();
    expect(writes.map(({ status }) => status)).toEqual(['signing-in']);
    writes[0]?.end.resolve();
    await nextTurn();
    expect(writes.map(({ status }) => status)).toEqual(['signing-in', 'signed-out']);
    writes[1]?.end.resolve();
    await both;
  });

  test('tries a failed write once more', async () => {
    const { store, writes } = setUpStore();
    const dispatched = store.dispatch(start);
    await nextTurn();
    writes[0]?.end.reject(new Error('QuotaExceeded'));
    await nextTurn();
    writes[1]?.end.resolve();
    await dispatched;
    await store.flushBoard();
    expect(writes).toHaveLength(2);
  });
});
