import { expect, test } from 'vitest';
import { fc } from '../support/property.ts';
import { parseCommand } from '../../src/session/commands.ts';

const challenge = {
  type: 'answer-challenge',
  error: 'insufficient_scope',
  challenge: 'x',
  api: 'https://api.example',
};

test.each([
  { type: 'open' },
  { type: 'prepare' },
  { type: 'sign-in', providerId: 'demo' },
  { type: 'sign-in', providerId: 'x'.repeat(200), hint: '😀'.repeat(320) },
  { type: 'cancel' },
  { type: 'try-again', attempt: 'attempt-1' },
  { type: 'show-window' },
  { type: 'sign-out', everywhere: false },
  { type: 'use-another-account' },
  { type: 'use-another-account', providerId: 'demo' },
  { type: 'request-scope', scope: 'a' },
  { type: 'request-scope', scope: 'https://api.example/read write ~!' },
  { ...challenge, challenge: 'x'.repeat(4096) },
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
  { type: 'sign-in', providerId: 'demo', hint: 'x'.repeat(641) },
  { type: 'use-another-account', providerId: '' },
  { type: 'try-again' },
  { type: 'sign-out' },
  { type: 'sign-out', everywhere: 'yes' },
  { ...challenge, api: undefined },
  { ...challenge, error: 'invalid_token' },
  { ...challenge, challenge: 'x'.repeat(4097) },
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
