import { expect, test } from 'vitest';
import { fc } from '../support/property.ts';
import { parseCommand } from '../../src/session/commands.ts';

test.each([
  { type: 'open' },
  { type: 'prepare' },
  { type: 'sign-in', providerId: 'demo' },
  { type: 'sign-in', providerId: 'x'.repeat(200), hint: 'x'.repeat(320) },
  { type: 'cancel' },
  { type: 'try-again', attempt: 'attempt-1' },
  { type: 'show-window' },
  { type: 'sign-out', everywhere: false },
  { type: 'use-another-account' },
  { type: 'request-scope', scope: 'a' },
  { type: 'request-scope', scope: 'https://api.example/read write ~!' },
  { type: 'answer-challenge', challenge: 'x'.repeat(4096), api: 'https://api.example' },
])('parseCommand accepts %j', (command) => {
  expect(parseCommand(command)).toEqual(command);
});

test.each([
  null,
  undefined,
  'open',
  [],
  {},
  { type: 'close' },
  { type: 'open', more: 1 },
  { type: 'sign-in' },
  { type: 'sign-in', providerId: '' },
  { type: 'sign-in', providerId: 'x'.repeat(201) },
  { type: 'sign-in', providerId: 7 },
  { type: 'sign-in', providerId: 'demo', hint: 7 },
  { type: 'sign-in', providerId: 'demo', hint: 'x'.repeat(321) },
  { type: 'try-again' },
  { type: 'sign-out' },
  { type: 'sign-out', everywhere: 'yes' },
  { type: 'answer-challenge', challenge: 'x' },
  { type: 'answer-challenge', challenge: 'x'.repeat(4097), api: 'https://api.example' },
  { type: 'request-scope' },
  { type: 'request-scope', scope: '' },
  { type: 'request-scope', scope: 'x'.repeat(1001) },
  { type: 'request-scope', scope: ['notes.read'] },
  ...[' a', 'a ', 'a  b', 'a\nb', 'a "b"', 'a\\b', 'é'].map((scope) => ({ type: 'request-scope', scope })),
])('parseCommand rejects %j', (message) => {
  expect(parseCommand(message)).toBeNull();
});

test('parseCommand returns the message or null for any value, and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (message) => {
      const command = parseCommand(message);
      expect(command).toEqual(command && message);
    }),
  );
});
