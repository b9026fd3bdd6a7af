import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { findFailedClaim, rejectClaim } from '../../src/oidc/problems.ts';
import { detail } from '../../src/session/detail.ts';
import { ProblemError } from '../../src/session/problem.ts';

const claims = { sub: 'ada' };
const ours = rejectClaim('sub', claims, detail`not a subject`);
const theirs = (cause: unknown) => new oauth.OperationProcessingError('unexpected claim', { cause });

// id-token.test.ts has the claims that fail.
test.each<[string, Error, claim: string | null]>([
  ['a problem', ours, 'sub'],
  ['the wrong clock that it revealed', new ProblemError('clock-wrong', null, { cause: ours }), 'sub'],
  ['oauth4webapi', new ProblemError('unexpected', null, { cause: theirs({ claim: 'exp', claims }) }), 'exp'],
  ['another error', new Error('sub', { cause: { claim: 'sub', claims } }), null],
  ['oauth4webapi without a cause', theirs(undefined), null],
  ['oauth4webapi without a claim name', theirs({ claims }), null],
  ['oauth4webapi without claims', theirs({ claim: 'sub' }), null],
  ['oauth4webapi with null as claims', theirs({ claim: 'sub', claims: null }), null],
])('the claim that %s blames is found, if it names one', (_title, error, claim) => {
  expect(findFailedClaim(error)).toEqual(claim && { claim, claims });
});
