import { expect, test, vi } from 'vitest';
import { sendCommand, serveCommands, type MessageRuntime } from '../../../src/bridge/session/messages.ts';
import { ProblemError } from '../../../src/session/problem.ts';

const runtime = (sendMessage: MessageRuntime['sendMessage'] = () => Promise.resolve()): MessageRuntime => ({
  id: 'latchkey@latchkey.example',
  getURL: (path) => `moz-extension://0e1b/${path}`,
  sendMessage,
});
const page = { id: 'latchkey@latchkey.example', url: 'moz-extension://0e1b/src/popup/index.html' };
const open = { latchkey: { type: 'open' } };

test('a reply arrives as the worker gave it', async () => {
  expect(
    await sendCommand(
      runtime(() => Promise.resolve({ ok: true })),
      { type: 'open' },
    ),
  ).toEqual({ ok: true });
});

test.each<[string, () => Promise<unknown>]>([
  ['is not there', () => Promise.reject(new Error('Could not establish connection.'))],
  ['says nothing', () => Promise.resolve(undefined)],
  ['says something else', () => Promise.resolve({ fine: true })],
])('a worker that %s cannot be reached', async (_title, sendMessage) => {
  const reply = await sendCommand(runtime(sendMessage), { type: 'open' });
  expect(reply).toMatchObject({ ok: false, problem: { code: 'worker-unreachable' } });
});

test('a worker that does not answer in time cannot be reached', async () => {
  vi.useFakeTimers();
  const reply = sendCommand(
    runtime(() => new Promise(() => undefined)),
    { type: 'open' },
  );
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  expect(await reply).toMatchObject({ ok: false, problem: { code: 'worker-unreachable' } });
});

test('a command from a page of ours is handled, with or without an origin to go by', async () => {
  const listener = serveCommands(runtime(), () => Promise.resolve({ ok: true }));
  expect(await listener(open, page)).toEqual({ ok: true });
  expect(await listener(open, { ...page, origin: 'moz-extension://0e1b' })).toEqual({ ok: true });
});

test.each([
  ['another extension', { ...page, id: 'another@latchkey.example' }],
  ['no extension', { url: page.url }],
  ['no address', { id: page.id }],
  ['a web page', { ...page, url: 'https://evil.example/' }],
  ['an address that begins like ours', { ...page, url: 'moz-extension://0e1b.evil.example/' }],
  ['another origin', { ...page, origin: 'https://evil.example' }],
  ['an opaque origin', { ...page, origin: 'null' }],
])('a command from %s gets silence', (_title, sender) => {
  const handle = vi.fn();
  expect(serveCommands(runtime(), handle)(open, sender)).toBeUndefined();
  expect(handle).not.toHaveBeenCalled();
});

test.each([[undefined], [null], ['open'], [{ type: 'open' }], [[]]])(
  'the message %j is somebody else’s',
  (message) => {
    expect(serveCommands(runtime(), vi.fn())(message, page)).toBeUndefined();
  },
);

test('a handler that throws refuses with its problem, and with nothing of a foreign error', async () => {
  const refusing = (error: Error) => serveCommands(runtime(), () => Promise.reject(error))(open, page);
  expect(await refusing(new ProblemError('storage-failed', 'Quota'))).toEqual({
    ok: false,
    problem: { code: 'storage-failed', detail: 'Quota' },
  });
  expect(await refusing(new Error('token-in-a-text'))).toEqual({
    ok: false,
    problem: { code: 'unexpected', detail: 'Error' },
  });
});
