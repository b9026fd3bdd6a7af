import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { ClaimError, findFailedClaim } from '../../src/oidc/claim-error.ts';
import { ProblemError } from '../../src/session/problem.ts';

const claims = { sub: 'ada' };
const ours = new ClaimError('sub', 'invalid', claims);
const theirs = (cause: unknown) => new oauth.OperationProcessingError('unexpected claim', { cause });

describe('findFailedClaim', () => {
  // id-token.test.ts has the claims that fail, and their reasons.
  test('returns the claim of a problem, also behind the wrong clock that it revealed', () => {
    const cause = new ProblemError('response-rejected', null, { cause: ours });
    for (const error of [ours, cause, new ProblemError('clock-wrong', null, { cause })])
      expect(findFailedClaim(error)).toBe(ours);
  });

  test('returns the claim that oauth4webapi rejects', () => {
    const error = new ProblemError('unexpected', null, { cause: theirs({ claim: 'exp', claims }) });
    expect(findFailedClaim(error)).toEqual({ claim: 'exp', reason: 'expired', claims });
  });

  test.each([
    ['another error', new Error('sub', { cause: { claim: 'sub', claims } })],
    ['an oauth4webapi error without a cause', theirs(undefined)],
    ['an oauth4webapi error without a claim name', theirs({ claims })],
    ['an oauth4webapi error without claims', theirs({ claim: 'sub' })],
    ['an oauth4webapi error with null as claims', theirs({ claim: 'sub', claims: null })],
  ])('returns null for %s', (_title, error) => {
    expect(findFailedClaim(error)).toBeNull();
  });
});

test('a ClaimError names the claim and the reason, but no value', () => {
  expect(ours.message).toBe('sub: invalid');
  expect(ours.name).toBe('ClaimError');
});
