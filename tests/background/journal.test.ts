// The journal notes the worker's steps, and no secret, user or text of a provider gets into it.

import { expect, test, vi } from 'vitest';
import { createJournal } from '../../src/background/journal.ts';
import { journalKey, maxLines, readJournal } from '../../src/bridge/report/journal-lines.ts';
import { toReport } from '../../src/bridge/report/report.ts';
import { detail } from '../../src/session/detail.ts';
import { issuer } from '../support/scripted-provider.ts';
import { hour, status, journalOf, type Worker, setUpWorker } from '../support/worker-setup.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { FakeStorageArea, ownOrigin } from '../support/fake-browser.ts';
import { soon } from '../support/soon.ts';

async function notes(worker: Worker, expected: readonly string[]): Promise<void> {
  await expect.poll(() => journalOf(worker.local)).toEqual(expected);
}

const installed = ['worker-started', 'browser-event: install'];
const signedIn = [
  'command: sign-in',
  'state: signed-out -> signing-in, provider scripted',
  'state: signing-in -> signed-in, provider scripted, after 0 ms',
];

test('the journal lists the steps of a day in order', async () => {
  const { worker, script } = setUpWorker({
    script: { claims: { picture: 'https://pictures.example/ada.png' } },
  });
  await worker.signIn();
  await notes(worker, [...installed, ...signedIn]);

  script.claims = { nonce: undefined };
  await worker.openAfter(hour);
  const renewed = ['command: open', 'renewal: done, after 0 ms'];
  await notes(worker, [...installed, ...signedIn, ...renewed]);

  script.answers = { '/token': () => status(503) };
  await worker.openAfter(hour);
  const reason = '(provider.example answered with HTTP 503.)';
  const failed = [
    'command: open',
    `renewal: provider-unreachable, after 0 ms ${reason}`,
    // A second later.
    `renewal: provider-unreachable, after 0 ms ${reason}`,
    `state: signed-in -> signed-in, provider scripted, provider-unreachable ${reason}`,
  ];
  await notes(worker, [...installed, ...signedIn, ...renewed, ...failed]);

  await worker.signOut();
  const signedOut = [
    'command: sign-out',
    'state: signed-in -> signed-out, provider scripted',
    'device-signed-out: done',
    'revocation: done',
  ];
  await notes(worker, [...installed, ...signedIn, ...renewed, ...failed, ...signedOut]);
});

test('the journal notes each request of the feature that fails, by its origin and status or reason', async () => {
  const { worker } = setUpWorker();
  await worker.signIn();
  const failWith = (answer: () => Response | Promise<Response>) => {
    worker.api.answer = answer;
    return worker.fetch(`${apiOrigin}/people/ada?token=secret`).then(
      () => undefined,
      () => undefined,
    );
  };
  await failWith(() => status(200));
  await failWith(() => status(403));
  await failWith(() => Promise.reject(new TypeError('Failed to fetch')));
  await worker.fetch('https://ada.example/').catch(() => undefined);
  await worker.signOut();
  await failWith(() => status(200));
  await expect
    .poll(() => journalOf(worker.local).filter((line) => line.startsWith('request')))
    .toEqual([
      `request: HTTP 403 at ${apiOrigin}`,
      `request: network at ${apiOrigin}`,
      'request: origin-not-allowed at another origin',
      `request: signed-out at ${apiOrigin}`,
    ]);
});

test('requests that fail again and again leave the other lines in the journal', async () => {
  const area = new FakeStorageArea();
  const { note } = createJournal(
    area,
    () => 0,
    undefined,
    async () => undefined,
  );
  note(detail`worker-started`);
  for (let at = 0; at < 200; at += 1) note(detail`request: HTTP ${at} at https://api.example`);
  const kept = [
    'worker-started',
    ...Array.from({ length: 20 }, (_, at) => `request: HTTP ${at + 180} at https://api.example`),
  ];
  await expect.poll(() => journalOf(area)).toEqual(kept);
});

test('the journal notes a failure by its code, duration and details', async () => {
  const { worker, script, clock } = setUpWorker();
  script.answers = {
    '/authorize': () => {
      clock.nowMs += 250;
      return Response.json({ error: 'invalid_redirect_uri' }, { status: 400 });
    },
  };
  (await worker.begin()).fail('Authorization page could not be loaded.');
  await notes(worker, [
    ...installed,
    'command: sign-in',
    'state: signed-out -> signing-in, provider scripted',
    'state: signing-in -> signed-out, provider scripted, provider-misconfigured, redirect-uri, after 250 ms (sign-in page: HTTP 400)',
  ]);
});

test('the journal names the endpoints that a sign-in does without', async () => {
  const elsewhere = 'https://elsewhere.example';
  const metadata = { userinfo_endpoint: `${elsewhere}/me`, revocation_endpoint: `${elsewhere}/revoke` };
  const { worker } = setUpWorker({ script: { metadata } });
  await worker.signIn();
  const [asked, started, ended] = signedIn;
  await notes(worker, [
    ...installed,
    asked,
    started,
    'endpoint-left-out: userinfo_endpoint, provider scripted',
    'endpoint-left-out: revocation_endpoint, provider scripted',
    ended,
  ] as string[]);
  await worker.signOut();
  await expect.poll(() => journalOf(worker.local).at(-1)).toEqual('revocation: unsupported');
  expect(worker.provider.paths()).not.toContain('/revoke');
});

