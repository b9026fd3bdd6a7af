import { expect, test } from 'vitest';
import { trusted, words } from '../../src/session/detail.ts';
import {
  maxDetailLength,
  problem,
  ProblemError,
  toProblem,
  type Diagnosis,
} from '../../src/session/problem.ts';

test('toProblem keeps the code and detail of a ProblemError', () => {
  const error = new ProblemError('denied', words`access_denied`);
  expect(toProblem(error)).toEqual({ code: 'denied', detail: 'access_denied' });
});

test.each([
  [null, 'offline'],
  [words`a detail`, 'offline: a detail'],
])('a ProblemError with the detail %j has the message %j', (detail, message) => {
  const error = new ProblemError('offline', detail);
  expect(String(error)).toBe(`ProblemError: ${message}`);
});

test('toProblem keeps the diagnosis', () => {
  const diagnosis: Diagnosis = {
    cause: 'redirect-uri',
    certainty: 'guess',
    register: 'https://id.example/demo',
  };
  const error = new ProblemError('provider-misconfigured', null, { diagnosis });
  expect(toProblem(error)).toEqual({ code: 'provider-misconfigured', detail: null, diagnosis });
});

test('toProblem keeps that a window may be open', () => {
  const error = new ProblemError('timed-out', words`A detail.`, { window: 'left-open' });
  expect(toProblem(error)).toEqual({ code: 'timed-out', detail: 'A detail.', window: 'left-open' });
});

test.each<[string, unknown, string]>([
  ['a foreign error', new TypeError('secret-token-in-a-message'), 'TypeError'],
  ['a text', 'secret-token', 'string'],
  ['nothing', undefined, 'undefined'],
  ['an object', { token: 'secret-token' }, 'object'],
])('toProblem turns %s into unexpected, without its text', (_title, thrown, detail) => {
  expect(toProblem(thrown)).toEqual({ code: 'unexpected', detail });
});

test('problem cuts a long detail', () => {
  expect(problem('denied', trusted('x'.repeat(5000))).detail).toHaveLength(maxDetailLength);
});
