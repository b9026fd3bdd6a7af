// The journal notes the worker's steps, and no secret, person or text of a provider gets into it.

import { expect, test, vi } from 'vitest';
import { createJournal } from '../../src/background/journal.ts';
import { createJournalItem, journalKey, maxLines } from '../../src/bridge/report/journal-lines.ts';
import { toReport } from '../../src/bridge/report/report.ts';
import { words } from '../../src/session/detail.ts';
import { issuer, type Script } from '../support/scripted-provider.ts';
import { fc, numRuns } from '../support/property.ts';
import { deferred } from '../support/deferred.ts';
import { FakeStorageArea, ownOrigin } from '../support/fake-browser.ts';
import { journalOf } from '../support/journal-of.ts';
import { rest } from '../support/rest.ts';
import { soon } from '../support/soon.ts';
import { setUpWorker } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

const hour = 3_600_000;

function setUpScene(script: Script = {}) {
  const clock = { nowMs: Date.parse('2030-01-01T10:00:00Z') };
  script.nowMs = () => clock.nowMs;
  return { worker: setUpWorker({ script }), script, clock };
}

async function notes(worker: Worker, expected: readonly string[]): Promise<void> {
  await expect.poll(() => journalOf(worker.local)).toEqual(expected);
}

const installed = ['worker-started', 'browser-event: install'];
const signedIn = [
  'command: sign-in',
  'state: signed-out -> signing-in, provider 1',
  'state: signing-in -> signed-in, provider 1, after 0 ms',
];

test('the journal lists the steps of a day in order', async () => {
  const { worker, script, clock } = setUpScene({ claims: { picture: 'https://pictures.example/ada.png' } });
  await worker.signIn();
  await notes(worker, [...installed, ...signedIn]);

  clock.nowMs += hour;
  script.claims = { nonce: undefined };
  await worker.send({ type: 'open' });
  const renewed = ['command: open', 'renewal: done, after 0 ms'];
  await notes(worker, [...installed, ...signedIn, ...renewed]);

  await worker.send({ type: 'sign-out', everywhere: false });
  const signedOut = [
    'command: sign-out',
    'state: signed-in -> signed-out, provider 1',
    'device-signed-out: done',
    'revocation: done',
  ];
  await notes(worker, [...installed, ...signedIn, ...renewed, ...signedOut]);
});

test('the journal notes a failure by its code and duration', async () => {
  const { worker, script, clock } = setUpScene();
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
    'state: signed-out -> signing-in, provider 1',
    'state: signing-in -> signed-out, provider 1, provider-misconfigured, redirect-uri, after 250 ms',
  ]);
});

test('the journal names the endpoints that a sign-in does without', async () => {
  const elsewhere = 'https://elsewhere.example';
  const metadata = { userinfo_endpoint: `${elsewhere}/me`, revocation_endpoint: `${elsewhere}/revoke` };
  const { worker } = setUpScene({ metadata });
  await worker.signIn();
  const [asked, started, ended] = signedIn;
  await notes(worker, [
    ...installed,
    asked,
    started,
    'endpoint-left-out: userinfo_endpoint, provider 1',
    'endpoint-left-out: revocation_endpoint, provider 1',
    ended,
  ] as string[]);
  await worker.send({ type: 'sign-out', everywhere: false });
  await expect.poll(() => journalOf(worker.local).at(-1)).toEqual('revocation: unsupported');
  expect(worker.provider.paths()).not.toContain('/revoke');
});

test('the journal is written after the board, for which a person waits', async () => {
  const { worker } = setUpScene();
  await notes(worker, installed);
  // The board of the installation may be written after its notes.
  await rest(worker);
  const written: string[] = [];
  worker.local.onChanged.addListener((changes) => void written.push(...Object.keys(changes)));
  await worker.begin();
  await notes(worker, [...installed, ...signedIn.slice(0, 2)]);
  // One write for the command and the move that it causes.
  await expect.poll(() => written).toEqual(['board', 'journal']);
});

test('the journal does not note that the person is about to click', async () => {
  const { worker } = setUpScene();
  await notes(worker, installed);
  await worker.send({ type: 'prepare' });
  await worker.send({ type: 'open' });
  await notes(worker, [...installed, 'command: open']);
});