test('the journal is written after the board, for which a user waits', async () => {
  const { worker } = setUpWorker();
  await notes(worker, installed);
  // The board of the installation may be written after its notes.
  await worker.rest();
  const written: string[] = [];
  worker.local.onChanged.addListener((changes) => void written.push(...Object.keys(changes)));
  await worker.begin();
  await notes(worker, [...installed, ...signedIn.slice(0, 2)]);
  // One write for the command and the move that it causes.
  await expect.poll(() => written).toEqual(['board', 'journal']);
});

test('the journal does not note that the user is about to click', async () => {
  const { worker } = setUpWorker();
  await notes(worker, installed);
  await worker.send({ type: 'prepare' });
  await worker.open();
  await notes(worker, [...installed, 'command: open']);
});

/** An empty area, and how often it has been written. */
function watchArea() {
  const area = new FakeStorageArea();
  const written = vi.fn();
  area.onChanged.addListener(written);
  return { area, written };
}

test('many notes at once cause few writes, and only the newest lines are kept', async () => {
  const { area, written } = watchArea();
  let nowMs = 0;
  const journal = createJournal(area, () => (nowMs += 1), undefined, soon);
  for (let count = 0; count < 200; count += 1) journal.note(detail`worker-started`);
  const time = (ms: number) => new Date(ms).toISOString();
  const newest = Array.from(
    { length: maxLines },
    (_, index) => `${time(201 - maxLines + index)} worker-started`,
  );
  await expect.poll(() => area.items.get(journalKey)).toEqual(newest);
  journal.note(detail`worker-started`);
  await expect
    .poll(() => area.items.get(journalKey))
    .toEqual([...newest.slice(1), `${time(201)} worker-started`]);
  expect(written.mock.calls.length).toBeLessThanOrEqual(3);
});

test('createJournal hands each line to print at once', () => {
  const printed: string[] = [];
  const journal = createJournal(
    new FakeStorageArea(),
    () => 7,
    (line) => printed.push(line),
  );
  journal.note(detail`worker-started`);
  expect(printed).toEqual(['1970-01-01T00:00:00.007Z worker-started']);
});

test('a note that comes as a write ends is written too, even the same one', async () => {
  // A moment is a microtask, of which an end has several.
  for (let moment = 0; moment < 12; moment += 1) {
    const area = new FakeStorageArea();
    const journal = createJournal(area, () => moment, undefined, soon);
    const set = area.set.bind(area);
    area.set = async (items) => {
      area.set = set;
      await set(items);
      let late = Promise.resolve();
      for (let passed = 0; passed < moment; passed += 1) late = late.then(() => undefined);
      void late.then(() => journal.note(detail`command: open`));
    };
    journal.note(detail`command: open`);
    await expect.poll(() => journalOf(area), { message: `moment ${moment}` }).toHaveLength(2);
  }
});

test('a failed write is repeated with the next note', async () => {
  const area = new FakeStorageArea();
  const set = vi.spyOn(area, 'set').mockRejectedValueOnce(new Error('QuotaExceeded'));
  const journal = createJournal(area, () => 1, undefined, soon);
  journal.note(detail`worker-started`);
  await expect.poll(() => set).toHaveBeenCalledOnce();
  journal.note(detail`command: open`);
  await expect.poll(() => journalOf(area)).toEqual(['worker-started', 'command: open']);
});

test('no journal entry and no report repeats a value from a provider, a page or a user', async () => {
  const mark = 'zq-mark-qz';
  // A name that is a token would not be shown.
  const token = `token-${mark}`;
  const claims = { name: mark, email: `${mark}@example.com`, picture: `https://p.example/?${mark}` };
  const { worker, script, clock } = setUpWorker({
    script: { claims, token: { access_token: token, refresh_token: token, scope: mark } },
  });
  const refuse = () => Response.json({ error: mark, error_description: mark }, { status: 400 });
  await worker.agreeTo({ type: 'sign-in', providerId: 'scripted', hint: mark });
  expect(JSON.stringify(worker.readBoard())).toContain(mark);
  // Each of these windows ends in another way, with a value of the browser's, the provider's or a page's.
  (await worker.begin({ type: 'request-scope', scope: mark })).fail(
    `The browser failed at https://p.example/?${mark}`,
  );
  await worker.untilSettled();
  (await worker.begin({ type: 'use-another-account' })).redirect(
    `https://${mark}.example/?code=${mark}#${mark}`,
  );
  await worker.untilSettled();
  const asked = new URL((await worker.begin({ type: 'use-another-account' })).url).searchParams;
  const answer = { error: mark, error_description: mark, state: asked.get('state') ?? '', iss: issuer };
  worker.windows.at(-1)?.redirect(`${asked.get('redirect_uri')}?${new URLSearchParams(answer)}`);
  await worker.untilSettled();
  script.answers = { '/token': refuse, '/revoke': refuse };
  await worker.openAfter(hour);
  await worker.rest();
  await worker.send({ type: 'sign-out', everywhere: true });
  await worker.rest();

  const ring = worker.local.items.get(journalKey);
  const lines = await readJournal(worker.local);
  const report = toReport(lines, {
    nowMs: clock.nowMs,
    product: 'Latchkey',
    version: '1.0.0',
    extensionId: new URL(ownOrigin).host,
    browser: 'a browser',
    language: 'en',
    persistence: 'device',
    board: worker.readBoard(),
  });
  expect(JSON.stringify(ring)).not.toContain(mark);
  expect(report).not.toContain(mark);
  // Every line that was written is read.
  expect(lines).toEqual(ring);
  expect(lines.join()).toContain('state: signed-in -> signed-out');
});
