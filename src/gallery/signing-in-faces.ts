// The faces of a sign-in that runs, and of one that has just been cancelled.

import { words } from '../session/detail.ts';
import type { Problem } from '../session/problem.ts';
import { signedOut, type DeviceCode, type SigningIn } from '../session/session.ts';
import { adaSignedIn, unreachable } from './examples.ts';
import type { Row } from './face.ts';
import { details } from './problem-faces.ts';

const cancelled = { code: 'cancelled', detail: null } as const;

const windowInTheWay: Problem = {
  code: 'timed-out',
  detail: details['timed-out'],
  window: 'left-open',
};

const windowMissing: Problem = {
  code: 'sign-in-page-failed',
  detail: words`No window proves to be the one of this sign-in.`,
};

/** `nowMs` is the time for which the titles are true, in milliseconds since the epoch. */
export function signingInFaces(nowMs: number): readonly Row[] {
  const signingIn: SigningIn = {
    status: 'signing-in',
    providerId: 'demo',
    request: { type: 'sign-in', providerId: 'demo' },
    attempt: 'attempt-1',
    startedAtMs: nowMs,
    before: signedOut,
  };
  const overSession = { ...signingIn, before: adaSignedIn };
  const startedAtMs = nowMs - 60_000;
  const late = { ...signingIn, startedAtMs };

  const device: DeviceCode = {
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://id.example.com/device',
    expiresAtMs: nowMs + 14 * 60_000,
  };
  const longDevice: DeviceCode = {
    userCode: 'QWRT-YPSD-FGHJ-KLZX-CVBN-MQWR-TY',
    verificationUri: 'https://sign-in.accounts.a-rather-long-department.example.org/device',
    expiresAtMs: nowMs + 30 * 60_000,
  };
  const endingDevice = { ...device, expiresAtMs: nowMs + 20_000 };
  const byCode = { ...signingIn, device };

  return [
    ['signing-in', 'The window has opened, perhaps behind others', signingIn],
    ['signing-in-late', 'The window has not appeared', late],
    ['signing-in-over-session', 'With another account, over a session', overSession],
    [
      'signing-in-confirm',
      'An API asks the person to confirm who they are',
      { ...overSession, apiName: 'Acme Payments' },
    ],
    [
      'signing-in-over-session-late',
      'With another account, over a session, the window has not appeared',
      { ...overSession, startedAtMs },
    ],
    [
      'signing-in-code-pending',
      'With a code, which the provider has yet to issue',
      { ...signingIn, device: null },
    ],
    ['signing-in-code', 'With a code', byCode],
    [
      'signing-in-code-long',
      'With a code as long as any, on a host with a long name',
      { ...signingIn, device: longDevice },
    ],
    ['signing-in-code-ends', 'With a code that ends soon', { ...signingIn, device: endingDevice }],
    [
      'signing-in-code-over-session',
      'With a code for another account, over a session',
      { ...overSession, device },
    ],
    [
      'signing-in-code-refused',
      'With a code, and every command is refused: click Cancel',
      byCode,
      { refusal: unreachable },
    ],
    ['just-cancelled', 'Just cancelled', { ...signedOut, problem: cancelled }],
    [
      'cancelled-window-left',
      'Cancelled, and the window may still be open',
      { ...signedOut, problem: { ...cancelled, window: 'left-open' } },
    ],
    ['timed-out-window-left', 'An earlier window is in the way', { ...signedOut, problem: windowInTheWay }],
    [
      'signing-in-window-not-opened',
      'The window has not opened yet: click the first button',
      signingIn,
      { refusal: windowMissing },
    ],
    [
      'signing-in-window-not-found',
      'The window is not found: click the first button',
      signingIn,
      { refusal: { ...windowMissing, window: 'left-open' } },
    ],
    [
      'signing-in-late-refused',
      'The window has not appeared, and every command is refused: click a button',
      late,
      { refusal: { ...unreachable, detail: details['worker-unreachable'] } },
    ],
    ['just-cancelled-over-session', 'Just cancelled, over a session', { ...adaSignedIn, problem: cancelled }],
  ];
}
