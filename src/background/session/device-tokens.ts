// Asks for the tokens of a device grant until the user has finished, at the provider's pace (RFC 8628 section 3.5).

import { once } from '../../concurrency/once.ts';
import { pause } from '../../concurrency/pause.ts';
import { requestDeviceTokens } from '../../oidc/device.ts';
import { generateDpopKey, wantsDpop } from '../../oidc/dpop.ts';
import { byIdToken, type Identify } from '../../oidc/redeem.ts';
import { isTransient } from '../../oidc/rejection.ts';
import { detail } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import { revokeOnFailure } from '../provider/revoke-on-failure.ts';
import type { SignInResult } from '../provider/sign-in.ts';
import type { CodeSignIn } from '../record/record.ts';
import type { SessionParts } from './parts.ts';

interface DeviceTokensParts extends Pick<SessionParts, 'revocations' | 'records' | 'nowMs'> {
  /** Finds out who the user is at a provider with a user API; null if there is none. */
  readonly byUserApi: Identify | null;
}

/** The longest pause after failures in a row. */
const maxPauseMs = 60_000;
/** A pause after failures ends so long before the code does: the user may have entered it meanwhile. */
const lastChanceMs = 10_000;
/** RFC 8628 section 3.5. */
const slowDownSeconds = 5;

/**
 * Asks until the user has finished. A provider that cannot be reached is asked again. Throws {@link ProblemError}:
 * `cancelled` once `signal` aborts, `interrupted` when the code has ended, `provider-unreachable` if that was after a failure, and
 * whatever the check of the tokens throws.
 */
export async function waitForTokens(
  parts: DeviceTokensParts,
  access: ProviderAccess,
  codeSignIn: CodeSignIn,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { records, nowMs } = parts;
  const { grant } = codeSignIn;
  const { expiresAtMs } = grant.shown;
  // The code is not bound to a key, so each worker has one of its own.
  const newKey = once(generateDpopKey);
  let { intervalSeconds } = grant;
  let failures = 0;
  // Its own count matters too, because a clock that is set back would let the code last longer.
  let leftMs = expiresAtMs - nowMs();
  for (;;) {
    leftMs = Math.min(leftMs, expiresAtMs - nowMs());
    const intervalMs = intervalSeconds * 1000;
    const patienceMs = Math.min(intervalMs * 2 ** failures, maxPauseMs, leftMs - lastChanceMs);
    const pauseMs = Math.min(Math.max(intervalMs, patienceMs), leftMs);
    await pause(pauseMs, signal);
    leftMs -= pauseMs;
    if (signal.aborted) throw new ProblemError('cancelled');
    if (leftMs <= 0 || nowMs() >= expiresAtMs) throw ended(failures);
    const answer = await ask(parts, access, codeSignIn, newKey);
    if (answer.outcome === 'signed-in') return answer.result;
    if (answer.outcome === 'expired') throw ended(failures);
    failures = answer.outcome === 'unreachable' ? failures + 1 : 0;
    if (answer.outcome !== 'too-fast') continue;
    intervalSeconds += slowDownSeconds;
    // For the next worker. A sign-in that was left is not stored again.
    const slowed = { ...codeSignIn, grant: { ...grant, intervalSeconds } };
    if (!signal.aborted) await records.dispatchOrHold({ type: 'code-shown', codeSignIn: slowed });
  }
}

/** Asks once. Metadata that can't be fetched is no reason to give up either. */
async function ask(
  { revocations, byUserApi }: DeviceTokensParts,
  access: ProviderAccess,
  { grant, additionalScope }: Pick<CodeSignIn, 'grant' | 'additionalScope'>,
  newKey: () => Promise<CryptoKeyPair>,
) {
  const { client, keys } = access;
  const metadata = await access.metadata().catch((error: unknown) => {
    if (isTransient(error)) return null;
    throw error;
  });
  if (metadata === null) return { outcome: 'unreachable' } as const;
  await revocations.settled();
  const dpopKey = wantsDpop(client.provider, metadata) ? await newKey() : null;
  const identify = (client.provider.userApi && byUserApi) ?? byIdToken;
  const asked = requestDeviceTokens(client, metadata, keys, grant, identify, dpopKey, {
    own: additionalScope ?? undefined,
  });
  const answer = await revokeOnFailure(revocations, access, asked);
  return answer.outcome === 'signed-in' ? { ...answer, result: { ...answer.result, dpopKey } } : answer;
}

/** Why a code has ended without a session. After a failure, the user may have finished, and the tokens were lost on the way. */
function ended(failures: number): ProblemError {
  return failures > 0
    ? new ProblemError(
        'provider-unreachable',
        detail`user code: it ended before the provider could be reached.`,
      )
    : new ProblemError('interrupted', detail`user code: it was not entered in time.`);
}
