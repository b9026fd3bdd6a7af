import { expect, test } from 'vitest';
import { words } from '../../../src/session/detail.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import { readFailure } from '../../../tools/doctor/failure.ts';

const notRedirected = { redirectedTo: () => null };

/** As Node's fetch fails. */
function failure(code: string, ...others: string[]): ProblemError {
  const errors = [code, ...others].map((name) => Object.assign(new Error('failed'), { code: name }));
  const [first] = errors;
  const reason = others.length === 0 ? first : new AggregateError(errors);
  const cause = new TypeError('fetch failed', { cause: reason });
  return new ProblemError('provider-unreachable', words`id.acme.example did not answer.`, { cause });
}

test.each([
  [failure('ENOTFOUND'), 'certain', /no such host \(ENOTFOUND\)/, /Correct the host/],
  [failure('ECONNREFUSED'), 'certain', /Nothing listens there/, /Start the provider/],
  [failure('ECONNREFUSED', 'EHOSTUNREACH'), 'certain', /Nothing listens there/, /host and port/],
  [
    failure('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'only-here',
    /does not trust the certificate/,
    /NODE_EXTRA_CA_CERTS/,
  ],
  [failure('ECONNRESET'), 'certain', /did not answer\. \(ECONNRESET\)/, /proxy or firewall/],
  [new ProblemError('timed-out', words`id.acme.example`), 'certain', /did not answer in time/, /later/],
  [
    new ProblemError('provider-unreachable', words`id.acme.example answered with HTTP 503.`),
    'certain',
    /HTTP 503/,
    /later/,
  ],
])('explains %s', (error, certainty, text, remedy) => {
  expect(readFailure(error, notRedirected, {})).toMatchObject({
    kind: 'unanswered',
    certainty,
    text: expect.stringMatching(text),
    remedy: expect.stringMatching(remedy),
  });
});

test('a proxy that Node does not use says nothing about a browser', () => {
  const error = failure('ENOTFOUND');
  expect(readFailure(error, notRedirected, { HTTPS_PROXY: 'http://proxy.example' })).toMatchObject({
    certainty: 'only-here',
    remedy: expect.stringContaining('NODE_USE_ENV_PROXY=1'),
  });
  const used = { HTTPS_PROXY: 'http://proxy.example', NODE_USE_ENV_PROXY: '1' };
  expect(readFailure(error, notRedirected, used).certainty).toBe('certain');
});
