import { describe, expect, test } from 'vitest';
import { ada as profile, signingIn } from '../../support/fake-observer.ts';
import { firstBoard } from '../../support/first-board.ts';
import { journalKey, maxLines, readJournal } from '../../../src/bridge/report/journal-lines.ts';
import { toReport, type About } from '../../../src/bridge/report/report.ts';
import { detail, safe } from '../../../src/session/detail.ts';
import { problem } from '../../../src/session/problem.ts';
import { signedOut, toSignedIn, type View } from '../../../src/session/view.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

const nowMs = Date.parse('2030-01-01T10:00:00Z');
const atMs = Date.parse('2030-01-01T09:59:00Z');

const board = firstBoard([
  { id: 'acme', name: 'Acme', endsSession: false },
  { id: 'demo', name: 'Demo provider', endsSession: true },
]);
const ada = { ...profile, picture: 'https://pictures.example/ada.png?size=2' };
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

const lines = [
  'worker-started',
  'state: signing-in -> signed-out, provider demo, provider-misconfigured, redirect-uri, after 2100 ms (policy of Ada & Söhne: "hd" [at])',
  'endpoint-left-out: userinfo_endpoint, provider demo',
  'request: HTTP 403 at https://api.acme.example:8443',
  'request: network at http://[::1]:9200',
].map((step) => `2030-01-01T09:59:00.000Z ${step}`);

test('toReport writes the installation, the current state and the journal', () => {
  expect(toReport(lines, about)).toBe(`Latchkey 1.2.3, report of 2030-01-01T10:00:00.000Z
browser: Chromium 156.0.1 on linux, x86-64
extension: abcdefghijklmnopabcdefghijklmnop
language: de-CH
persistence: device
providers: 2, as built
state: signed-out

${lines.join('\n')}
`);
});

const offline = { ...signedOut, problem: problem('offline', detail`host`) };
const diagnosis = { cause: 'client', certainty: 'guess', register: 'acme' } as const;
const diagnosed = { ...signedOut, problem: { ...problem('provider-misconfigured'), diagnosis } };
const atAcme: View = { ...signingIn, providerId: 'acme', startedAtMs: atMs, before: toSignedIn(ada, 1) };

const states: [string, View, string][] = [
  ['signed out', signedOut, 'signed-out'],
  ['signed out with a problem', offline, 'signed-out, offline'],
  ['signed out with a diagnosis', diagnosed, 'signed-out, provider-misconfigured, client (guess)'],
  ['signed in', toSignedIn(ada, atMs), 'signed-in, since 2030-01-01T09:59:00.000Z, provider demo'],
  ['signing in', atAcme, 'signing-in, since 2030-01-01T09:59:00.000Z, provider acme'],
];

test.each(states)('toReport describes the state %s without personal data', (_title, session, state) => {
  const report = toReport([], { ...about, board: { ...board, session, managed: true } });
  expect(report).toContain(`\nproviders: 2, chosen by policy\nstate: ${state}\n`);
  expect(report).toContain('\nnothing noted\n');
  expect(report).not.toMatch(/ada|lovelace|subject|pictures/i);
});

test('toReport names the provider, and says what the details of a problem say', () => {
  const write = (session: View) => toReport([], { ...about, board: { ...board, session } });
  expect(write(toSignedIn(ada, atMs))).toContain('provider demo\nprovider: demo\n\n');
  const renewal = problem('provider-unreachable', detail`renewal: HTTP ${503} at the token endpoint`);
  const failed = { ...toSignedIn(ada, atMs), problem: renewal };
  expect(write(failed)).toContain('\nprovider: demo\ndetail: renewal: HTTP 503 at the token endpoint\n');
  expect(write(offline)).toContain('state: signed-out, offline\nprovider: acme, demo\ndetail: host\n');
  const accounts = [{ providerId: 'acme', subject: 's', name: null, email: null, picture: null }];
  expect(write({ ...offline, accounts })).toContain('\nprovider: acme\n');
});

test('toReport writes the place of a mistake in a policy, and not the value beside it', () => {
  const policyProblem = 'providers[0].allowed.email[0]: found "grace"; expected a whole address';
  const shown = problem('provider-misconfigured', safe(`policy: ${policyProblem}`));
  const session = { ...signedOut, problem: shown };
  const report = toReport([], { ...about, board: { ...board, session, policyProblem } });
  expect(report).toContain('policy refused at: providers[0].allowed.email[0]\n');
  expect(report).not.toContain('grace');
});

test('toReport writes a report even if the board cannot be read', () => {
  expect(toReport([], { ...about, board: null })).toContain('\nboard: cannot be read\n');
});

describe('the stored journal', () => {
  const read = async (stored: unknown) => {
    const area = new FakeStorageArea();
    await area.set({ [journalKey]: stored });
    return readJournal(area);
  };

  test('is read as it was written', async () => {
    expect(await read(lines)).toEqual(lines);
  });

  test.each<[string, unknown]>([
    ['a line of the version before', { atMs, what: 'worker-started' }],
    ['a line without a time', 'worker-started'],
    ['an address', '2030-01-01T09:59:00.000Z command: ada@example.com'],
    ['a path', '2030-01-01T09:59:00.000Z request: HTTP 403 at https://api.example/ada'],
    ['a second line', '2030-01-01T09:59:00.000Z command: open\nand more'],
    ['a long line', `2030-01-01T09:59:00.000Z command: ${'open '.repeat(31)}`],
    ['details of two lines', '2030-01-01T09:59:00.000Z state: a -> b (one\ntwo)'],
    ['a number', 7],
  ])('is read without %s', async (_title, other) => {
    expect(await read([lines[0], other, lines[1]])).toEqual(lines.slice(0, 2));
  });

  test.each([undefined, 'worker-started', { length: 3 }])('is empty if %s is stored', async (stored) => {
    expect(await read(stored)).toEqual([]);
  });

  test('has no more than its newest lines', async () => {
    const many = Array.from(
      { length: 3 * maxLines },
      (_, index) => `${new Date(index).toISOString()} policy: none`,
    );
    expect(await read(many)).toEqual(many.slice(-maxLines));
  });
});
