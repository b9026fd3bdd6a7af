// The faces of a sign-in that runs, and of one that has just been cancelled.

import { words } from '../session/detail.ts';
import type { Problem } from '../session/problem.ts';
import { signedOut, type DeviceCode, type SignedIn, type SigningIn } from '../session/session.ts';
import { inGroup, show, unreachable, type Face } from './face-view.ts';
import { details } from './problems.ts';

const windowMissing: Problem = {
  code: 'sign-in-page-failed',
  detail: words`No window proves to be the one of this sign-in.`,
};

export function signingInFaces(nowMs: number, adaSignedIn: SignedIn): readonly Face[] {
  const signingIn: SigningIn = {
    status: 'signing-in',
    providerId: 'demo',
    request: { type: 'sign-in', providerId: 'demo' },
    attempt: 1,
    startedAtMs: nowMs,
    before: signedOut,
  };
  const late = { ...signingIn, startedAtMs: nowMs - 60_000 };
  const device: DeviceCode = {
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://id.example.com/device',
    expiresAtMs: nowMs + 14 * 60_000,
  };
  return inGroup('Signing in', {
    'signing-in': { title: 'The window has opened, perhaps behind others', ...show(signingIn) },
    'signing-in-late': { title: 'The window has not appeared', ...show(late) },
    'signing-in-over-session': {
      title: 'With another account, over a session',
      ...show({ ...signingIn, before: adaSignedIn }),
    },
    'signing-in-over-session-late': {
      title: 'With another account, over a session, the window has not appeared',
      ...show({ ...late, before: adaSignedIn }),
    },
    'signing-in-code-pending': {
      title: 'With a code, which the provider has yet to issue',
      ...show({ ...signingIn, device: null }),
    },
    'signing-in-code': { title: 'With a code', ...show({ ...signingIn, device }) },
    'signing-in-code-long': {
      title: 'With a code as long as any, on a host with a long name',
      ...show({
        ...signingIn,
        device: {
          userCode: 'QWRT-YPSD-FGHJ-KLZX-CVBN-MQWR-TY',
          verificationUri: 'https://sign-in.accounts.a-rather-long-department.example.org/device',
          expiresAtMs: nowMs + 1_800_000,
        },
      }),
    },
    'signing-in-code-ends': {
      title: 'With a code that ends soon',
      ...show({ ...signingIn, device: { ...device, expiresAtMs: nowMs + 20_000 } }),
    },
    'signing-in-code-over-session': {
      title: 'With a code for another account, over a session',
      ...show({ ...signingIn, device, before: adaSignedIn }),
    },
    'signing-in-code-refused': {
      title: 'With a code, and every command is refused: click Cancel',
      ...show({ ...signingIn, device }),
      refusal: unreachable,
    },
    'just-cancelled': {
      title: 'Just cancelled',
      ...show({ ...signedOut, problem: { code: 'cancelled', detail: null } }),
    },
    'cancelled-window-left': {
      title: 'Cancelled, and the window may still be open',
      ...show({ ...signedOut, problem: { code: 'cancelled', detail: null, window: 'left-open' } }),
    },
    'timed-out-window-left': {
      title: 'An earlier window is in the way',
      ...show({
        ...signedOut,
        problem: { code: 'timed-out', detail: details['timed-out'], window: 'left-open' },
      }),
    },
    'signing-in-window-not-opened': {
      title: 'The window has not opened yet: click the first button',
      ...show(signingIn),
      refusal: windowMissing,
    },
    'signing-in-window-not-found': {
      title: 'The window is not found: click the first button',
      ...show(signingIn),
      refusal: { ...windowMissing, window: 'left-open' },
    },
    'signing-in-late-refused': {
      title: 'The window has not appeared, and every command is refused: click a button',
      ...show(late),
      refusal: { ...unreachable, detail: words`The worker sent no valid reply.` },
    },
    'just-cancelled-over-session': {
      title: 'Just cancelled, over a session',
      ...show({ ...adaSignedIn, problem: { code: 'cancelled', detail: null } }),
    },
  });
}