test('the journal uses the storage only once it may', async () => {
  const area = new FakeStorageArea();
  const begun = deferred<void>();
  let reads = 0;
  const get = area.get.bind(area);
  area.get = (key) => {
    reads += 1;
    return get(key);
  };
  const journal = createJournal(
    area,
    () => 1,
    undefined,
    () => begun.promise,
  );
  journal.note(words`command: sign-in`);
  await soon();
  expect(reads).toBe(0);
  journal.note(words`command: cancel`);
  begun.resolve();
  await expect.poll(() => journalOf(area)).toHaveLength(2);
});

test('a new worker appends to the lines of the last one', async () => {
  const { worker } = setUpScene();
  await worker.signIn();
  await notes(worker, [...installed, ...signedIn]);
  worker.restartWorker();
  await worker.send({ type: 'open' });
  await notes(worker, [...installed, ...signedIn, 'worker-started', 'command: open']);
});

test('a new worker notes the sign-in that the last one left behind', async () => {
  const { worker } = setUpScene();
  await worker.begin();
  worker.restartBrowser();
  await expect
    .poll(() => journalOf(worker.local).slice(-3))
    .toEqual([
      'worker-started',
      'browser-event: startup',
      'state: signing-in -> signed-out, provider 1, interrupted, after 0 ms',
    ]);
});

test('many notes at once cause few writes, and only the newest lines are kept', async () => {
  const area = new FakeStorageArea();
  let writes = 0;
  area.onChanged.addListener(() => (writes += 1));
  let nowMs = 0;
  const journal = createJournal(area, () => (nowMs += 1), undefined, soon);
  for (let count = 0; count < 200; count += 1) journal.note(words`worker-started`);
  const time = (ms: number) => new Date(ms).toISOString();
  const newest = Array.from(
    { length: maxLines },
    (_, index) => `${time(201 - maxLines + index)} worker-started`,
  );
  await expect.poll(() => area.items.get(journalKey)).toEqual(newest);
  expect(writes).toBeLessThanOrEqual(2);
});

test('createJournal hands each line to print at once', () => {
  const printed: string[] = [];
  const journal = createJournal(
    new FakeStorageArea(),
    () => 7,
    (line) => printed.push(line),
  );
  journal.note(words`worker-started`);
  expect(printed).toEqual(['1970-01-01T00:00:00.007Z worker-started']);
});

test('createJournal stores a step that is not worth a write together with the next one', async () => {
  const area = new FakeStorageArea();
  let writes = 0;
  area.onChanged.addListener(() => (writes += 1));
  const journal = createJournal(area, () => 1, undefined, soon);
  journal.noteWithNext(words`worker-started`);
  await new Promise((resolve) => setTimeout(resolve));
  expect(writes).toBe(0);
  journal.note(words`command: open`);
  await expect.poll(() => journalOf(area)).toHaveLength(2);
  await expect.poll(() => writes).toBe(1);
});

test('a note that comes as a write ends is written too', async () => {
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
      void late.then(() => journal.note(words`command: open`));
    };
    journal.note(words`worker-started`);
    await expect.poll(() => journalOf(area), { message: `moment ${moment}` }).toHaveLength(2);
  }
});

test('a failed write is repeated with the next note', async () => {
  const area = new FakeStorageArea();
  const set = area.set.bind(area);
  const failed = vi.fn(() => Promise.reject(new Error('QuotaExceeded')));
  area.set = failed;
  const journal = createJournal(area, () => 1, undefined, soon);
  journal.note(words`worker-started`);
  await expect.poll(() => failed).toHaveBeenCalledOnce();
  area.set = set;
  journal.note(words`command: open`);
  await expect.poll(() => journalOf(area)).toEqual(['worker-started', 'command: open']);
});

test('a sign-in does not wait for a journal that cannot be written', async () => {
  const { worker } = setUpScene();
  const { set } = worker.local;
  worker.local.set = (items) =>
    journalKey in items ? deferred<void>().promise : set.call(worker.local, items);
  expect((await worker.signIn()).session.status).toBe('signed-in');
});

const isSettled = (worker: Worker) => worker.readBoard()?.session.status !== 'signing-in';

/** Values that can be recognized anywhere, between characters that break parsers. */
const marked = fc
  .tuple(fc.string({ maxLength: 8 }), fc.constantFrom('', '@example.com', '?token=x', '<b>', '","what":"'))
  .map(([text, end]) => `${text}zq-mark-qz${end}`);
const mark = 'zq-mark-qz';

type Step = (scene: ReturnType<typeof setUpScene>, value: string) => Promise<unknown>;

const error = (value: string) =>
  Response.json({ error: 'invalid_grant', error_description: value, [value]: value }, { status: 400 });

