// The record as it is stored: when there is nothing to store, and what is read of something else.

import { describe, expect, test } from 'vitest';
import { parseRecord, serializeRecord } from '../../../src/background/record/disk.ts';
import {
  emptyRecord,
  type PendingRevocation,
  type StoredSession,
  type WorkerRecord,
} from '../../../src/background/record/record.ts';
import type { TokenSet } from '../../../src/oidc/tokens.ts';
import { codeSignIn, toSession } from '../../support/stored-session.ts';

/** Stands for a key, which is only handed on. */
const toKey = (name: string) => ({ name }) as unknown as CryptoKeyPair;

const session = toSession({
  dpopKey: toKey('of the session'),
  originalClaims: { audiences: ['client'], authorizedParty: null, nonce: 'nonce', authTimeSeconds: 7 },
  pause: { untilMs: 2, lengthMs: 1, failure: 'offline' },
  apis: [
    {
      key: 'pay',
      additionalScope: '',
      token: { type: 'Bearer', accessToken: 'pay', expiresAtMs: 9 },
      pause: null,
    },
  ],
});
const toPending = (token: string, change: Partial<PendingRevocation> = {}): PendingRevocation => ({
  providerId: 'demo',
  issuer: session.issuer,
  clientId: session.clientId,
  subject: 'ada',
  token,
  queuedAtMs: 1,
  revocableSinceMs: null,
  firstSentAtMs: 2,
  pause: { untilMs: 4, lengthMs: 2, failure: 'provider-unreachable' },
  ...change,
});
const [one, other] = [toPending('one', { expiresAtMs: 9 }), toPending('other')];
const record = {
  ...emptyRecord,
  session,
  codeSignIn,
  pendingRevocations: [one, other],
  applied: ['first', 'second'],
  others: { later: 1 },
};
const keys = new Map([['dpop:stored', session.dpopKey!]]);

/** The record as it is stored. */
const store = () =>
  JSON.parse(JSON.stringify(serializeRecord(record, 'dpop:stored'))) as Record<string, unknown> & {
    readonly session: Record<string, unknown>;
    readonly pendingRevocations: readonly [Record<string, unknown>, ...unknown[]];
  };

test('nothing is stored of a record that has none of its parts', () => {
  const isStored = (part: Partial<WorkerRecord>) =>
    serializeRecord({ ...emptyRecord, ...part }, 'key') !== null;
  expect(isStored({ isSignedOutOnPurpose: true })).toBe(false);
  expect(isStored({ session })).toBe(true);
  expect(isStored({ codeSignIn })).toBe(true);
  expect(isStored({ pendingRevocations: [one] })).toBe(true);
  expect(isStored({ others: { later: 1 } })).toBe(true);
});

test.each([null, undefined, 7, 'a text'])('nothing is read of %s', (stored) => {
  expect(parseRecord(stored, new Map(), 7)).toBe(emptyRecord);
});

const apiToken = { type: 'DPoP', accessToken: 'pay', expiresAtMs: 9 } as const;
const withBoundTokens = {
  tokens: { ...session.tokens, type: 'DPoP' } as TokenSet,
  apis: [{ key: 'pay', additionalScope: 'pay', token: apiToken, pause: null }],
};
const idToken = { type: 'id_token', idToken: 'id', expiresAtMs: 9, refreshToken: null } as const;

test.each<[string, Partial<StoredSession>]>([
  ['Bearer tokens', {}],
  ['tokens that are bound to a key', withBoundTokens],
  ['an ID token alone', { tokens: idToken, dpopKey: null }],
])('a record with %s is read as it was stored', (_title, change) => {
  const held = { ...record, session: { ...session, ...change } };
  expect(parseRecord(JSON.parse(JSON.stringify(serializeRecord(held, 'dpop:stored'))), keys, 7)).toEqual(
    held,
  );
});

describe('of a record that is damaged', () => {
  test('the session is lost with a time that is infinite, which could not be stored again', () => {
    const stored = store();
    stored.session['startedAtMs'] = JSON.parse('1'.repeat(400));
    expect(parseRecord(stored, keys, 7).session).toBeNull();
  });

  test('the APIs of a session alone are lost, because their tokens can be requested again', () => {
    const stored = store();
    stored.session['apis'] = [7];
    expect(parseRecord(stored, keys, 7)).toEqual({ ...record, session: { ...session, apis: [] } });
  });

  test.each(Object.keys(session).filter((name) => name !== 'apis'))(
    'the session is lost with its %s, and its token is a pending revocation',
    (name) => {
      const pending = toPending('refresh', { queuedAtMs: 7, firstSentAtMs: null, pause: null });
      const pendingRevocations = [one, other, pending];
      const [damaged, incomplete] = [store(), store()];
      damaged.session[name] = [7];
      delete incomplete.session[name];
      for (const stored of [damaged, incomplete])
        expect(parseRecord(stored, keys, 7)).toMatchObject({ ...record, session: null, pendingRevocations });
    },
  );

  test.each(Object.keys(one))('one pending revocation is lost with its %s', (name) => {
    const stored = store();
    stored.pendingRevocations[0][name] = [7];
    expect(parseRecord(stored, keys, 7)).toEqual({ ...record, pendingRevocations: [other] });
  });

  test.each<[string, Partial<typeof record> | { codeSignIn: null }]>([
    ['codeSignIn', { codeSignIn: null }],
    ['pendingRevocations', { pendingRevocations: [] }],
    ['applied', { applied: [] }],
    ['revocable', {}],
  ])('%s alone is lost', (part, lost) => {
    for (const damaged of [[7], 'damaged', 7, null, undefined])
      expect(parseRecord({ ...store(), [part]: damaged }, keys, 7)).toEqual({ ...record, ...lost });
  });
});

test('what a later version has added is carried along, and its codes of problems are unexpected', () => {
  const stored = store();
  const later = { later: [7] };
  for (const part of [stored, stored.session, stored.pendingRevocations[0]]) Object.assign(part, later);
  Object.assign(stored.session['pause'] as object, { failure: 'a later code' });
  expect(parseRecord(stored, keys, 7)).toEqual({
    ...record,
    session: { ...session, ...later, pause: { ...session.pause, failure: 'unexpected' } },
    pendingRevocations: [{ ...one, ...later }, other],
    others: later,
  });
});
