import { expect, test } from 'vitest';
import { detail } from '../../../src/session/detail.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import { readFailure } from '../../../tools/doctor/answer.ts';

/** As Node's fetch fails. */
function failure(code: string, ...others: string[]): ProblemError {
  const errors = [code, ...others].map((name) => Object.assign(new Error('failed'), { code: name }));
  const reason = others.length === 0 ? errors[0] : new AggregateError(errors);
  const cause = new TypeError('fetch failed', { cause: reason });
  return new ProblemError('provider-unreachable', detail`id.acme.example did not answer.`, { cause });
}

const overloaded = new ProblemError('provider-unreachable', detail`id.acme.example answered with HTTP 503.`);

test.each([
  [failure('ENOTFOUND'), 'error', /no such host \(ENOTFOUND\)/, /Correct the host/],
  [failure('ECONNREFUSED'), 'error', /Nothing listens there/, /Start the provider/],
  [failure('ECONNREFUSED', 'EHOSTUNREACH'), 'error', /Nothing listens there/, /host and port/],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'warning', /trust the certificate/, /NODE_EXTRA_CA_CERTS/],
  [failure('ECONNRESET'), 'error', /did not answer\. \(ECONNRESET\)/, /proxy or firewall/],
  [new ProblemError('timed-out', detail`id.acme.example`), 'error', /didn't respond in time/, /later/],
  [overloaded, 'warning', /HTTP 503/, /later/],
])('explains %s', (error, severity, quoted, remedy) => {
  expect(readFailure(error, {})).toMatchObject({
    kind: 'unanswered',
    severity,
    quoted: expect.stringMatching(quoted),
    remedy: expect.stringMatching(remedy),
  });
});

test('a proxy that Node does not use says nothing about a browser', () => {
  const proxy = { HTTPS_PROXY: 'http://proxy.example' };
  expect(readFailure(failure('ENOTFOUND'), proxy)).toMatchObject({
    severity: 'warning',
    remedy: expect.stringContaining('NODE_USE_ENV_PROXY=1'),
  });
  const used = { ...proxy, NODE_USE_ENV_PROXY: '1' };
  expect(readFailure(failure('ENOTFOUND'), used).severity).toBe('error');
});
