import { describe, expect, test } from 'vitest';
import { firstBoard, type Board } from '../../../src/bridge/session/board.ts';
import { maxEntries, parseEntries, type Entry } from '../../../src/bridge/report/entries.ts';
import { toReport, type About } from '../../../src/bridge/report/report.ts';
import { words } from '../../../src/session/detail.ts';
import { problem } from '../../../src/session/problem.ts';
import { signedOut, toSignedIn } from '../../../src/session/session.ts';
import { fc } from '../../support/property.ts';

const nowMs = Date.parse('2030-01-01T10:00:00Z');
const atMs = Date.parse('2030-01-01T09:59:00Z');

const board = firstBoard([
  { id: 'acme', name: 'Acme', endsSession: false },
  { id: 'demo', name: 'Demo provider', endsSession: true },
]);
const ada = {
  providerId: 'demo',
  subject: 'subject-1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  emailVerified: true,
  picture: 'https://pictures.example/ada.png?size=2',
};
const about: About = {
  nowMs,
  product: 'Latchkey',
  version: '1.2.3',
  extensionId: 'abcdefghijklmnopabcdefghijklmnop',
  browser: 'Chromium 156.0.1 on linux, x86-64',
  language: 'de-CH',
  persistence: 'device',
  board,
};

const lines: [Entry, string][] = [
  [{ atMs, what: 'worker-started' }, 'worker-started'],
  [{ atMs, what: 'browser-event', event: 'startup' }, 'browser-event: startup'],
  [{ atMs, what: 'command', command: 'sign-in' }, 'command: sign-in'],
  [
    {
      atMs,
      what: 'state',
      from: 'signed-out',
      to: 'signing-in',
      provider: 2,
      problem: null,
      cause: null,
      tookMs: null,
    },
    'state: signed-out -> signing-in, provider 2',
  ],
  [
    {
      atMs,
      what: 'state',
      from: 'signing-in',
      to: 'signed-out',
      provider: 2,
      problem: 'provider-misconfigured',
      cause: 'redirect-uri',
      tookMs: 2100,
    },
    'state: signing-in -> signed-out, provider 2, provider-misconfigured, redirect-uri, after 2100 ms',
  ],
  [{ atMs, what: 'renewal', problem: null, tookMs: 210 }, 'renewal: done, after 210 ms'],
  [{ atMs, what: 'renewal', problem: 'offline', tookMs: 3 }, 'renewal: offline, after 3 ms'],
  [{ atMs, what: 'device-signed-out', result: 'done' }, 'device-signed-out: done'],
  [
    { atMs, what: 'endpoint-left-out', provider: 2, endpoint: 'userinfo_endpoint' },
    'endpoint-left-out: userinfo_endpoint, provider 2',
  ],
  [{ atMs, what: 'revocation', result: 'refused' }, 'revocation: refused'],
  [{ atMs, what: 'provider-session', result: 'ended' }, 'provider-session: ended'],
];
const entries = lines.map(([entry]) => entry);

test('toReport writes the installation, the current state and the journal', () => {
  expect(toReport(entries, about)).toBe(`Latchkey 1.2.3, report of 2030-01-01T10:00:00.000Z
browser: Chromium 156.0.1 on linux, x86-64
extension: abcdefghijklmnopabcdefghijklmnop
language: de-CH
persistence: device
providers: 2, as built
state: signed-out

${lines.map(([, line]) => `2030-01-01T09:59:00.000Z ${line}`).join('\n')}
`);
});

const states: [string, Board['session'], string][] = [
  ['signed out', signedOut, 'signed-out'],
  [
    'signed out with a problem',
    { ...signedOut, problem: problem('offline', words`host`) },
    'signed-out, offline',
  ],
  [
    'signed out with a diagnosis',
    {
      ...signedOut,
      problem: {
        ...problem('provider-misconfigured'),
        diagnosis: { cause: 'client', certainty: 'guess', register: 'acme' },
      },
    },
    'signed-out, provider-misconfigured, client (guess)',
  ],
  ['signed in', toSignedIn(ada, atMs), 'signed-in, since 2030-01-01T09:59:00.000Z, provider 2'],
  [
    'signing in',
    {
      status: 'signing-in',
      providerId: 'acme',
      request: { type: 'sign-in', providerId: 'acme' },
      attempt: 1,
      startedAtMs: atMs,
      before: toSignedIn(ada, 1),
    },
    'signing-in, since 2030-01-01T09:59:00.000Z, provider 1',
  ],
];

test.each(states)('toReport describes the state %s without personal data', (_title, session, state) => {
  const report = toReport([], { ...about, board: { ...board, session, managed: true } });
  expect(report).toContain(`\nproviders: 2, chosen by policy\nstate: ${state}\n`);
  expect(report).toContain('\nnothing noted\n');
  expect(report).not.toMatch(/ada|lovelace|subject|pictures/i);
});

test('toReport writes a report even if the board cannot be read', () => {
  expect(toReport([], { ...about, board: null })).toContain('\nboard: cannot be read\n');
});

describe('parseEntries', () => {
  test('returns valid entries unchanged', () => {
    expect(parseEntries(entries)).toEqual(entries);
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['an object that is not an array', { length: 3 }],
    ['a string', ['worker-started']],
    ['an entry of an unknown kind', [{ atMs, what: 'password' }]],
    ['an entry with an additional field', [{ atMs, what: 'worker-started', name: 'Ada Lovelace' }]],
    ['an entry with a missing field', [{ atMs, what: 'command' }]],
    ['an unknown word', [{ atMs, what: 'command', command: 'sign in as ada@example.com' }]],
    ['a time out of range', [{ atMs: 8.64e15 + 1, what: 'worker-started' }]],
    ['a string in place of a number', [{ atMs, what: 'renewal', problem: null, tookMs: '12' }]],
  ])('drops %s', (_title, stored) => {
    expect(parseEntries(stored)).toEqual([]);
  });

  test('keeps the last entries if there are too many', () => {
    const many = Array.from({ length: 3 * maxEntries }, (_, index) => ({
      atMs: index,
      what: 'worker-started',
    }));
    expect(parseEntries(many)).toEqual(many.slice(-maxEntries));
  });
});

test('a report of arbitrary stored data contains only words from the closed lists, and numbers', () => {
  const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.constantFrom('worker-started', 'renewal', atMs));
  const changed = fc
    .tuple(
      fc.constantFrom(...entries),
      fc.constantFrom('atMs', 'what', 'problem', 'tookMs', 'more'),
      anything,
    )
    .map(([entry, name, value]) => ({ ...entry, [name]: value }));
  fc.assert(
    fc.property(fc.oneof(anything, fc.array(fc.oneof(changed, anything))), (stored) => {
      const report = toReport(parseEntries(stored), about);
      const noted = report.slice(report.indexOf('\n\n') + 2, -1).split('\n');
      for (const line of noted) {
        expect(line).toMatch(
          /^nothing noted$|^[+-]?\d{4,6}-[\dT:.-]{18}Z [a-z-]+(: [a-z_-]+( -> [a-z-]+)?(, [a-z -]+(-?\d+( ms)?)?)*)?$/,
        );
      }
    }),
  );
});
