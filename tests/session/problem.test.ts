import { expect, test } from 'vitest';
import {
  maxDetailLength,
  problem,
  ProblemError,
  toProblem,
  type Diagnosis,
} from '../../src/session/problem.ts';

test('a problem error keeps its code and detail', () => {
  const error = new ProblemError('denied', 'access_denied');
  expect(toProblem(error)).toEqual({ code: 'denied', detail: 'access_denied' });
});

test.each([
  [null, 'offline'],
  ['a detail', 'offline: a detail'],
])('a problem error with the detail %j reads %j', (detail, message) => {
  const error = new ProblemError('offline', detail);
  expect(String(error)).toBe(`ProblemError: ${message}`);
});

test('what looking around has brought to light goes along', () => {
  const diagnosis: Diagnosis = {
    cause: 'redirect-uri',
    certainty: 'guess',
    register: 'https://id.example/demo',
  };
  const error = new ProblemError('provider-misconfigured', null, { diagnosis });
  expect(toProblem(error)).toEqual({ code: 'provider-misconfigured', detail: null, diagnosis });
});

test.each<[string, unknown, string]>([
  ['an error', new TypeError('secret-token-in-a-message'), 'TypeError'],
  ['a text', 'secret-token', 'string'],
  ['nothing', undefined, 'undefined'],
  ['an object', { token: 'secret-token' }, 'object'],
])('%s of somebody else is unexpected, and its text is not told', (_title, thrown, detail) => {
  expect(toProblem(thrown)).toEqual({ code: 'unexpected', detail });
});

test('a detail has a longest length', () => {
  expect(problem('denied', 'x'.repeat(5000)).detail).toHaveLength(maxDetailLength);
});
