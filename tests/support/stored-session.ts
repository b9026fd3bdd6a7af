// Ada's session and a sign-in that shows a code, as the record holds them.

import type { CodeSignIn, StoredSession } from '../../src/background/record/record.ts';

/** Ada's session, with `change` in place of some of its members. */
export function toSession(change: Partial<StoredSession> = {}): StoredSession {
  return {
    id: 'session-1',
    generation: 1,
    issuer: 'https://provider.example',
    clientId: 'client',
    profile: {
      providerId: 'demo',
      subject: 'ada',
      name: null,
      email: null,
      emailVerified: false,
      picture: null,
    },
    startedAtMs: 1000,
    authenticatedAtMs: 1000,
    tokens: { type: 'Bearer', accessToken: 'access', expiresAtMs: 1, refreshToken: 'refresh', idToken: null },
    originalClaims: null,
    additionalScope: '',
    apis: [],
    renewalSentAtMs: null,
    silentTriedAtMs: null,
    pause: null,
    grantedScope: null,
    refusals: [],
    userInfoDueMs: null,
    dpopKey: null,
    ...change,
  };
}

export const codeSignIn: CodeSignIn = {
  providerId: 'demo',
  issuer: 'https://provider.example',
  clientId: 'client',
  startedAtMs: 1,
  grant: {
    shown: { userCode: 'ABCD', verificationUri: 'https://provider.example', expiresAtMs: 2 },
    deviceCode: 'device-code',
    intervalSeconds: 5,
  },
  additionalScope: null,
};
