import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { findFailedClaim, rejectClaim } from '../../src/oidc/claim-error.ts';
import { words } from '../../src/session/detail.ts';
import { ProblemError } from '../../src/session/problem.ts';

const claims = { sub: 'ada' };
const ours = rejectClaim('sub', claims, words`not a subject`);
const theirs = (cause: unknown) => new oauth.OperationProcessingError('unexpected claim', { cause });

describe('findFailedClaim', () => {
  // id-token.test.ts has the claims that fail.
  test('returns the claim of a problem, also behind the wrong clock that it revealed', () => {
    for (const error of [ours, new ProblemError('clock-wrong', null, { cause: ours })])
      expect(findFailedClaim(error)).toEqual({ claim: 'sub', claims });
  });

  test('returns the claim that oauth4webapi rejects', () => {
    const error = new ProblemError('unexpected', null, { cause: theirs({ claim: 'exp', claims }) });
    expect(findFailedClaim(error)).toEqual({ claim: 'exp', claims });
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

test('the error for a claim names it, but no value', () => {
  expect(ours.message).toBe('response-rejected: ID token: not a subject [sub]');
});
