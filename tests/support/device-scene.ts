// Scenes with a provider that issues codes for the user to enter (RFC 8628), and a clock that only the test moves.

import { vi } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import type { DeviceCode } from '../../src/session/view.ts';
import { type WorkerSetup, setUpWorker } from './worker-setup.ts';
import { issuer, provider as scripted, type Answer, type Script } from './scripted-provider.ts';

export const deviceCode = 'device-code-that-no-one-sees';
export const userCode = 'WDJB-MJHT';
const codePage = `${issuer}/device-page`;

/** The provider's answer to a request for a code. */
export const issued = {
  device_code: deviceCode,
  user_code: userCode,
  verification_uri: codePage,
  expires_in: 900,
  interval: 5,
};

/** A provider whose codes end soon. */
export const shortCode: Script = { answers: { '/device': { ...issued, expires_in: 120 } } };

export const byCode: Provider = { ...scripted, deviceFlow: 'only' };

/** An OAuth error, as the token endpoint sends it. */
export const refusal = (error: string, status = 400) => Response.json({ error }, { status });
export const pending = () => refusal('authorization_pending');

/** A provider that issues codes, and whose token endpoint answers `token`; as for a user who has agreed by default. */
export function deviceScript(token?: Answer, script: Script = {}): Script {
  return {
    ...script,
    metadata: { device_authorization_endpoint: `${issuer}/device`, ...script.metadata },
    claims: { nonce: undefined, ...script.claims },
    answers: { '/device': issued, ...(token !== undefined && { '/token': token }), ...script.answers },
  };
}

/** A worker that shows a code. Until the user agrees, the token endpoint answers `token`. */
export async function showingCode(
  token: Answer = pending,
  { script: given = {}, ...setup }: WorkerSetup = {},
) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const script = deviceScript(token, given);
  const scene = setUpWorker({ providers: [byCode], ...setup, script });
  const { worker, clock } = scene;
  /** When the worker asked for the tokens, in seconds since the code was shown. */
  const shownAtMs = clock.nowMs;
  const asked: number[] = [];
  let seen = 0;

  /** Lets time pass, in steps of a second. */
  const pass = async (seconds: number, step = 1) => {
    for (let passed = 0; passed < seconds; passed += step) {
      clock.nowMs += step * 1_000;
      const before = worker.steps();
      await vi.advanceTimersByTimeAsync(step * 1_000);
      // In most seconds no timer of the worker is due.
      if (worker.steps() === before) continue;
      await worker.rest();
      for (; seen < worker.count('/token'); seen += 1) asked.push((clock.nowMs - shownAtMs) / 1000);
    }
  };
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  await worker.rest();
  return {
    ...scene,
    script,
    asked,
    pass,
    /** The user enters the code and agrees. */
    agree: () => void delete script.answers?.['/token'],
    code: (): DeviceCode | null | undefined => {
      const session = worker.session();
      return session?.status === 'signing-in' ? session.device : undefined;
    },
  };
}

/** The code on the board of {@link showingCode}. */
export function toShown(nowMs: number): DeviceCode {
  return { userCode, verificationUri: codePage, expiresAtMs: nowMs + 900_000 };
}