/** The window of a new sign-in; undefined if none opens because the provider has failed before. */
async function openWindow({ worker }: ReturnType<typeof setUpScene>, hint?: string) {
  const before = worker.windows.length;
  await worker.send({ type: 'sign-in', providerId: 'scripted', ...(hint !== undefined && { hint }) });
  await expect.poll(() => worker.windows.length > before || isSettled(worker), { interval: 1 }).toBe(true);
  const window = worker.windows[before];
  window?.appear();
  return window;
}

const steps: Readonly<Record<string, Step>> = {
  async 'signs in'(scene, value) {
    scene.script.claims = {
      name: value,
      email: value,
      given_name: value,
      picture: `https://p.example/?${value}`,
    };
    // A name that is a token would not be shown.
    const token = `token-${value}`;
    scene.script.token = { access_token: token, refresh_token: token, scope: value };
    const window = await openWindow(scene, value);
    if (window !== undefined) scene.worker.approve(window);
  },
  async 'comes back with an error'(scene, value) {
    const window = await openWindow(scene);
    if (window === undefined) return;
    const sent = new URL(window.url).searchParams.get('state') ?? '';
    const answer = { error: value, error_description: value, state: sent, iss: issuer };
    const parameters = new URLSearchParams(answer);
    window.redirect(`https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/scripted?${parameters}`);
  },
  async 'comes back to somewhere else'(scene, value) {
    (await openWindow(scene))?.redirect(`https://elsewhere.example/?code=${value}#${value}`);
  },
  async 'fails in the window'(scene, value) {
    scene.script.answers = { '/authorize': () => new Response(`redirect_uri ${value}`, { status: 400 }) };
    (await openWindow(scene))?.fail(value);
  },
  async 'is refused the tokens'(scene, value) {
    scene.script.answers = { '/token': () => error(value) };
    const window = await openWindow(scene);
    if (window !== undefined) scene.worker.approve(window);
  },
  async 'finds another provider'(scene, value) {
    scene.script.metadata = { issuer: value, authorization_endpoint: `${issuer}/authorize?${value}` };
    scene.script.answers = { '/authorize': () => error(value) };
    (await openWindow(scene))?.fail('Authorization page could not be loaded.');
  },
  async 'asks for more'({ worker }, value) {
    await worker.send({ type: 'request-scope', scope: value });
    await worker.send({ type: 'cancel' });
  },
  async 'opens the popup an hour later'({ worker, script, clock }, value) {
    clock.nowMs += hour;
    script.answers = { '/token': () => error(value) };
    await worker.send({ type: 'open' });
  },
  'signs out': ({ worker }) => worker.send({ type: 'sign-out', everywhere: true }),
  'restarts the browser': ({ worker }) => Promise.resolve(worker.restartBrowser()),
};

async function live(days: readonly (readonly [step: string, value: string])[]) {
  const scene = setUpScene();
  const boards: string[] = [];
  for (const [step, value] of days) {
    for (const change of ['answers', 'claims', 'token', 'metadata'] as const) delete scene.script[change];
    // A new sign-in closes a window that no one answers.
    await scene.worker.send({ type: 'cancel' });
    await steps[step]?.(scene, value);
    await expect.poll(() => isSettled(scene.worker), { interval: 1 }).toBe(true);
    await rest(scene.worker);
    boards.push(JSON.stringify(scene.worker.readBoard()));
  }
  const ring = scene.worker.local.items.get(journalKey);
  const lines = (await createJournalItem(scene.worker.local).read()) ?? [];
  const report = toReport(lines, {
    nowMs: scene.clock.nowMs,
    product: 'Latchkey',
    version: '1.0.0',
    extensionId: new URL(ownOrigin).host,
    browser: 'a browser',
    language: 'en',
    persistence: 'device',
    board: scene.worker.readBoard(),
  });
  return { ring, lines, report, boards };
}

test('no journal entry and no report repeats a value from a provider, a page or a person', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), marked), { minLength: 1, maxLength: 4 }),
      async (days) => {
        const { ring, lines, report } = await live(days);
        expect(JSON.stringify(ring)).not.toContain(mark);
        expect(report).not.toContain(mark);
        // Every line that was written is read.
        expect(lines).toEqual(ring);
      },
    ),
    { numRuns: Math.ceil(numRuns / 4) },
  ));

test('the values of that property reach the worker and appear on the board', async () => {
  const { boards, report } = await live([['signs in', mark]]);
  expect(boards.join()).toContain(mark);
  expect(report).toContain('signing-in -> signed-in');
});
