import { expect, test } from 'vitest';
import { safe, detail } from '../../src/session/detail.ts';
import {
  isOutcome,
  isPassing,
  maxDetailLength,
  problem,
  problemCodes,
  ProblemError,
  toProblem,
  type Diagnosis,
} from '../../src/session/problem.ts';

test.each([
  [null, 'offline'],
  [detail`a detail`, 'offline: a detail'],
  [detail`${1} of ${detail`many`}`, 'offline: 1 of many'],
])('a ProblemError with the detail %j has the message %j', (text, message) => {
  expect(String(new ProblemError('offline', text))).toBe(`ProblemError: ${message}`);
});

test('toProblem keeps the code and detail of a ProblemError, and what else a page shows', () => {
  const denied = { code: 'denied', detail: 'access_denied' };
  expect(toProblem(new ProblemError('denied', detail`access_denied`))).toEqual(denied);
  const diagnosis: Diagnosis = { cause: 'client', certainty: 'guess', register: 'latchkey' };
  const more = { diagnosis, window: 'left-open' } as const;
  expect(toProblem(new ProblemError('timed-out', null, more))).toEqual({
    code: 'timed-out',
    detail: null,
    ...more,
  });
});

test('a problem ends by itself, passes by itself, or stays until it is mended', () => {
  expect(problemCodes.filter(isOutcome)).toEqual(['cancelled', 'denied', 'interrupted', 'expired']);
  expect(problemCodes.filter(isPassing)).toEqual(['offline', 'timed-out', 'provider-unreachable']);
});

test.each<[string, unknown, string]>([
  ['a foreign error', new TypeError('secret-token-in-a-message'), 'TypeError'],
  ['a text', 'secret-token', 'string'],
  ['nothing', undefined, 'undefined'],
  ['an object', { token: 'secret-token' }, 'object'],
])('toProblem turns %s into unexpected, without its text', (_title, thrown, text) => {
  expect(toProblem(thrown)).toEqual({ code: 'unexpected', detail: text });
});

test('problem cuts a long detail', () => {
  expect(problem('denied', safe('x'.repeat(5000))).detail).toHaveLength(maxDetailLength);
});
